//! Real workspaces, where they are at hand: totals against an independent count.

//! Workspaces in memory: what becomes of them.

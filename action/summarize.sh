#!/usr/bin/env bash
# Writes the summary of the step: the comparison with the target branch where there is one, as the comment.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

[ ! -e "$work/remarks" ] || cat "$work/remarks" >> "$GITHUB_STEP_SUMMARY"
if [ -s "$work/base.md" ] && [ "$(wc -c < "$work/base.md")" -le 1000000 ]; then
  cat "$work/base.md" >> "$GITHUB_STEP_SUMMARY"
  exit 0
fi
code=0
evalbook_with settings texts -- build --format markdown --for step-summary \
  2> "$work/errors" >> "$GITHUB_STEP_SUMMARY" || code=$?
[ "$code" -le 1 ] || say warning "the summary cannot be made (exit code $code)"

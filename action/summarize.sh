#!/usr/bin/env bash
# Writes the summary of the step.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

code=0
evalbook_with settings texts -- build --format markdown --for step-summary \
  2> "$work/errors" >> "$GITHUB_STEP_SUMMARY" || code=$?
[ "$code" -le 1 ] || say warning "the summary cannot be made (exit code $code)"

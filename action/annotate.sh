#!/usr/bin/env bash
# Annotates problems at their file and line, and regressions: those since the target branch where that is
# compared, as in the comment, else those since the iteration before.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

code=0
evalbook_with settings -- check --format github > "$work/annotations" 2> "$work/errors" || code=$?
[ "$code" -le 1 ] || say warning "the annotations cannot be made (exit code $code)"
# What no rule forbids is no error.
lost=warning
[ "$(cat "$work/code")" = 0 ] || lost=error
if [ -s "$work/base.json" ]; then
  # The line that counts the rest counts these too.
  sed -E '/^::[a-z]+ title=regressed/d; /^::error title=evalbook::[0-9]+ errors? more$/d' "$work/annotations"
  # The runner keeps ten of a step.
  jq -r --arg lost "$lost" '.regressed[:9][] | (if .is_known then "notice" else $lost end) as $level
    | "\(.case): \(.text)" | gsub("%"; "%25") | gsub("[\r\n]+"; " ")
    | "::\($level) title=regressed::\(.)"' "$work/base.json"
  more=$(jq '.regressed | length - 9' "$work/base.json")
  [ "$more" -le 0 ] || printf '::notice title=regressed::%s more, in the summary of this step\n' "$more"
else
  sed "s/^::error title=regressed/::$lost title=regressed/" "$work/annotations"
fi

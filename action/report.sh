#!/usr/bin/env bash
# Builds the report, and sets the outputs of the Action from its summary.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

if [ "$COMMAND" != build ]; then
  say error 'command is build or none'
  exit 2
fi

# Patterns are put in order of bytes, so that a report is the same on every runner.
workspaces() {
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -n "$line" ] || continue
    if [ -e "$line" ]; then
      printf '%s\n' "$line"
    else
      compgen -G "$line" | LC_ALL=C sort || printf '%s\n' "$line"
    fi
  done <<< "$WORKSPACE"
}
# flag NAME VALUE: prints the flag where the value is not empty.
flag() { [ -z "$2" ] || printf -- '--%s=%s\n' "$1" "$2"; }

rm -rf "$work"
mkdir -p "$work"
workspaces > "$work/workspaces"
{
  [ -z "$MERGE" ] || printf -- '--merge\n'
  flag expect "$MERGE"
  flag baseline "$BASELINE"
  flag against "$AGAINST"
  printf '%s\n' "$SETTINGS"
} > "$work/settings"
{
  case "$GATE" in '' | false) ;; true) printf -- '--gate\n' ;; *) printf '%s\n' "$GATE" ;; esac
  flag url "$URL"
  [ -z "$INTO" ] || flag name "$NAME"
} > "$work/texts"
{
  if [ -n "$INTO" ]; then
    flag into "$INTO"
    flag keep "$KEEP"
  else
    flag output "$OUTPUT"
  fi
  flag export "$EXPORT"
  printf '%s\n' "$ARGS"
} > "$work/report"

# The program prints text of the workspace, in which the runner is to find no command.
printf '::stop-commands::%s\n' "$mark"
code=0
evalbook_with settings texts report -- build 2>&1 || code=$?
printf '\n::%s::\n' "$mark"
[ "$code" -le 1 ] || exit "$code"

report=$OUTPUT
[ -z "$INTO" ] || report=$INTO/$(jq -r '.reports[-1]' "$INTO/evalbook-site.json")
from_summary() { jq -r "$1" "$report/summary.json"; }
output exit-code "$code"
output report "$report"
output verdict "$(from_summary '.workspaces[0].gain.verdict // ""')"
output gain "$(from_summary '.workspaces[0].gain.mean // ""')"
output regressed "$(from_summary '[.workspaces[].flips.regressed | values] | add // ""')"
output improved "$(from_summary '[.workspaces[].flips.improved | values] | add // ""')"
output problems "$(from_summary '[.workspaces[].problems] | add')"
output summary "$(jq -c . "$report/summary.json")"

#!/usr/bin/env bash
# Builds the report, and sets the outputs of the Action from its summary.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

if [ "$COMMAND" != build ]; then
  say error 'command is build or none'
  exit 2
fi

# one_line INPUT VALUE: ends the step where a value has a second line, which would become a flag.
one_line() {
  [[ $2 == *[$'\n\r']* ]] || return 0
  say error "the input $1 is one value, and has more than one line"
  exit 2
}
one_line merge "$MERGE"
one_line output "$OUTPUT"
one_line into "$INTO"
one_line name "$NAME"
one_line keep "$KEEP"
one_line url "$URL"
one_line baseline "$BASELINE"
one_line against "$AGAINST"
one_line export "$EXPORT"

# A path ends with a zero byte, since a folder's name may hold a line break. Patterns are put in order
# of bytes, so that a report is the same on every runner.
workspaces() {
  local IFS= LC_ALL=C line paths
  while read -r line; do
    line=${line%$'\r'}
    [ -n "$line" ] || continue
    paths=("$line")
    # shellcheck disable=SC2206 # It is a pattern, and without IFS a name stays whole.
    [ -e "$line" ] || paths=($line)
    printf '%s\0' "${paths[@]}"
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

# Shared by the steps of the Action: how evalbook is run, and what a step tells the runner. Sourced.
# shellcheck shell=bash

# What several steps need, in a file each, one argument a line: `settings` for everything that evalbook
# does, `texts` for the report and the texts, `report` for the report alone. The `workspaces` end with a
# zero byte each.
work=$RUNNER_TEMP/evalbook-args

# evalbook_with LIST... -- COMMAND FLAG...
# Runs evalbook with the arguments in these files, and on the workspaces.
evalbook_with() {
  local lists=() arguments=() line
  while [ "$1" != -- ]; do
    lists+=("$work/$1")
    shift
  done
  shift
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || arguments+=("$line")
  done < <(cat "${lists[@]}")
  arguments+=(--)
  while IFS= read -r -d '' line; do arguments+=("$line"); done < "$work/workspaces"
  evalbook --color never "$@" "${arguments[@]}"
}

# A word that nobody can guess: text of a workspace between two of them is neither command nor output.
mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')

# output NAME VALUE: an output of the step.
output() { printf '%s<<%s\n%s\n%s\n' "$1" "$mark" "$2" "$mark" >> "$GITHUB_OUTPUT"; }

# say error|warning|notice TEXT: a line in the log and on the page of the run.
say() { printf '::%s title=evalbook::%s\n' "$1" "$(printf '%s' "$2" | tr '\r\n' '  ' | sed 's/%/%25/g')"; }

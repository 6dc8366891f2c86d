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
one_line url "$URL"
one_line baseline "$BASELINE"
one_line against "$AGAINST"
# shellcheck disable=SC2153 # Both are meant: the input, and what it becomes.
one_line base-name "$BASE_NAME"
one_line export "$EXPORT"

# A word that is no flag would be taken for a workspace.
if ! [[ $GATE =~ ^(true|false|[[:space:]]*(-.*)?)$ ]]; then
  say error "gate is true, false or flags such as --fail-on=worse, not \"${GATE:0:40}\""
  exit 2
fi
if [ -z "$OUTPUT$INTO" ]; then
  say error "the input output is empty, so the report has no folder"
  exit 2
fi

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
# remark LEVEL TEXT [COMMENT]: a line in the log, and one at the head of the comment and of the summary.
remark() {
  say "$1" "$2"
  printf '%s\n\n' "${3:-$2}" >> "$work/remarks"
}
# flag NAME VALUE: prints the flag where the value is not empty.
flag() { [ -z "$2" ] || printf -- '--%s=%s\n' "$1" "$2"; }

# The committed baselines of the target branch, in `found`.
committed_baselines() {
  local path
  found=()
  while IFS= read -r -d '' path; do
    case "/$path" in */baseline.json | */*.baseline.json) ;; *) continue ;; esac
    # One that is damaged is none for jq, and must not count as missing.
    ! git cat-file blob "$BASE_COMMIT:./$path" 2> /dev/null | grep -q '"baseline_version"' || found+=("$path")
  done < <(git ls-tree -r -z --name-only "$BASE_COMMIT" 2> /dev/null)
}
# The base commit may be missing in a checkout without history.
fetch_base_commit() {
  git cat-file -e "$BASE_COMMIT" 2> /dev/null ||
    git fetch --quiet --depth=1 origin "$BASE_COMMIT" 2> /dev/null || true
}
refuse_missing_commit() {
  git cat-file -e "$BASE_COMMIT" 2> /dev/null && return
  say error "the base commit is not here, so base cannot be read from it: check out with fetch-depth 0"
  exit 2
}

# For the base `auto`: the committed baseline of the target branch, else nothing; the log says which.
find_committed_baseline() {
  BASE=
  if ! [[ $BASE_COMMIT =~ ^[0-9a-f]{40}$ ]]; then
    say notice 'base: auto compares pull requests with the target branch; this is none'
    return 0
  fi
  fetch_base_commit
  refuse_missing_commit
  committed_baselines
  case ${#found[@]} in
    0)
      remark notice 'base: auto found no baseline.json on the target branch; the rows of the report name what is compared' \
        'The target branch has no baseline yet, so what is here is compared with each other.' ;;
    1)
      BASE=${found[0]}
      say notice "base: auto takes $BASE of the target branch" ;;
    *)
      say error "base: auto found several baselines, so name one of them: ${found[*]}"
      exit 2 ;;
  esac
}

# The number of the newest of the iterations on standard input.
newest() { sed -nE 's#^(.*/)?iteration-([0-9]{1,9})(/.*/grading\.json)?$#\2#p' | sort -n | tail -n 1; }
# The iteration that a baseline of the target branch would be of now. The skill lies beside its workspace.
newest_baseline() {
  local folder paths=("./$1")
  folder=${1%-workspace}
  [ "$folder" = "$1" ] || [ -z "$(git ls-tree "$BASE_COMMIT" "./$folder" 2> /dev/null)" ] || paths+=("./$folder")
  mkdir -p "$work/target"
  git archive "$BASE_COMMIT" "${paths[@]}" 2> /dev/null | tar -x -C "$work/target" || return 0
  evalbook baseline "$work/target/$1" 2> /dev/null | jq -r '.iteration? // ""' 2> /dev/null | newest
}
# Says where the target branch has graded a later iteration than its baseline is of: by an old one, a pull
# request could lose unseen what was gained since.
warn_behind() {
  local line is has branch=${GITHUB_BASE_REF:-the target branch}
  read -r line <<< "$WORKSPACE"
  is=$(git cat-file blob "$base" | jq -r '.iteration? // ""' 2> /dev/null | newest) || is=
  has=$(git ls-tree -r --name-only "$BASE_COMMIT" -- "./${line%/}" 2> /dev/null | newest) || has=
  if [ -n "$is" ] && [ "${has:-0}" -gt "$is" ]; then
    # Where an edit was taken back, the baseline is of an earlier iteration for good.
    [ "$(newest_baseline "${line%/}")" != "$is" ] || return 0
    remark warning "the baseline is of iteration-$is, and $branch has iteration-$has; update it there after each merge: evalbook baseline $line -o $BASE --update" \
      "The baseline is of iteration-$is, and $branch has iteration-$has: what was gained since is not compared."
  fi
}

# What the workspace is compared with, in `base`: empty where the pull request adds it, so that the
# target branch has none yet. What the repository has is taken from the base commit, since a pull request
# that brings its own baseline would be compared with itself. It gets a name that says so.
find_base() {
  if [ "$BASE" = auto ]; then find_committed_baseline; fi
  [ -n "$BASE" ] || return 0
  local is_tracked=false kind day=
  ! git ls-files --error-unmatch -- "$BASE" > /dev/null 2>&1 || is_tracked=true
  if [[ $BASE_COMMIT =~ ^[0-9a-f]{40}$ ]]; then
    fetch_base_commit
    kind=$(git cat-file -t "$BASE_COMMIT:./$BASE" 2> /dev/null) || kind=
    case "$kind" in
      blob)
        base=$BASE_COMMIT:./$BASE
        # In a shallow clone every file seems to be of the newest commit.
        if [ "$(git rev-parse --is-shallow-repository)" = false ]; then
          day=$(git log -1 --format=%cs "$BASE_COMMIT" -- "./$BASE" 2> /dev/null) || day=
        fi
        base_name="the baseline of ${GITHUB_BASE_REF:-the target branch}${day:+ ($day)}"
        warn_behind
        return ;;
      tree)
        base_name="$BASE of ${GITHUB_BASE_REF:-the target branch}"
        mkdir -p "$work/base"
        git archive "$BASE_COMMIT:./$BASE" | tar -x -C "$work/base"
        base=$work/base ;;
      *)
        if [ "$is_tracked" = true ]; then
          refuse_missing_commit
          return
        fi ;;
    esac
  fi
  if [ -z "$base" ]; then
    if [ ! -e "$BASE" ]; then
      committed_baselines
      local hint="write base: auto until ${GITHUB_BASE_REF:-the target branch} has one, or make it: evalbook baseline WORKSPACE -o $BASE"
      [ ${#found[@]} = 0 ] || hint="did you mean ${found[0]}?"
      say error "base: there is no $BASE, neither at the base commit nor in the tree; $hint"
      exit 2
    fi
    base=$BASE
  fi
}
gate_flags() {
  case "$GATE" in '' | false) ;; true) printf -- '--gate\n' ;; *) printf '%s\n' "$GATE" ;; esac
}

rm -rf "$work"
mkdir -p "$work"
workspaces > "$work/workspaces"
base=
base_name=$BASE_NAME
find_base
number=$(tr -cd '\0' < "$work/workspaces" | wc -c)
if [ -n "$base" ] && [ -z "$MERGE" ] && [ "$number" -gt 1 ]; then
  say error "base compares one workspace, and the input workspace gives $((number)): run the action once for each, or leave base out"
  exit 2
fi
if [ -z "$BASE" ] && [ -n "$BASE_NAME" ]; then
  remark notice "base: $BASE_NAME is not there; the report compares within the workspace" \
    "There is no base: $BASE_NAME is not there, so what is here is compared with each other."
elif [ -n "$BASE" ] && [ -z "$base" ]; then
  remark notice "base: this change adds $BASE, so there is none on the target branch yet; the report compares within the workspace" \
    "This change adds $BASE, which counts after the merge. Until then what is here is compared with each other."
fi
{
  [ -z "$MERGE" ] || printf -- '--merge\n'
  flag expect "$MERGE"
  flag baseline "$BASELINE"
  flag against "$AGAINST"
  printf '%s\n' "$SETTINGS"
} > "$work/settings"
{
  # With a base the comparison judges.
  [ -n "$base" ] || gate_flags
  flag url "$URL"
  [ -z "$INTO" ] || flag name "$NAME"
} > "$work/texts"
{
  if [ -n "$INTO" ]; then
    flag into "$INTO"
  else
    flag output "$OUTPUT"
  fi
  flag export "$EXPORT"
  printf '%s\n' "$ARGS"
} > "$work/report"

# keep_rules: the first of the rules that failed, which is last in the log, for the last line of the action.
keep_rules() { sed -n 's/^gate: //p' "$work/errors" | tail -n 1 > "$work/rule"; }

# first_error: why the program could not work and what to do, for the page of the run.
first_error() {
  awk '/^error: / && !met { met = 1; sub(/^error: /, ""); printf "%s", $0; next }
    met && /^  [^ ]/ { sub(/^ +(tip: )?/, "; "); printf "%s", $0; next }
    met && NF { exit }' "$work/errors"
}

# The program prints text of the workspace, in which the runner is to find no command.
printf '::stop-commands::%s\n' "$mark"
code=0
evalbook_with settings texts report -- build 2>&1 | tee "$work/errors" || code=$?
printf '\n::%s::\n' "$mark"
keep_rules
if [ "$code" -gt 1 ]; then
  say error "$(first_error)"
  exit "$code"
fi

report=$OUTPUT
[ -z "$INTO" ] || report=$INTO/$(jq -r '.reports[-1]' "$INTO/evalbook-site.json")
from_summary() { jq -r "$1" "$report/summary.json"; }

# compare FORMAT FILE: what changed since the base.
compare() {
  local head flags=() line
  IFS= read -r -d '' head < "$work/workspaces" || true
  # Joined folders are one workspace only in their report.
  [ -z "$MERGE" ] || head=$report/report.json
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || flags+=("$line")
  done < <(
    gate_flags
    [ -n "$MERGE" ] || { flag baseline "$BASELINE"; printf '%s\n' "$SETTINGS"; }
  )
  [ -z "$base_name" ] || flags+=("--base-name=$base_name")
  evalbook --color never compare --format "$1" ${flags[@]+"${flags[@]}"} --output "$2" -- "$base" "$head" \
    2> "$work/errors"
}
# One comparison: where the target branch can be compared, outputs and comment are about it, else about
# what the report compares.
if [ -n "$base" ]; then
  code=0
  compare json "$work/base.json" || code=$?
  compare markdown "$work/base.md" || true
  keep_rules
  printf '::stop-commands::%s\n' "$mark"
  # A folder of another commit was put where nobody knows it, and a hash names no file.
  errors=$(< "$work/errors")
  errors=${errors//$work\/base/$base_name}
  printf '%s\n' "${errors//$BASE_COMMIT:.\//${GITHUB_BASE_REF:-the target branch}:}" > "$work/errors"
  cat "$work/errors"
  printf '\n::%s::\n' "$mark"
  if [ "$code" -gt 1 ]; then
    rm -f "$work/base.json" "$work/base.md"
    # A gate that could not compare must not be green. Of flags, the workflow is at fault.
    if [ "$code" = 2 ] && [ -n "$(gate_flags)" ]; then
      say error "$(first_error)"
      exit "$code"
    elif [ -n "$(gate_flags)" ]; then
      say error "the target branch cannot be compared: $(first_error)"
      exit "$code"
    fi
    remark warning "the target branch cannot be compared: $(first_error)" \
      "The target branch cannot be compared: $(first_error)."
    code=0
  fi
fi
printf '%s' "$code" > "$work/code"
output exit-code "$code"
output report "$report"
if [ -s "$work/base.json" ]; then
  # Where no run is new, nothing is compared; and what another skill did is no result of this change.
  from_base() { jq -r "select(.gate.same_runs? != true and .is_stale != true) | $1" "$work/base.json"; }
  output verdict "$(from_base '.change.verdict // ""')"
  output gain "$(from_base 'if .change.undecided then "" else .change.gain.mean? // "" end')"
  output regressed "$(from_base '.regressed | length')"
  output improved "$(from_base '.improved | length')"
else
  # What another skill did than the one that is there is no result of this change.
  output verdict "$(from_summary '.workspaces[0] | select(.is_stale | not) | .gain.verdict // ""')"
  output gain "$(from_summary '.workspaces[0] | select(.is_stale | not) | .gain.mean // ""')"
  output regressed "$(from_summary '[.workspaces[] | select(.is_stale | not) | .flips.regressed | values] | add // ""')"
  output improved "$(from_summary '[.workspaces[] | select(.is_stale | not) | .flips.improved | values] | add // ""')"
fi
output problems "$(from_summary '[.workspaces[].problems] | add')"
output summary "$(jq -c . "$report/summary.json")"

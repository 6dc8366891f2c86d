#!/usr/bin/env bash
# Makes or updates the comment on the pull request. Comments of others are never touched.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

# Ends the step: with a warning where commenting was a try, else with an error. What the comment says
# is then in the summary of the step.
refused() {
  output comment refused
  if [ "$SUMMARY" != true ] && [ -s "$work/comment.md" ]; then
    cat "$work/comment.md" >> "$GITHUB_STEP_SUMMARY"
  fi
  if [ "$MODE" = true ]; then
    say error "there is no comment: $1"
    exit 1
  fi
  say warning "there is no comment: $1"
  exit 0
}

if [ -z "$NUMBER" ]; then
  [ "$MODE" = true ] || exit 0
  refused 'the event is none of a pull request, and pull-request is empty'
fi
[[ $NUMBER =~ ^[1-9][0-9]{0,8}$ ]] || refused 'pull-request is not a number'

# The text.

# write_text FILE FLAG...
write_text() {
  local file=$1 code=0
  shift
  evalbook_with settings texts -- build --format markdown --for pull-request "$@" --output "$file" \
    2> "$work/errors" || code=$?
  [ "$code" -le 1 ] || refused "the text cannot be made (exit code $code)"
}
write_text "$work/comment.md"
marker=$(head -n 1 "$work/comment.md")
[[ $marker == '<!-- evalbook:'*' -->' ]] || refused 'the text has no mark'
changed=true
if [ -s "$work/base.md" ]; then
  # The comparison with the target branch is the whole text. The first lines are the gate and the verdict.
  [ "$(wc -c < "$work/base.md")" -le 60000 ] || sed -i.long 8q "$work/base.md"
  { printf '%s\n' "$marker"; cat "$work/base.md"; } > "$work/comment.md"
  [ -z "$URL" ] || printf '\n[%s](%s)\n' "${REPORT##*/}" "${URL%/}/${INTO:+${REPORT##*/}/}" >> "$work/comment.md"
  if [ "$CHANGES_ONLY" = true ] && jq -e '
    ([.regressed, .improved, .new, .removed] | add | length) == 0 and .gate.passed != false
  ' "$work/base.json" > /dev/null; then changed=false; fi
else
  if [ "$CHANGES_ONLY" = true ]; then
    write_text "$work/changes.md" --changes-only
    [ -s "$work/changes.md" ] || changed=false
  fi
fi
if [ -e "$work/remarks" ]; then
  # What limits the comparison is read before it; the first line must stay the mark.
  { printf '%s\n' "$marker"; cat "$work/remarks"; sed 1d "$work/comment.md"; } > "$work/remarked.md"
  mv "$work/remarked.md" "$work/comment.md"
fi
if [ -z "$URL" ] && [ -n "$ARTIFACT" ]; then
  printf '\n[evalbook-report.zip](%s)\n' "$ARTIFACT" >> "$work/comment.md"
fi
if [[ $HEAD_COMMIT =~ ^[0-9a-f]{40}$ && $BASE_COMMIT =~ ^[0-9a-f]{40}$ ]]; then
  printf '\n<sub>%s on %s</sub>\n' "${HEAD_COMMIT:0:7}" "${BASE_COMMIT:0:7}" >> "$work/comment.md"
fi
jq -n --rawfile body "$work/comment.md" '{ body: $body }' > "$work/body.json"

# The forge.

# api METHOD PATH [BODY]: the answer's status is in `status`. Tries again where the server fails or asks
# for a while that is not too long.
api() {
  local body=() try pause after left reset
  [ -z "${3-}" ] || body=(--header 'Content-Type: application/json' --data-binary "@$3")
  for try in 1 2 3 4; do
    : > "$work/head"
    : > "$work/answer"
    status=$(printf 'Authorization: Bearer %s\n' "${TOKEN//[$'\r\n']/}" |
      curl --silent --show-error --max-time 60 --request "$1" --header @- \
        --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
        ${body[@]+"${body[@]}"} --dump-header "$work/head" --output "$work/answer" \
        --write-out '%{http_code}' "$API/$2") || status=000
    after=$(header retry-after)
    left=$(header x-ratelimit-remaining)
    reset=$(header x-ratelimit-reset)
    case "$status" in
      5?? | 000) pause=$try ;;
      403 | 429)
        if [[ $after =~ ^[0-9]{1,5}$ ]]; then pause=$after
        elif [ "$left" = 0 ] && [[ $reset =~ ^[0-9]{1,12}$ ]]; then pause=$((reset - $(date +%s) + 1))
        else return 0
        fi ;;
      *) return 0 ;;
    esac
    [ "$try" -lt 4 ] && [ "$pause" -le 60 ] || return 0
    [ "$pause" -le 0 ] || sleep "$pause"
  done
}
header() { tr -d '\r' < "$work/head" | tr '[:upper:]' '[:lower:]' | sed -n "s/^$1: *//p" | tail -n 1; }
reason() {
  printf 'status %s of %s, %s' "$status" "$1" \
    "$(jq -r '.message? // "no reason given"' "$work/answer" 2> /dev/null | head -c 200)"
  [ "$status" != 403 ] || printf '%s' '. The job lacks the permission "pull-requests: write". In a pull' \
    ' request from a fork no job has it: see examples/github/pull-request-comment.yml'
}

# Our own comments with this mark, the oldest first, into the file `own`.
find_own() {
  local page=1
  : > "$work/own"
  while [ "$page" -le 200 ]; do
    api GET "repos/$REPOSITORY/issues/$NUMBER/comments?per_page=100&page=$page"
    [ "$status" = 200 ] || return 1
    jq -r --arg author "$AUTHOR" --arg marker "$marker" '
      .[] | select(.user.login == $author)
      | select((.body // "" | split("\n")[0] // "" | rtrimstr("\r")) == $marker) | .id
    ' "$work/answer" >> "$work/own"
    tr -d '\r' < "$work/head" | grep -qi '^link:.*rel="next"' || break
    page=$((page + 1))
  done
  sort -n -o "$work/own" "$work/own"
}
# done_with created|updated: ends the step; the comment is in the answer.
done_with() {
  output comment "$1"
  output comment-url "$(jq -r '.html_url // "" | split("\n")[0] // ""' "$work/answer")"
  exit 0
}

find_own || refused "$(reason 'the list of comments')"
if [ -s "$work/own" ]; then
  api PATCH "repos/$REPOSITORY/issues/comments/$(head -n 1 "$work/own")" "$work/body.json"
  [ "$status" != 200 ] || done_with updated
  # Somebody may have deleted it since; then there is one to make.
  [ "$status" = 404 ] || refused "$(reason 'the earlier comment')"
elif [ "$changed" = false ]; then
  output comment unchanged
  exit 0
fi
api POST "repos/$REPOSITORY/issues/$NUMBER/comments" "$work/body.json"
[ "$status" = 201 ] || refused "$(reason 'the new comment')"
cp "$work/answer" "$work/made"
made=$(jq -r .id "$work/made")
# Where another job made one at the same time, the older one stays, with the later text.
if find_own && [ -s "$work/own" ] && first=$(head -n 1 "$work/own") && [ "$first" != "$made" ]; then
  api PATCH "repos/$REPOSITORY/issues/comments/$first" "$work/body.json"
  if [ "$status" = 200 ]; then
    cp "$work/answer" "$work/made"
    api DELETE "repos/$REPOSITORY/issues/comments/$made"
  fi
fi
cp "$work/made" "$work/answer"
done_with created

#!/usr/bin/env bash
# Annotates regressions and problems at their file and line.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

code=0
evalbook_with settings -- check --format github 2> "$work/errors" || code=$?
[ "$code" -le 1 ] || say warning "the annotations cannot be made (exit code $code)"

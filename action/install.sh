#!/usr/bin/env bash
# Puts the program of a release on the path, and says under which name a build from source is kept.
set -eo pipefail
# shellcheck source=action/common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"

sum() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
fail() {
  say error "$1"
  exit 1
}
# fetch ADDRESS FILE: prints the status of the answer.
fetch() {
  curl --silent --show-error --location --proto-redir =https --retry 2 --max-time 300 \
    --output "$2" --write-out '%{http_code}' "$1" || true
}

root=$RUNNER_TEMP/evalbook
mkdir -p "$root/bin"
printf '%s\n' "$root/bin" >> "$GITHUB_PATH"
sources=$(cd "$SOURCE" && find Cargo.toml Cargo.lock src templates assets skills -type f | LC_ALL=C sort)
key=$(cd "$SOURCE" && printf '%s\n' "$sources" | tr '\n' '\0' | xargs -0 cat | sum)
output root "$root"
output key "evalbook-$RUNNER_OS-$RUNNER_ARCH-${key%% *}"
[ -n "$VERSION" ] || exit 0

version=${VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$ ]] || fail 'version is not a version such as 0.1.0'
[[ $REPOSITORY =~ ^[0-9A-Za-z_.-]+/[0-9A-Za-z_.-]+$ ]] || fail 'repository is not owner/name'
case "$RUNNER_OS/$RUNNER_ARCH" in
  Linux/X64) target=x86_64-unknown-linux-musl ;;
  Linux/ARM64) target=aarch64-unknown-linux-musl ;;
  macOS/X64) target=x86_64-apple-darwin ;;
  macOS/ARM64) target=aarch64-apple-darwin ;;
  Windows/X64) target=x86_64-pc-windows-msvc ;;
  *) target=none ;;
esac
name=evalbook-$version-$target.tar.gz
address=$SERVER/$REPOSITORY/releases/download/v$version/$name
place=$(mktemp -d)
status=$(fetch "$address" "$place/$name")
if [ "$status" != 200 ]; then
  [ -z "$SHA256" ] || fail "there is no $name to compare with sha256 (status $status)"
  say notice "no $name (status $status), so it is built from source"
  exit 0
fi
expected=$SHA256
if [ -z "$expected" ]; then
  status=$(fetch "$address.sha256" "$place/sha256")
  [ "$status" = 200 ] || fail "$name has no checksum (status $status)"
  read -r expected _ < "$place/sha256" || true
fi
expected=$(printf '%s' "$expected" | tr '[:upper:]' '[:lower:]')
actual=$(sum "$place/$name")
[ "${actual%% *}" = "$expected" ] || fail "$name has another checksum than $name.sha256 or the input sha256"
tar -xzf "$place/$name" -C "$place" --strip-components=1
for program in evalbook evalbook.exe; do
  if [ -f "$place/$program" ]; then
    mv "$place/$program" "$root/bin/$program"
    output found true
    exit 0
  fi
done
fail "$name holds no evalbook"

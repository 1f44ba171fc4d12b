#!/bin/sh
# Whether a compiler finds every mistake in mistakes.cpp, and says so shortly.
# usage: check.sh <file with mistakes> <compiler> <option>...
set -eu
mistakes=$1
shift

expected=$(mktemp)
said=$(mktemp)
trap 'rm -f "$expected" "$said"' EXIT
sed -n 's|.*// says: ||p' "$mistakes" >"$expected"
case $1 in
  *clang*) set -- "$@" -ferror-limit=0 ;;
esac
if "$@" -std=c++20 -Werror=unused-result -fsyntax-only "$mistakes" 2>"$said"; then
  echo "$1 finds nothing wrong"
  exit 1
fi

failed=0
fail() {
  echo "$1"
  failed=1
}
sort "$expected" | uniq -c | while read -r times text; do
  found=$(grep 'error:' "$said" | grep -cF "$text" || true)
  [ "$found" -eq "$times" ] || echo "$found errors, not $times, say: $text"
done >"$expected.missing"
[ -s "$expected.missing" ] && fail "$(cat "$expected.missing")"
rm -f "$expected.missing"

# One error for each, and few lines about it.
mistakes_made=$(wc -l <"$expected")
errors=$(grep -c 'error:' "$said")
lines=$(wc -l <"$said")
[ "$errors" -eq "$mistakes_made" ] || fail "$errors errors for $mistakes_made mistakes"
[ "$lines" -le $((mistakes_made * 16)) ] || fail "$lines lines about $mistakes_made mistakes"
if [ "$failed" -ne 0 ]; then
  cat "$said"
fi
exit "$failed"

#!/bin/sh
# Tests that a program with _GLIBCXX_DEBUG does not link with a library without it, and that the linker
# gives the reason. Other programs need nothing more than before.
# usage: other_containers.sh <folder of headers> <library> <compiler>
set -eu
headers=$1 library=$2 compiler=$3
reason=GLIBCXX_DEBUG_must_be_defined_for_the_library

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=$folder/program
printf '#include <boxcar/error.hpp>\nint main() {}\n' >"$program.cpp"

link() { # OPTION...
  "$compiler" -std=c++20 -I"$headers" "$@" "$program.cpp" -o "$program" "$library" 2>"$folder/said"
}

if ! link; then
  cat "$folder/said"
  exit 1
fi
if link -D_GLIBCXX_DEBUG; then
  echo "$compiler links a program with _GLIBCXX_DEBUG to a library without it"
  exit 1
fi
if ! grep -q "undefined.*$reason" "$folder/said"; then
  echo "$compiler says:"
  cat "$folder/said"
  exit 1
fi

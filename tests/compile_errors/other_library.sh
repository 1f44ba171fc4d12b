#!/bin/sh
# Tests that a program which is compiled with an option does not link with a library that is not, and that
# the linker gives the reason. Other programs need nothing more than before.
# usage: other_library.sh <folder of headers> <library> <option> <reason> <compiler>
set -eu
headers=$1 library=$2 option=$3 reason=$4 compiler=$5

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
if link "$option"; then
  echo "$compiler links a program with $option to a library without it"
  exit 1
fi
if ! grep -q "undefined.*$reason" "$folder/said"; then
  echo "$compiler says:"
  cat "$folder/said"
  exit 1
fi

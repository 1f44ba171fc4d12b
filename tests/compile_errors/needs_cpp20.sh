#!/bin/sh
# Tests that a compiler of an older C++ than C++20 prints one error, "Boxcar needs C++20".
# usage: needs_cpp20.sh <folder of headers> <compiler>
set -eu
headers=$1 compiler=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=$folder/program.cpp
said=$folder/said
failed=0

modes="-std=c++14 -std=c++17 -std=gnu++17"
# The compiler is tried without an option as well if its default is older than C++20.
printf '#if __cplusplus < 202002L\n#error older\n#endif\n' >"$program"
"$compiler" -fsyntax-only "$program" 2>"$said" || modes="$modes -O2"

# The header for coroutines of the standard library has an #error of its own for C++17.
for name in boxcar.hpp coroutine.hpp; do
  # Without the check, the compiler would find errors in the lines behind the header.
  printf '#include <boxcar/%s>\n#include <boxcar/world.hpp>\nboxcar::world w;\n' $name >"$program"
  for mode in $modes; do
    if "$compiler" "$mode" -I"$headers" -fsyntax-only "$program" 2>"$said"; then
      echo "$compiler $mode compiles <boxcar/$name>"
      failed=1
    elif [ "$(grep -c 'error:' "$said")" -ne 1 ] ||
      ! grep -q 'error: .*Boxcar needs C++20' "$said"; then
      echo "$compiler $mode says of <boxcar/$name>:"
      cat "$said"
      failed=1
    fi
  done
done

# Every public header that includes the check before all others says the same.
for header in "$headers"/boxcar/*.hpp; do
  first=$(grep -m 1 '^#include' "$header")
  if [ "$first" != '#include <boxcar/detail/cpp20.hpp>' ]; then
    echo "$header includes something before boxcar/detail/cpp20.hpp: $first"
    failed=1
  fi
done
exit "$failed"

#!/bin/sh
# What is installed is what is meant to be: the public headers and no others, no private places.
# contents.sh SOURCE_DIRECTORY PREFIX
set -eu
source=$1
prefix=$2

headers_under() {
    (cd "$1" && find . -type f | sort)
}
if [ "$(headers_under "$source/include")" != "$(headers_under "$prefix/include")" ]; then
    echo "$prefix/include is not what $source/include is:"
    diff -r "$source/include" "$prefix/include"
    exit 1
fi
if grep -rIl -e "$source" "$prefix"; then
    echo "these installed files name the place where Boxcar was built"
    exit 1
fi
"$prefix/bin/boxcar" --version
[ "$("$prefix/bin/boxcar" --cmake-dir)" = "$(dirname "$(find "$prefix" -name boxcar-config.cmake)")" ]

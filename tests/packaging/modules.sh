#!/bin/bash
# Environment modules find the installed package by its file, also by a link to the file.
# modules.sh MODULECMD PREFIX
set -eu
modulecmd=$1 prefix=$2
rm -rf modules
mkdir -p modules/boxcar
ln -s "$prefix/share/boxcar/modules/boxcar" modules/boxcar/here

for module in "$prefix/share/boxcar/modules/boxcar" "$PWD/modules/boxcar/here"; do
    (
        eval "$("$modulecmd" bash load "$module")"
        [ "$(command -v boxcar)" = "$prefix/bin/boxcar" ]
        pkg-config --exists boxcar
        man --where boxcar-run >/dev/null || [ ! -d "$prefix/share/man" ]
    )
done

#!/bin/bash
# Environment modules find the installed package by its file, also by a link to the file, and the man pages of the
# system stay where they were.
# modules.sh MODULECMD PREFIX
set -eu
modulecmd=$1 prefix=$2
rm -rf modules
mkdir -p modules/boxcar
ln -s "$prefix/share/boxcar/modules/boxcar" modules/boxcar/here
unset MANPATH
pages_of_system=$(manpath --quiet)

for module in "$prefix/share/boxcar/modules/boxcar" "$PWD/modules/boxcar/here"; do
    (
        eval "$("$modulecmd" bash load "$module")"
        [ "$(command -v boxcar)" = "$prefix/bin/boxcar" ]
        pkg-config --exists boxcar
        man --where boxcar-run >/dev/null || [ ! -d "$prefix/share/man" ]
        case $(manpath --quiet) in
        "$prefix/share/man:"*"$pages_of_system") ;;
        *)
            echo "MANPATH=$MANPATH hides man pages of the system: there were $pages_of_system"
            exit 1
            ;;
        esac
    )
done

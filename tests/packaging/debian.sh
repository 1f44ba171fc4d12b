#!/bin/sh
# Builds the Debian packages of what is committed, unpacks them, and uses them as a user would.
# debian.sh SOURCE_DIRECTORY C++_PROGRAM
set -eu
source=$1 program=$2
packages=$PWD/debian root=$PWD/debian/root

rm -rf "$packages"
"$source/scripts/make-debian-packages" "$packages" >"$PWD/debian.log" 2>&1 || {
    tail -n 100 "$PWD/debian.log"
    exit 1
}
mkdir "$root"
for package in "$packages"/*.deb; do
    case $package in
    *-dbgsym_*) ;;
    *) dpkg -x "$package" "$root" ;;
    esac
done
libraries=$(dirname "$(find "$root" -name libboxcar.so)")
PATH=$root/usr/bin:$PATH
PKG_CONFIG_PATH=$libraries/pkgconfig
PKG_CONFIG_SYSTEM_LIBRARY_PATH=/nowhere
LD_LIBRARY_PATH=$libraries
export PATH PKG_CONFIG_PATH PKG_CONFIG_SYSTEM_LIBRARY_PATH LD_LIBRARY_PATH

boxcar info
for package in boxcar boxcar-shared; do
    # shellcheck disable=SC2046
    c++ -std=c++20 -O2 "$program" $(pkg-config --cflags --libs "$package") -o ./user_of_package
    boxcar run -n 4 -- ./user_of_package
done
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning "$packages"/*.changes
fi
rm -rf "$packages"

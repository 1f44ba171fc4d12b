#!/bin/sh
# The shared libraries of Boxcar that are installed have a name with the version, and export nothing but
# Boxcar's interfaces.
# shared_symbols.sh PREFIX VERSION LIBRARY...: boxcar, boxcar_convey, ...
set -eu
prefix=$1 version=$2
shift 2
folder=$(dirname "$(find "$prefix" -name libboxcar.so)")
name_version=${version%.*}

# Namespace boxcar, with what the compiler adds for its types and functions, or the C interfaces, among them the names
# of OpenSHMEM 1.0.
names='^_Z(T[VTIS]|T[hv][0-9n_]*|GV)?Z?N[KVRO]*6boxcar|^(aml|boxcar|convey|biconvey|shmem)_|^(start_pes|_my_pe|_num_pes)$|^sh(malloc|memalign|realloc|free)$'
# Functions of the C library that libboxcar.so replaces, see src/world/early_exit.cpp.
replaced='^(_exit|_Exit|quick_exit)$'

for library; do
    file=$folder/lib$library.so
    soname=$(readelf -d "$file" | sed -n 's/.*Library soname: \[\(.*\)\]/\1/p')
    if [ "$soname" != "lib$library.so.$name_version" ]; then
        echo "the soname of $file is \"$soname\", and not lib$library.so.$name_version"
        exit 1
    fi
    for link in "$file" "$folder/$soname"; do
        if [ "$(readlink -f "$link")" != "$(readlink -f "$folder")/lib$library.so.$version" ]; then
            echo "$link does not lead to lib$library.so.$version"
            exit 1
        fi
    done
    exported=$(nm -D --defined-only "$file" | awk '{ print $NF }' | sed 's/@.*//')
    if ! echo "$exported" | grep -Eq "$names"; then
        echo "$file exports nothing of Boxcar"
        exit 1
    fi
    foreign=$(echo "$exported" | grep -vE "$names" | grep -vE "$replaced" | c++filt)
    if [ -n "$foreign" ]; then
        echo "$file exports what does not belong to Boxcar's interfaces:"
        echo "$foreign"
        exit 1
    fi
done

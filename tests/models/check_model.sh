#!/bin/sh
# check_model.sh MODEL [FAULT]...: has Spin look at every order in which the processes of the model
# can act. No assertion may fail; with each of the faults, given as macros, one must.
set -eu
model=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$model" "$folder/model.pml"
cd "$folder"

# Prints "found" if an assertion can fail, or the model stops where it must not.
look() { # MACRO...
    spin -a "$@" model.pml >log 2>&1 || { cat log >&2; exit 1; }
    cc -O0 -DSAFETY -w -o pan pan.c  # (to optimise takes longer than to look)
    ./pan -m100000 -w20 >log 2>&1
    if grep -q 'errors: 0$' log; then
        # All was looked at.
        ! grep -q 'Search not completed\|max search depth too small' log || { cat log >&2; exit 1; }
        echo nothing
    else
        grep -q 'errors: ' log || { cat log >&2; exit 1; }
        echo found
    fi
}

base=${MODEL_OPTIONS:-}
# shellcheck disable=SC2086 # several macros
if [ "$(look $base)" != nothing ]; then
    echo "the model of $model fails:"
    cat log
    exit 1
fi
for fault in "$@"; do
    # shellcheck disable=SC2086
    if [ "$(look $base "-D$fault")" != found ]; then
        echo "the fault $fault in $model is not found"
        exit 1
    fi
done

#!/bin/sh
# ends_with.sh STATUS COMMAND...: the command must end with the status.
wanted=$1
shift
output=$("$@" 2>&1)
status=$?
[ "$status" = "$wanted" ] && exit 0
printf '%s\nends_with.sh: the status is %s, not %s\n' "$output" "$status" "$wanted" >&2
exit 1

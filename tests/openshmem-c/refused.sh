#!/bin/sh
# refused.sh TEXT COMMAND...: the command must fail, and say this.
text=$1
shift
if output=$("$@" 2>&1); then
  printf '%s\nrefused.sh: the command has not failed\n' "$output" >&2
  exit 1
fi
case $output in
*"$text"*) exit 0 ;;
esac
printf '%s\nrefused.sh: it does not say "%s"\n' "$output" "$text" >&2
exit 1

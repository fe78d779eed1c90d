#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# same-text.sh FILE COMMAND...: the file is what the command prints. UPDATE_GOLDEN=1 rewrites it.
file=$1
shift
made=$(mktemp) && "$@" >"$made" || exit 1
if [ "$UPDATE_GOLDEN" = 1 ] && ! cmp -s "$made" "$file"; then
	cat "$made" >"$file"
fi
diff "$file" "$made"
same=$?
rm -f "$made"
[ $same = 0 ] || echo "$file is out of date: run this test with UPDATE_GOLDEN=1"
exit $same

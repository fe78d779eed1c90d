#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# setting-names.sh PRINT_SETTINGS SOURCE_FOLDER: each POMP_ name in the documents is a variable, or a macro
# of pomp.h.
known=$(mktemp)
"$1" names >"$known"
cd "$2" || exit 1
{
	sed -n 's/^#define \(POMP_[A-Z_]*\).*/\1/p' include/pomp.h
	echo POMP_NO_WORD # the program defines it
} >>"$known"
unknown=$(grep -oHwE 'POMP_[A-Z_]*[A-Z]' README.md doc/*.md include/pomp.3 | sort -u | while IFS=: read -r file name; do
	grep -qxF "$name" "$known" || echo "$file: $name is no variable of libpomp and no macro of pomp.h"
done)
rm -f "$known"
[ -z "$unknown" ] || { echo "$unknown"; exit 1; }

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Puts the members of archives into one object, hides what is not exported and archives that:
# archive.sh OUTPUT FOLDER OBJCOPY AR ARCHIVE... -- COMPILER...
set -eu

output=$1 folder=$2 objcopy=$3 ar=$4
shift 4
archives=
while [ "$1" != -- ]; do
	archives="$archives $1"
	shift
done
shift
mkdir -p "$folder"
"$@" -r -nostdlib -o "$folder/pomp.o" -Wl,--whole-archive $archives -Wl,--no-whole-archive
"$objcopy" --localize-hidden "$folder/pomp.o"
rm -f "$output"
"$ar" rcs "$output" "$folder/pomp.o"

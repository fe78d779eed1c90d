#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program with other rights than its user's heeds no POMP_ variable: set-user-id.sh INCLUDE FOLDER_OF_LIBPOMP
#
# Needs root, to make a set-user-ID program of another user, and a temporary folder that allows such.
set -eu

include=$1
libraries=$2
[ "$(id -u)" = 0 ] || { echo "not root: nothing can be tried"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 777 "$work"

cat >"$work/program.c" <<'PROGRAM'
#include <stdio.h>
#include <sys/auxv.h>

#include "pomp.h"

static OMPRegDescr region = {"region", "", 0, "program.c", 1, 1, 1, 1, {0}, 0};

int main(void)
{
	pomp_begin(&region);
	pomp_end(&region);
	puts(getauxval(AT_SECURE) ? "secure" : "plain");
	return 0;
}
PROGRAM
cc -I"$include" "$work/program.c" -o "$work/program" -L"$libraries" -lpomp -Wl,-rpath,"$libraries"

measure() {
	POMP_SUMMARY="$work/summary" POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY="$work/trace" \
		POMP_FILTERING_FILE="$work/filter" "$work/program" 2>"$work/errors"
}

[ "$(measure)" = plain ] && [ -s "$work/summary" ] && [ -d "$work/trace" ] || {
	cat "$work/errors"
	echo "an ordinary program should be measured"
	exit 1
}
rm -rf "$work/summary" "$work/trace"
chown nobody "$work/program"
chmod u+s "$work/program"
[ "$(measure)" = secure ] || { echo "no set-user-ID programs here"; exit 77; }
for path in "$work/summary" "$work/trace"; do
	[ ! -e "$path" ] || { echo "a set-user-ID program has written $path"; exit 1; }
done
if grep -q filter "$work/errors"; then
	cat "$work/errors"
	echo "a set-user-ID program has looked for the filter"
	exit 1
fi

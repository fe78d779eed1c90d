#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abi-coverage.sh LIST PROGRAM...: every name of the list of NAME@VERSION lines is used by one of the
# test programs at least: called by it, or looked up by its name, which is then a string in it.
list=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -r "$work"' EXIT
LC_ALL=C
export LC_ALL

for program in "$@"; do
	${NM:-nm} -D --undefined-only "$program" | awk '{sub(/@.*/, "", $NF); print $NF}'
	# Strings are what stands between bytes that are no part of a name.
	tr -c 'A-Za-z0-9_' '\n' <"$program" | grep -E '^(omp_|GOMP_|GOACC_|acc_)'
done | sort -u >"$work/used"
cut -d@ -f1 "$list" | sort -u >"$work/names"
comm -23 "$work/names" "$work/used" >"$work/unused"
[ ! -s "$work/unused" ] && exit 0
echo "no test program uses these names of $list:"
cat "$work/unused"
exit 1

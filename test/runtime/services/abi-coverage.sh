#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abi-coverage.sh MAP PROGRAM...: every name that the version script has of libgomp's is used by one of the
# test programs at least: called by it, or looked up by its name, which is then a string in it.
map=$1
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
sed -n '/^VERSION/q; s/^\t\(.*\);$/\1/p' "$map" | sort >"$work/names"
comm -23 "$work/names" "$work/used" >"$work/unused"
[ ! -s "$work/unused" ] && exit 0
echo "no test program uses these names of $map:"
cat "$work/unused"
exit 1

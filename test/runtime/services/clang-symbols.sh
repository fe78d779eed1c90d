#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clang-symbols.sh LIBRARY LIST: the library defines the names of the list in version VERSION, and in that version
# all that it has of OpenMP's routines and of gcc's entry points in another, too. Names behind a minus may lack.
library=$1
list=$2
work=$(mktemp -d) || exit 1
trap 'rm -r "$work"' EXIT
LC_ALL=C
export LC_ALL

${NM:-nm} -D --with-symbol-versions --defined-only "$library" | awk '$2 != "A" {print $3}' >"$work/defined"
sed -n 's/@@*VERSION$//p' "$work/defined" | sort >"$work/found"
sed -n 's/^-//p' "$list" | sort >"$work/lacking"
{
	grep -v '^[#-]' "$list"
	grep -E '^(omp|GOMP)_' "$work/defined" | grep -v '^omp_debug_enable@' | cut -d@ -f1
} | sort -u | comm -23 - "$work/lacking" | comm -23 - "$work/found" |
	sed 's/$/: not in version VERSION/' >"$work/problems"
uniq -d "$work/found" | sed 's/$/: twice in version VERSION/' >>"$work/problems"
# Else debuggers show the name with the version.
${NM:-nm} -D -S --with-symbol-versions --defined-only "$library" |
	awk 'NF == 4 && $3 == "W" && /@VERSION$/ {print $4 ": has a size, as the same function in its other version"}' >>"$work/problems"
cat "$work/problems"
echo "$(comm -23 "$work/lacking" "$work/found" | wc -l) names of $list are not there yet"
[ ! -s "$work/problems" ]

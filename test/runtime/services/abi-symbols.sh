#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abi-symbols.sh LIBRARY LIST: the library defines exactly the NAME@VERSION symbols of the list, each in
# its default version but for those of OMP_1.0 that OMP_3.0 has too, and its own in OMPINST_1.0.
library=$1
list=$2
work=$(mktemp -d) || exit 1
trap 'rm -r "$work"' EXIT
LC_ALL=C
export LC_ALL

# Version names themselves are absolute symbols (A): not ours to compare.
${NM:-nm} -D --with-symbol-versions --defined-only "$library" | awk '$2 != "A" {print $3}' |
	sort >"$work/defined"
grep -Ev "@@*(OMPINST_1\.0|VERSION)\$" "$work/defined" | sed 's/@@/@/' | sort >"$work/found"
sort "$list" >"$work/wanted"
diff "$work/wanted" "$work/found" >"$work/difference" || {
	echo "$library: symbols that differ from $list (< missing, > not in the list):"
	grep '^[<>]' "$work/difference"
	exit 1
}

# Programs are linked against defaults: a name has one, the newest.
cut -d@ -f1 "$work/wanted" | sort -u | while read -r name; do
	defaults=$(grep -c "^$name@@" "$work/defined")
	[ "$defaults" = 1 ] || echo "$name: expected one default version, found $defaults"
done >"$work/problems"
grep '@OMPINST_1\.0$' "$work/defined" |
	grep -Ev '^(ompd_[a-z_]*|omp_debug_enable|rt_debug_table|omp_init_(nest_)?lock_with_hint_?)@' |
	sed 's/$/: not meant to be visible/' >>"$work/problems"
cat "$work/problems"
[ ! -s "$work/problems" ]

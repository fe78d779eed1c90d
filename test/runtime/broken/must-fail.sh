#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# must-fail.sh BROKEN.so PROGRAM [ARGUMENT]: with the broken entry point preloaded, the program says what is wrong
# and exits 1, or crashes. Passing and hanging are both failures here; what needs two threads to
# collide gets some runs.
broken=$1
shift
program=$*
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	OMP_NUM_THREADS=4 LD_PRELOAD="$broken" timeout "$((30 * ${TEST_TIME_LIMITS:-1}))" "$@" >"$said" 2>&1
	status=$?
	case $status in
	0) ;;
	124) echo "$program with $broken: hangs instead of failing" >&2; exit 1 ;;
	1) grep -q 'expected .* found' "$said" && exit 0; cat "$said" >&2; exit 1 ;;
	*) exit 0 ;;
	esac
done
echo "$program passes although $broken is broken" >&2
exit 1

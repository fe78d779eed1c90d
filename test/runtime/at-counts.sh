#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# at-counts.sh PROGRAM [COUNT...]: runs the program once per thread count (default 1 2 3 8 32).
#
# Fails with the first count at which the program fails, is killed or does not end in time; 77 (this
# machine lacks something) passes through. LIMIT is the time for one run in seconds.
program=$1
shift
[ $# -gt 0 ] || set -- 1 2 3 8 32
for threads in "$@"; do
	OMP_NUM_THREADS=$threads timeout "${LIMIT:-30}" "$program"
	status=$?
	case $status in
	0) ;;
	77) exit 77 ;;
	124) echo "$program: OMP_NUM_THREADS=$threads: no end after ${LIMIT:-30} s" >&2; exit 1 ;;
	*) echo "$program: OMP_NUM_THREADS=$threads: exit status $status" >&2; exit 1 ;;
	esac
done

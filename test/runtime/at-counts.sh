#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# at-counts.sh PROGRAM [--case NAME] [COUNT...] [+ COUNT...]: runs the program once per thread count (default 1 2 3 8 32),
# with the name as its argument.
#
# The counts behind + are for `tools/test full` alone, which sets TEST_FULL=yes. Fails with the first count at which the
# program fails, is killed or does not end in time; 77 (this machine lacks something) passes through. LIMIT is the
# time for one run in seconds, by default 30 times TEST_TIME_LIMITS.
program=$1
shift
name=
if [ "${1-}" = --case ]; then
	name=$2
	shift 2
fi
limit=${LIMIT:-$((30 * ${TEST_TIME_LIMITS:-1}))}
[ $# -gt 0 ] || set -- 1 2 3 8 32
for threads in "$@"; do
	if [ "$threads" = + ]; then
		[ "${TEST_FULL-}" = yes ] || break
		continue
	fi
	OMP_NUM_THREADS=$threads timeout "$limit" "$program" ${name:+"$name"}
	status=$?
	case $status in
	0) ;;
	77) exit 77 ;;
	124) echo "$program${name:+ $name}: OMP_NUM_THREADS=$threads: no end after $limit s" >&2; exit 1 ;;
	*) echo "$program${name:+ $name}: OMP_NUM_THREADS=$threads: exit status $status" >&2; exit 1 ;;
	esac
done

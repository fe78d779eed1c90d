#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# no-leak.sh PROGRAM: no block is lost when the program ends, Valgrind sees no invalid access, and as many
# blocks are left after five rounds of what the program does, in a thread that ends, as after one. Thread stacks
# that glibc keeps for the next thread are not the runtime's.
if ! command -v valgrind >/dev/null; then
	echo "valgrind is not installed" >&2
	exit 77
fi
export OMP_NUM_THREADS=3 OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 OMP_WAIT_POLICY=passive
left() {
	report=$(timeout "$((100 * ${TEST_TIME_LIMITS:-1}))" valgrind --error-exitcode=9 --leak-check=full "$1" "$2" 2>&1) || {
		echo "$report" >&2
		echo "$1 $2: a block is lost, or an access is invalid" >&2
		exit 1
	}
	echo "$report" | sed -n 's/.*in use at exit: //p'
}
once=$(left "$1" 1) || exit 1
often=$(left "$1" 5) || exit 1
if [ -z "$once" ] || [ "$once" != "$often" ]; then
	echo "left at exit after one round: ${once:-?}; after five: ${often:-?}" >&2
	exit 1
fi

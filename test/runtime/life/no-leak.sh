#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# no-leak.sh PROGRAM: no block is lost and none is still reachable when the program ends, and Valgrind
# sees no invalid access. Thread stacks that glibc keeps for the next thread are not the runtime's.
if ! command -v valgrind >/dev/null; then
	echo "valgrind is not installed" >&2
	exit 77
fi
OMP_NUM_THREADS=3 OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 OMP_WAIT_POLICY=passive \
	timeout 100 valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=all \
	--errors-for-leak-kinds=all "$1"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# debug-log.sh PROGRAM HOT: OMPINST_DEBUG makes the runtime print what it decides, and without it the
# runtime prints nothing. HOT is true in a build with -Ddebug_log=true, which has all subjects.
program=$1
hot=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT

run() {
	env OMP_PLACES='cores(1)' "$@" "$program" 2>"$output" || {
		echo "$program failed:"
		cat "$output"
		exit 1
	}
}

expect() {
	grep -qE "^\[runtime [0-9]+\.[0-9]+ \+[0-9.]+\] $1" "$output" || {
		printf 'no line that begins with: %s\n' "$1"
		cat "$output"
		exit 1
	}
}

run OMPINST_DEBUG=
if [ -s "$output" ]; then
	echo 'printed without being asked:'
	cat "$output"
	exit 1
fi
run OMPINST_DEBUG=runtime
expect 'setting: [0-9]+ processors, '
expect 'thread: a thread of the program becomes an initial thread$'
expect 'thread: team 0x[0-9a-f]+: thread 1 starts$'
expect 'thread: team 0x[0-9a-f]+: 1 threads end$'
expect 'place: 1 places \(OMP_PLACES\), '
expect 'place: thread [01] at level [01] is bound to place 0$'
if [ "$hot" = true ]; then
	expect 'team: level 1: 2 threads, asked for 2 by the clause'
	expect 'task: '
elif grep -q '\] team: ' "$output"; then
	echo 'a hot subject printed in a build without -Ddebug_log=true'
	exit 1
fi

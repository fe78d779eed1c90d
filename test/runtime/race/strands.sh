#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# strands.sh PROGRAM AGENT: with strands only the task graph orders tasks, though one thread executes all of them. Each
# case several times, since a thread has few strands and two tasks on one seem ordered.
set -eu
program=$1 agent=$2
# shellcheck source=test/runtime/tsan/verdicts.sh
. "$(dirname "$0")/../tsan/verdicts.sh"
folder=$(mktemp -d)
trap 'rm -rf "$said" "$folder"' EXIT

# reports CASE FORM SEED: how many races.
reports() {
	rm -rf "$folder/log"
	mkdir "$folder/log"
	run env OMP_NUM_THREADS=1 OMPINST_RACE="seed=$3,strands=1,log=$folder/log" LD_PRELOAD="$agent" \
		TSAN_OPTIONS="symbolize=0:atexit_sleep_ms=0" "$program" "$1" "$2" || {
		cat "$said" >&2
		echo "$1 $2, seed $3: exit status $status" >&2
		exit 1
	}
	cat "$folder"/log/* 2>/dev/null | grep -c '^race$' || true
}

failed=0
for case in $("$program" list); do
	found=0
	for seed in 1 2 3 4; do
		if [ "$(reports "$case" ordered $seed)" != 0 ]; then
			echo "$case: what a construct orders is reported:" >&2
			cat "$folder"/log/* >&2
			failed=1
		fi
		[ "$(reports "$case" free $seed)" = 0 ] || found=$((found + 1))
	done
	echo "$case: reported in $found of 4 runs where nothing orders it"
	if [ $found = 0 ]; then
		echo "$case: expected a report where nothing orders the accesses, found none" >&2
		failed=1
	fi
done
exit $failed

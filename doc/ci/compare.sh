#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a benchmark of two commits in turn and fails when a region of its OpenMP code got slower.
#
#   sh compare.sh BASE      in a checkout, where the newer commit is; BASE is the older one
#
# Needs ompinst, ompreport and git in the PATH. All runs and reports are left in ompinst-runs/. Exit
# status: 0 nothing got slower, or there is nothing to compare with; 3 something did; 1 the newer
# commit does not build, or its benchmark fails; 2 a wrong use. What to build, what to run and how
# much growth counts are variables:
set -eu

build=${BUILD:-make CC=ompinst-gcc CXX=ompinst-g++}
benchmark=${BENCHMARK:-./benchmark}
threshold=${THRESHOLD:-5}       # per cent by which a region may grow
min_change=${MIN_CHANGE:-0.2%}  # growth to ignore, as a share of the whole run
pairs=${PAIRS:-15}              # runs of each commit before the first verdict
most_pairs=${MOST_PAIRS:-45}    # when it is too noisy to tell, as many more, up to this
chance=${CHANCE:-1}             # per cent of false alarms at each of the verdicts
counter=${COUNTER-cpu_time}     # what decides where times are noisy; empty: times alone
# Waiting threads sleep, so that what they count is work.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

[ $# -eq 1 ] || { echo "usage: sh compare.sh BASE" >&2; exit 2; }
for tool in ompinst ompreport git; do
	command -v "$tool" >/dev/null || { echo "compare.sh: no $tool in the PATH" >&2; exit 2; }
done
for number in "$pairs" "$most_pairs"; do
	case $number in
	'' | 0* | *[!0-9]*) echo "compare.sh: PAIRS, MOST_PAIRS: '$number': expected a number above 0" >&2; exit 2 ;;
	esac
done

top=$PWD
runs=$top/ompinst-runs
rm -rf "$runs"
mkdir -p "$runs"
echo '*' >"$runs/.gitignore"

# measure FOLDER RUN: one run of the benchmark there, with the trace in RUN.
measure() {
	(
		cd "$1"
		export POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY="$runs/$2" POMP_SUMMARY=off
		[ -z "$counter" ] || export POMP_METRICS="$counter"
		sh -c "$benchmark"
	) >"$runs/output.log" 2>&1
}

# fail WHAT STATUS: the newer commit is broken; what it printed is all there is to say.
fail() {
	tail -n 40 "$runs/output.log" >&2
	echo "compare.sh: $1 (exit status $2); nothing was compared" >&2
	exit 1
}

no_baseline() {
	echo "No baseline: $1. Nothing was compared; this commit's run is in $runs/new-001 and will be"
	echo "what the next commit is compared with."
	exit 0
}

sh -c "$build" >"$runs/output.log" 2>&1 || fail "the build failed: $build" $?
measure "$top" new-001 || fail "the benchmark failed: $benchmark" $?
[ -e "$runs/new-001/traces.otf2" ] || {
	tail -n 40 "$runs/output.log" >&2
	echo "compare.sh: the benchmark left no trace in $runs/new-001: expected a program that ompinst built or runs" >&2
	exit 1
}

# The older commit beside it. What does not build or run there cannot be compared with.
git rev-parse --quiet --verify "$1^{commit}" >/dev/null || no_baseline "there is no commit '$1'"
git worktree prune
git worktree add --quiet --detach "$runs/base" "$1"
trap 'git worktree remove --force "$runs/base"' EXIT
(cd "$runs/base" && sh -c "$build") >"$runs/output.log" 2>&1 || no_baseline "'$1' does not build"
if ! measure "$runs/base" base-001 || [ ! -e "$runs/base-001/traces.otf2" ]; then
	no_baseline "the benchmark does not run on '$1'"
fi

# Both in turn, each first in every other pair: whatever else the machine does affects both.
pair=2
wanted=$pairs
while :; do
	while [ "$pair" -le "$wanted" ]; do
		number=$(printf %03d "$pair")
		[ $((pair % 2)) = 0 ] || measure "$runs/base" "base-$number" || fail "the older benchmark failed" $?
		measure "$top" "new-$number" || fail "the benchmark failed: $benchmark" $?
		[ $((pair % 2)) = 1 ] || measure "$runs/base" "base-$number" || fail "the older benchmark failed" $?
		pair=$((pair + 1))
	done
	status=0
	ompreport diff --paired --threshold="$threshold" --min-change="$min_change" --chance="$chance" \
		${counter:+"--measure=$counter"} --markdown="$runs/summary.md" --junit="$runs/junit.xml" \
		--code-quality="$runs/code-quality.json" ${GITHUB_ACTIONS:+--annotate} --output="$runs/report.txt" \
		"$runs"/base-[0-9]* vs "$runs"/new-[0-9]* >"$runs/output.log" || status=$?
	if [ "$status" != 4 ] || [ "$wanted" -ge "$most_pairs" ]; then break; fi
	wanted=$((wanted + pairs < most_pairs ? wanted + pairs : most_pairs))
done

cat "$runs/report.txt" "$runs/output.log"
case $status in
0) echo "compare.sh: nothing got slower ($((pair - 1)) pairs)" ;;
3) echo "compare.sh: slower than $1 ($((pair - 1)) pairs)" ;;
4) status=0; echo "compare.sh: too noisy to tell of some regions ($((pair - 1)) pairs); nothing surely got slower" ;;
*) echo "compare.sh: ompreport diff failed" >&2; status=1 ;;
esac
exit "$status"

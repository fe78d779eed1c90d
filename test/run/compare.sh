#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run and compare: compare.sh BUILD COMPILER SOURCE
#
# The program must print the same and exit alike with and without instrumentation, on 1, 2, 4 and 8
# threads, on every runtime the compiler can have; nothing may stand on stderr; and its trace must be
# balanced. COMPILER is gcc, g++, clang-19 or clang++-19. A comment of its own line in the source,
# "ompinst: OPTIONS", adds options.
set -eu

build=$1 compiler=$2 source=$3
command -v "$compiler" >/dev/null || { echo "no $compiler here"; exit 77; }
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "$(basename "$source") with $compiler: $*"
	exit 1
}

ompinst=$build/instrumenter/ompinst
flags="-fopenmp -O1 -g -w"
limit=$(awk "BEGIN { print 60 * ${TEST_TIME_LIMITS:-1} }")
options=$(sed -n 's,.*/\* ompinst: \(.*\) \*/.*,\1,p; s,^// ompinst: ,,p' "$source")
"$compiler" $flags "$source" -o "$work/plain" -lm
runtimes="bundled system"

export POMP_SUMMARY="$work/summary"
# Each program is to find the runtime that it was linked with.
unset LD_LIBRARY_PATH
export OMP_CANCELLATION=true
for threads in 1 2 4 8; do
	wanted=0
	OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=passive timeout "$limit" "$work/plain" >"$work/wanted-$threads" 2>&1 || wanted=$?
	echo $wanted >"$work/status-$threads"
done
for runtime in $runtimes; do
	"$ompinst" --strict $options --runtime=$runtime "$compiler" $flags "$source" -o "$work/$runtime" -lm ||
		fail "does not compile instrumented"
	for threads in 1 2 4 8; do
		export OMP_NUM_THREADS=$threads
		wanted=$(cat "$work/status-$threads") found=0
		timeout "$limit" "$work/$runtime" >"$work/found" 2>"$work/errors" || found=$?
		[ $wanted = $found ] || fail "$runtime runtime, $threads threads: exit $found, not $wanted"
		cmp -s "$work/wanted-$threads" "$work/found" || {
			diff "$work/wanted-$threads" "$work/found" || true
			fail "$runtime runtime, $threads threads: prints something else"
		}
		[ ! -s "$work/errors" ] || fail "$runtime runtime, $threads threads: $(cat "$work/errors")"
		[ -s "$work/summary" ] || fail "$runtime runtime, $threads threads: no summary"
	done
	rm -rf "$work/trace"
	traced=0
	OMP_NUM_THREADS=3 OMP_THREAD_LIMIT=64 POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY="$work/trace" \
		timeout "$limit" "$work/$runtime" >/dev/null 2>"$work/errors" || traced=$?
	[ $traced = $wanted ] || fail "$runtime: exit $traced, not $wanted, when traced"
	[ ! -s "$work/errors" ] || fail "$runtime runtime, traced: $(cat "$work/errors")"
	/usr/bin/python3 -c 'import otf2' 2>/dev/null || continue
	/usr/bin/python3 "$here/real/check_trace.py" "$work/trace/traces.otf2" || fail "$runtime: bad trace"
done

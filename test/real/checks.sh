# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of the real programs share; sourced with TOP, WORK, RESULTS and TIMES set.
set -eu

OMPINST=$TOP/build/instrumenter
RUNTIME=$TOP/build/runtime
# The system's Python: the OTF2 module belongs to it.
PYTHON=/usr/bin/python3

# check TEXT COMMAND...: one result line, with the command's last output when it fails.
check() {
	text=$1
	shift
	if "$@" >"$WORK/check.out" 2>&1; then
		echo "ok - $text"
		echo pass >>"$RESULTS"
	else
		echo "not ok - $text"
		tail -n 20 "$WORK/check.out" | sed 's/^/    /'
		echo fail >>"$RESULTS"
	fi
}

# counted LOG: sums the wrapper's closing lines "N directives instrumented, M skipped, K passed".
counted() {
	awk '/[0-9]+ directives? instrumented, [0-9]+ skipped/ {
		for (i = 2; i <= NF; i++) {
			if ($i ~ /^directives?$/) done += $(i - 1)
			if ($i ~ /^skipped/) skipped += $(i - 1)
			if ($i ~ /^passed/ && $(i + 1) ~ /^\(/) passed += $(i - 1)
		}
	} END { print done + 0, skipped + 0, passed + 0 }' "$1"
}

# same_count LOG WANTED [PASSED]: all wanted directives were instrumented, but for those that are passed
# through with a reason, and none was skipped.
same_count() {
	found=$(counted "$1")
	echo "expected $(($2 - ${3-0})) instrumented, 0 skipped, ${3-0} passed; found: $found"
	[ "$found" = "$(($2 - ${3-0})) 0 ${3-0}" ]
}

# check_trace FOLDER THREADS: the archive holds what it must (see check_trace.py).
check_trace() {
	"$PYTHON" "$TOP/test/real/check_trace.py" "$1/traces.otf2" --threads "$2"
}

# check_rules FOLDER: enter and leave balance and all other rules hold, by our own reader.
check_rules() {
	"$TOP/build/reports/ompreport" check "$1"
}

# silent COMMAND...: succeeds and has nothing to say on stderr.
silent() {
	"$@" >/dev/null 2>"$WORK/silent.err" && [ ! -s "$WORK/silent.err" ] || {
		head "$WORK/silent.err"
		return 1
	}
}

# both_ways NAME [--prints-times] [--source FOLDER] INSTRUMENTED PLAIN ARGUMENT...: the instrumented program, and the plain one under
# `ompinst run`, have the same regions with the same visits; with `tools/test real --times` also the same times, with one
# thread, where nothing waits.
both_ways() {
	name=$1
	shift
	check "$name: the plain program under ompinst run has the same regions and visits" \
		env OMP_NUM_THREADS=2 "$PYTHON" "$TOP/test/real/both-ways.py" --runs 3 --ompinst "$OMPINST/ompinst" "$@"
	[ -n "${TIMES-}" ] || return 0
	cc -O2 -D_GNU_SOURCE -shared -fPIC -o "$WORK/stopwatch.so" "$TOP/test/real/stopwatch.c"
	check "$name: the plain program under ompinst run has the same times" \
		env OMP_NUM_THREADS=1 "$PYTHON" "$TOP/test/real/both-ways.py" --runs 7 --times --stopwatch "$WORK/stopwatch.so" \
		--ompinst "$OMPINST/ompinst" "$@"
}

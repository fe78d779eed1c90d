# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of the real programs share; sourced with TOP, WORK and RESULTS set.
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

# both_ways [--prints-times] SOURCE INSTRUMENTED PLAIN ARGUMENT...: the instrumented program, and the plain one under `ompinst run`, have the
# same regions with the same visits. With one thread, where nothing waits, they take the same time, too.
both_ways() {
	prints=
	if [ "$1" = --prints-times ]; then
		prints=$1
		shift
	fi
	folder_of_source=$1
	shift
	cc -O2 -D_GNU_SOURCE -shared -fPIC -o "$WORK/stopwatch.so" "$TOP/test/real/stopwatch.c" || return 1
	# shellcheck disable=SC2086
	OMP_NUM_THREADS=2 "$PYTHON" "$TOP/test/real/both-ways.py" $prints --runs 3 --source "$folder_of_source" \
		"$OMPINST/ompinst" "$@" &&
		OMP_NUM_THREADS=1 "$PYTHON" "$TOP/test/real/both-ways.py" $prints --times --runs 7 --stopwatch "$WORK/stopwatch.so" \
			--source "$folder_of_source" "$OMPINST/ompinst" "$@"
}

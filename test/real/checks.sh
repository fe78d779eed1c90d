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

# counted LOG FILTER: sums the wrapper's closing lines "N directives instrumented, M skipped".
counted() {
	awk '/[0-9]+ directives? instrumented, [0-9]+ skipped/ {
		for (i = 2; i <= NF; i++) {
			if ($i ~ /^directives?$/) done += $(i - 1)
			if ($i ~ /^skipped/) skipped += $(i - 1)
		}
	} END { print done + 0, skipped + 0 }' "$1"
}

# same_count LOG WANTED: all wanted directives were instrumented and none was skipped.
same_count() {
	found=$(counted "$1")
	echo "expected $2 instrumented and 0 skipped, found: $found"
	[ "$found" = "$2 0" ]
}

# check_trace FOLDER THREADS: the archive holds what it must (see check_trace.py).
check_trace() {
	"$PYTHON" "$TOP/test/real/check_trace.py" "$1/traces.otf2" --threads "$2"
}

# silent COMMAND...: succeeds and has nothing to say on stderr.
silent() {
	"$@" >/dev/null 2>"$WORK/silent.err" && [ ! -s "$WORK/silent.err" ] || {
		head "$WORK/silent.err"
		return 1
	}
}

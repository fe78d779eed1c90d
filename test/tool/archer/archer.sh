#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# archer.sh LIBARCHER SOUND RACY [control]: with LLVM's Archer as the tool, ThreadSanitizer says nothing
# of SOUND and reports a race in RACY. With `control` also: without the tool it reports SOUND, for want
# of any order, so that the silence was the tool's doing.
#
# What must be reported gets a few runs, as on a loaded machine one thread may have done all before
# the other began. Exits 77 where ThreadSanitizer cannot run at all.
library=$1
sound=$2
racy=$3
control=${4-}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 ignore_noninstrumented_modules=1"
export OMP_TOOL_LIBRARIES="$library" ARCHER_OPTIONS=verbose=1

run() {
	timeout 60 setarch "$(uname -m)" -R "$@" >"$said" 2>&1
	status=$?
	if grep -q 'FATAL: ThreadSanitizer' "$said"; then
		cat "$said" >&2
		exit 77
	fi
	return $status
}

# must_report WHAT COMMAND...: a race in one of a few runs.
must_report() {
	what=$1
	shift
	for try in 1 2 3 4 5; do
		run "$@"
		if [ $? -eq 66 ] && grep -q 'WARNING: ThreadSanitizer: data race' "$said"; then
			return
		fi
	done
	cat "$said" >&2
	echo "$what: expected a report of a race, found none in $try runs" >&2
	exit 1
}

run "$sound"
status=$?
if [ $status -ne 0 ] || grep -q 'WARNING: ThreadSanitizer' "$said"; then
	cat "$said" >&2
	echo "$sound with Archer: expected silence and exit status 0, found the above and $status" >&2
	exit 1
fi
if ! grep -q 'Archer detected OpenMP application with TSan' "$said"; then
	cat "$said" >&2
	echo "$sound: expected that Archer starts and says so, found the above" >&2
	exit 1
fi
must_report "$racy with Archer" "$racy"
if [ -n "$control" ]; then
	must_report "$sound without Archer" env OMP_TOOL=disabled "$sound"
fi

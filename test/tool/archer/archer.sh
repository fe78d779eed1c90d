#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# archer.sh LIBARCHER SOUND RACY [control]: with LLVM's Archer as the tool, ThreadSanitizer says nothing
# of SOUND and reports a race in RACY. With `control` also: without the tool it reports SOUND, for want
# of any order, so that the silence was the tool's doing.
library=$1
sound=$2
racy=$3
control=${4-}
# shellcheck source=test/runtime/tsan/verdicts.sh
. "$(dirname "$0")/../../runtime/tsan/verdicts.sh"
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 ignore_noninstrumented_modules=1"
export OMP_TOOL_LIBRARIES="$library" ARCHER_OPTIONS=verbose=1

# Without reduction events, Archer ignores a thread's writes in a barrier, and stops at a switch from there to a task.
# At a task that is discarded there it only begins again, and ThreadSanitizer says so at the end. Where tasks are
# discarded is chance: such a run is repeated.
silent() (must_be_silent "$sound with Archer" "$sound")
tries=10
while :; do
	silent && break
	status=$?
	tries=$((tries - 1))
	[ $status != 77 ] || exit 77
	if [ $tries = 0 ] || grep -q 'data race' "$said" || ! grep -q 'finished with ignores enabled' "$said"; then
		exit 1
	fi
done
if ! grep -q 'Archer detected OpenMP application with TSan' "$said"; then
	cat "$said" >&2
	echo "$sound: expected that Archer starts and says so, found the above" >&2
	exit 1
fi
must_report "$racy with Archer" "$racy"
if [ -n "$control" ]; then
	must_report "$sound without Archer" env OMP_TOOL=disabled "$sound"
fi

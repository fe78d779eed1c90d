#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# silent-and-loud.sh SOUND RACY: ThreadSanitizer says nothing of SOUND and reports a race in RACY.
#
# RACY gets a few runs: a race is found from any one run in which both sides happen, and on a loaded
# machine one thread may have done all before the other began. Exits 77 where ThreadSanitizer cannot
# run at all (kernels whose address space layout it does not know).
sound=$1
racy=$2
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 report_thread_leaks=1"

run() {
	timeout 60 setarch "$(uname -m)" -R "$1" >"$said" 2>&1
	status=$?
	if grep -q 'FATAL: ThreadSanitizer' "$said"; then
		cat "$said" >&2
		exit 77
	fi
	return $status
}

run "$sound"
status=$?
if [ $status -ne 0 ] || grep -q 'WARNING: ThreadSanitizer' "$said"; then
	cat "$said" >&2
	echo "$sound: expected silence and exit status 0, found the above and $status" >&2
	exit 1
fi
for try in 1 2 3 4 5; do
	run "$racy"
	if [ $? -eq 66 ] && grep -q 'WARNING: ThreadSanitizer: data race' "$said"; then
		exit 0
	fi
done
cat "$said" >&2
echo "$racy: expected a report of the planted race, found none in $try runs" >&2
exit 1

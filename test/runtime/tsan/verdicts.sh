# SPDX-License-Identifier: BSD-3-Clause
# For scripts that compare ThreadSanitizer's verdicts with what is known; to be sourced. What must be reported
# gets a few runs: a race is found from any one run in which both sides happen, and on a loaded machine one thread may
# have done all before the other began. Exits 77 where ThreadSanitizer cannot run at all (kernels whose address space
# layout it does not know).
said=$(mktemp)
trap 'rm -f "$said"' EXIT

run() {
	timeout 60 setarch "$(uname -m)" -R "$@" >"$said" 2>&1
	status=$?
	if grep -q 'FATAL: ThreadSanitizer' "$said"; then
		cat "$said" >&2
		exit 77
	fi
	return $status
}

# must_be_silent WHAT COMMAND...: what the command printed is in $said.
must_be_silent() {
	what=$1
	shift
	run "$@"
	status=$?
	if [ $status -ne 0 ] || grep -q 'WARNING: ThreadSanitizer' "$said"; then
		cat "$said" >&2
		echo "$what: expected silence and exit status 0, found the above and $status" >&2
		exit 1
	fi
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

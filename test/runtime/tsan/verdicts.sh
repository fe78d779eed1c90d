# SPDX-License-Identifier: BSD-3-Clause
# For scripts that compare ThreadSanitizer's verdicts with what is known; to be sourced. What must be reported
# gets a few runs: a race is found from any one run in which both sides happen, and on a loaded machine one thread may
# have done all before the other began. Exits 77 where ThreadSanitizer cannot run at all (kernels whose address space
# layout it does not know).

# What has no ptrace(2) is qemu-user, under which programs with ThreadSanitizer do not come to their begin.
if python3 -c 'import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(libc.ptrace(16, -1, None, None) != -1 or ctypes.get_errno() != errno.ENOSYS)'; then
	echo "needs ThreadSanitizer, which does not run in an emulator"
	exit 77
fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT

run() {
	timeout "$((60 * ${TEST_TIME_LIMITS:-1}))" setarch "$(uname -m)" -R "$@" >"$said" 2>&1
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

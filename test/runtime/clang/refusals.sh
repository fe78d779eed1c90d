#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# refusals.sh PROGRAM: what ends the process says why in one line, and what does not goes on.
program=$1
failures=0

# case STATUS WORD SENTENCE: STATUS is 0, "fails" or "ends".
case_of() {
	said=$("$program" "$2" 2>&1)
	status=$?
	case $1 in ends) wanted=134 ;; fails) wanted=1 ;; *) wanted=0 ;; esac
	if [ "$status" != "$wanted" ] || ! printf '%s\n' "$said" | grep -q "$3"; then
		echo "$program $2: expected status $wanted and /$3/, found $status and: $said" >&2
		failures=$((failures + 1))
	fi
}

case_of ends reduction '^runtime: in_reduction: no enclosing construct of clang.s code reduces the variable at 0x'
case_of ends lock '^runtime: the nestable lock at 0x[0-9a-f]* is used before omp_init_nest_lock()'
case_of ends strict '^runtime: test:1:1: a region of exactly 3 threads can have 1: by the clause; the program ends here$'
case_of 0 strict-warning '^runtime: test:1:1: a region of exactly 3 threads has 1: by the clause$'
case_of ends arguments '^runtime: a region uses 513 variables of the function around it, expected 512 at most'
for sentence in '^libgomp: error directive encountered$' '^libgomp: error directive encountered: nowhere$' \
	'^folder/program.c:12:3: libgomp: fatal error: error directive encountered: too cold$'; do
	case_of fails error "$sentence"
done
exit $((failures != 0))

# SPDX-License-Identifier: BSD-3-Clause
# GCC's own OpenMP programs for C, 557 of them, through the instrumenter: each behaves as when it is
# compiled plainly. The programs come from Debian's source package; what compiles, runs and judges them
# is ../shared/tools/gccsuite.py, beside the checkout. Without that tool there is nothing to do.
. "$TOP/test/real/checks.sh"

suite=$TOP/../shared/tools/gccsuite.py
folder=$WORK/gcc-suite

# Programs that behave otherwise when they are instrumented, as suite/name, each with its reason: none.
exceptions=""

[ -e "$suite" ] || {
	echo "skipped - gcc-suite: $suite is not there"
	echo skip >>"$RESULTS"
	exit 0
}
command -v gcc-12 >/dev/null || {
	echo "skipped - gcc-suite: the programs are those of gcc-12, which is not installed"
	echo skip >>"$RESULTS"
	exit 0
}

# The package holds the compiler's own archive. Of the runtime beside the programs only the header
# that some of them include is taken.
"$TOP/tools/fetch-source" gcc-12 "$WORK/source"
if [ ! -e "$WORK/source/libgomp/ready" ]; then
	mkdir -p "$WORK/source/libgomp"
	tar -xf "$WORK"/source/gcc-12/gcc-12*.tar.* -C "$WORK/source/libgomp" --strip-components=2 \
		--wildcards '*/libgomp/testsuite/libgomp.c*' '*/libgomp/libgomp_g.h'
	: >"$WORK/source/libgomp/ready"
fi
rm -rf "$folder"
mkdir -p "$folder"

# run_suite NAME COMPILER: compiles and runs all programs; NAME.json holds what did not pass.
run_suite() {
	CC=$2 python3 "$suite" run gcc --gcc-src "$WORK/source/libgomp" --cache "$folder/$1" \
		--lib "$RUNTIME" --env POMP_SUMMARY=off --json "$folder/$1.json" >"$folder/$1.log" 2>&1 || true
}

# all_compiled NAME: as many as the suite has were compiled and run.
all_compiled() {
	tail -n 1 "$folder/$1.log"
	grep -q '^GCCSUITE .* run=557 .* nocompile=0 ' "$folder/$1.log"
}

# Which programs did not pass instrumented but did plainly, or could not be compiled; without those that
# are known.
behave_alike() {
	python3 - "$folder/plain.json" "$folder/instrumented.json" $exceptions <<'PYTHON'
import json, sys
plain, instrumented = (json.load(open(name)) for name in sys.argv[1:3])
def failed(results):
    found = {name: 'does not compile' for name in results['nocompile']}
    found.update((f"{test['suite']}/{test['name']}", f"{test['status']}: {test['detail']}")
                 for test in results['notpass'])
    return found
wrong = {name: why for name, why in failed(instrumented).items()
         if name not in failed(plain) and name not in sys.argv[3:]}
for name, why in sorted(wrong.items()):
    print(name, why)
sys.exit(len(wrong) > 0)
PYTHON
}

run_suite plain gcc-12
run_suite instrumented "$OMPINST/ompinst --strict gcc-12"
check "gcc-suite: all 557 programs compile and run plainly" all_compiled plain
check "gcc-suite: all 557 programs compile and run instrumented" all_compiled instrumented
check "gcc-suite: each program behaves as it does plainly" behave_alike

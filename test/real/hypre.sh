# SPDX-License-Identifier: BSD-3-Clause
# hypre without MPI: CMake with FindOpenMP; 90 files, a third of their directives made by macros of headers.
. "$TOP/test/real/checks.sh"

"$TOP/tools/fetch-source" hypre "$WORK/source"

# build FOLDER CC LOG: the library and its test drivers, out of tree.
build() {
	[ ! -x "$1/test/struct" ] || return 0
	rm -rf "$1"
	(CC=$2 cmake -G Ninja -S "$WORK/source/hypre/src" -B "$1" -DHYPRE_WITH_MPI=OFF \
		-DHYPRE_WITH_OPENMP=ON -DHYPRE_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_FLAGS="-O2 -g" -DCMAKE_INSTALL_PREFIX="$1/prefix" && ninja -C "$1" -v) >"$1.log" 2>&1
}

folder=$WORK/hypre
rm -rf "$folder"
build "$folder-plain" gcc
OMPINST_OPTIONS=--verbose PATH=$OMPINST:$PATH build "$folder" ompinst-gcc || {
	tail -n 30 "$folder.log"
	exit 1
}
"$PYTHON" "$TOP/test/real/active_directives.py" "$folder-plain.log" "$folder-plain" \
	>"$folder/directives.txt"
active=$(awk '$1 == "total" { print $2 }' "$folder/directives.txt")
check "hypre: all $active active directives instrumented" same_count "$folder.log" "$active"
check "hypre: its own test jobs print the same when instrumented" \
	"$PYTHON" "$TOP/test/real/hypre_drivers.py" "$folder-plain/test" "$folder/test" \
	"$WORK/source/hypre/src/test" "$WORK/hypre-jobs"

# traced NAME DRIVER ARGUMENT...: a driver's trace is balanced.
traced() {
	name=$1
	shift
	rm -rf "trace-$name"
	OMP_NUM_THREADS=2 POMP_SUMMARY=off POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY="trace-$name" \
		"$folder/test/$@" >"$name.out" 2>"$name.err" || true
	check "hypre: $name: one location per thread, balanced enter and leave" \
		check_trace "trace-$name" 2
	check "hypre: $name: the trace keeps the rules" check_rules "trace-$name"
}

cd "$folder"
for solver in "ij -solver 0 -n 20 20 20" "struct -n 20 20 20 -solver 1"; do
	# shellcheck disable=SC2086
	set -- $solver
	both_ways "hypre: $solver" --prints-times --source "$WORK/source/hypre/src" "$folder/test/$1" "$folder-plain/test/$@"
done
traced boomeramg ij -solver 0 -n 20 20 20
traced pfmg struct -n 20 20 20 -solver 1
traced sstruct sstruct -in "$WORK/source/hypre/src/test/TEST_sstruct/sstruct.in.default" -solver 40

# SPDX-License-Identifier: BSD-3-Clause
# hypre with MPI: four ranks of two threads run its own test jobs, and leave one archive each.
# MPI=mpich takes the other MPI.
. "$TOP/test/real/checks.sh"

"$TOP/tools/fetch-source" hypre "$WORK/source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpi=${MPI:-openmpi}
LAUNCHER=mpirun.$mpi
[ "$mpi" = mpich ] || LAUNCHER="$LAUNCHER --oversubscribe"
export LAUNCHER

# build FOLDER CC: the library and its test drivers, out of tree; mpicc itself shows CMake where MPI is.
build() {
	[ ! -x "$1/test/struct" ] || return 0
	rm -rf "$1"
	(CC=$2 cmake -G Ninja -S "$WORK/source/hypre/src" -B "$1" -DHYPRE_WITH_MPI=ON \
		-DHYPRE_WITH_OPENMP=ON -DHYPRE_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_FLAGS=-O1 -DCMAKE_INSTALL_PREFIX="$1/prefix" && ninja -C "$1" -v) >"$1.log" 2>&1
}

folder=$WORK/hypre-$mpi
rm -rf "$folder"
build "$folder-plain" "mpicc.$mpi"
OMPINST_OPTIONS=--verbose PATH=$OMPINST:$PATH build "$folder" "ompinst mpicc.$mpi" || {
	tail -n 30 "$folder.log"
	exit 1
}
"$PYTHON" "$TOP/test/real/active_directives.py" "$folder-plain.log" "$folder-plain" \
	>"$folder/directives.txt"
active=$(awk '$1 == "total" { print $2 }' "$folder/directives.txt")
check "hypre, $mpi: all $active active directives instrumented" same_count "$folder.log" "$active"
check "hypre, $mpi: its own test jobs of four ranks print the same when instrumented" \
	"$PYTHON" "$TOP/test/real/hypre_drivers.py" "$folder-plain/test" "$folder/test" \
	"$WORK/source/hypre/src/test" "$WORK/hypre-jobs-$mpi" 4 8

# traced NAME DRIVER ARGUMENT...: a driver's four ranks leave one archive that is sound.
traced() {
	name=$1
	shift
	rm -rf "trace-$name"
	OMP_NUM_THREADS=2 POMP_SUMMARY=off POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY="trace-$name" \
		$LAUNCHER -np 4 "$folder/test/$@" >"$name.out" 2>"$name.err" || true
	check "hypre, $mpi: $name: one archive, eight locations, balanced enter and leave" \
		check_trace "trace-$name" 8
	check "hypre, $mpi: $name: the trace keeps the rules" check_rules "trace-$name"
	check "hypre, $mpi: $name: sends match receives, none arrives before it was sent" \
		"$PYTHON" "$TOP/test/real/check_ranks.py" "trace-$name" 4
}

cd "$folder"
traced boomeramg ij -solver 0 -n 20 20 20 -P 2 2 1
traced pfmg struct -n 10 10 10 -P 2 2 1 -solver 1
traced sstruct sstruct -in "$WORK/source/hypre/src/test/TEST_sstruct/sstruct.in.default" -P 2 2 1 -solver 40

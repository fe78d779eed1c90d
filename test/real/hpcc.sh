# SPDX-License-Identifier: BSD-3-Clause
# hpcc: MPI and OpenMP in one program, compiled through mpicc by a hand-written makefile.
. "$TOP/test/real/checks.sh"

"$TOP/tools/fetch-source" hpcc "$WORK/source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# build FOLDER CC: a copy of the sources with the functions that MPI 3 removed renamed, built in place.
build() {
	[ ! -x "$1/hpcc" ] || return 0
	rm -rf "$1"
	cp -r "$WORK/source/hpcc" "$1"
	find "$1" -name '*.[ch]' -exec sed -i -E \
		's/\bMPI_Address\b/MPI_Get_address/; s/\bMPI_Type_struct\b/MPI_Type_create_struct/' {} +
	cat >"$1/hpl/Make.test" <<-'MAKE'
	SHELL = /bin/sh
	CD = cd
	MKDIR = mkdir -p
	RM = rm -f
	TOPdir = ../../..
	INCdir = $(TOPdir)/include
	LIBdir = $(TOPdir)/lib/$(arch)
	HPLlib = $(LIBdir)/libhpl.a
	HPL_LIBS = $(HPLlib) -lblas -lm
	HPL_DEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle -I$(INCdir) -I$(INCdir)/$(arch)
	CC = mpicc
	CCNOOPT = $(HPL_DEFS) -fopenmp
	CCFLAGS = $(HPL_DEFS) -O2 -fopenmp
	LINKER = $(CC)
	LINKFLAGS = $(CCFLAGS)
	ARCHIVER = ar
	ARFLAGS = r
	RANLIB = ranlib
	MAKE
	make -C "$1" arch=test CC="$2" -j2 >"$1.log" 2>&1
}

folder=$WORK/hpcc
rm -rf "$folder"
build "$folder-plain" mpicc
OMPINST_OPTIONS=--verbose PATH=$OMPINST:$PATH build "$folder" "ompinst mpicc" || {
	tail -n 30 "$folder.log"
	exit 1
}
"$PYTHON" "$TOP/test/real/active_directives.py" "$folder-plain.log" \
	"$folder-plain/hpl/lib/arch/build" >"$folder/directives.txt"
active=$(awk '$1 == "total" { print $2 }' "$folder/directives.txt")
check "hpcc: all $active active directives instrumented" same_count "$folder.log" "$active"

# run FOLDER [VARIABLE=VALUE...]: every benchmark, small, with four processes of two threads. The order of
# the matrices sets the size of RandomAccess's table, whose updates race by design and may lose one in a hundred:
# the package's own 1000 is the least that leaves room for the preemptions of so many threads.
run() {
	mkdir -p "$1/run"
	sed -e 's/^80 /40 /; s/^1200 /200 /' "$1/_hpccinf.txt" >"$1/run/hpccinf.txt"
	directory=$1
	shift
	(cd "$directory/run" && rm -f hpccoutf.txt &&
		env OMP_NUM_THREADS=2 "$@" mpirun --oversubscribe -np 4 ../hpcc) >"$directory/run.log" 2>&1
}

# verdicts FOLDER: what the benchmarks say about their own results; times and rates differ by nature.
verdicts() {
	sed -n -E -e 's/^(CPU|WALL) .*(PASSED|FAILED).*/\1 \2/p' -e 's/.*(\.\.\.\.\.\. )(PASSED|FAILED).*/\1\2/p' \
		-e '/tests completed and/p' -e 's/^Found [0-9]+ errors in .*\((passed|failed)\).*/RandomAccess \1/p' -e '/^Success=/p' \
		-e '/^End of HPC Challenge/p' "$1/run/hpccoutf.txt"
}

passes() {
	verdicts "$1"
	verdicts "$1" | grep -q '^Success=1' && verdicts "$1" | grep -q PASSED &&
		! verdicts "$1" | grep -E 'FAILED|[1-9][0-9]* tests completed and failed|RandomAccess failed'
}

same_verdicts() {
	verdicts "$1" >"$WORK/one.txt"
	verdicts "$2" >"$WORK/two.txt"
	diff "$WORK/one.txt" "$WORK/two.txt"
}

run "$folder-plain"
check "hpcc: plain, its residual checks pass" passes "$folder-plain"
run "$folder" POMP_SUMMARY=summary.txt
check "hpcc: instrumented, its residual checks pass" passes "$folder"
check "hpcc: the same verdicts when instrumented" same_verdicts "$folder-plain" "$folder"
rm -rf "$folder"/run/trace*
(cd "$folder/run" && rm -f hpccoutf.txt && POMP_SUMMARY=off POMP_ENABLE_TRACING=1 OMP_NUM_THREADS=2 \
	POMP_EXPERIMENT_DIRECTORY=trace mpirun --oversubscribe -np 4 ../hpcc) >"$folder/trace.log" 2>&1 || true
check "hpcc: traced, its residual checks pass" passes "$folder"
check "hpcc: one archive, eight locations, balanced enter and leave" check_trace "$folder/run/trace" 8
check "hpcc: the trace keeps the rules" check_rules "$folder/run/trace"
check "hpcc: sends match receives, none arrives before it was sent" \
	"$PYTHON" "$TOP/test/real/check_ranks.py" "$folder/run/trace" 4

# SPDX-License-Identifier: BSD-3-Clause
# OpenBLAS of both kinds, for OpenMP and with threads of its own, as Debian has them: called in a parallel region it has no
# further threads, neither on the bundled runtime nor on GNU's and LLVM's; the results are the same. programs/blas.c
# prints the seconds as well, which doc/running.md compares.
. "$TOP/test/real/checks.sh"

folder=$WORK/blas
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$TOP/test/real/programs/runtimes.sh" "$folder" "$RUNTIME"
unset OMP_DYNAMIC OPENBLAS_NUM_THREADS GOTO_NUM_THREADS
export OMP_NUM_THREADS=2

library() {
	ls -d /usr/lib/*/openblas-"$1" | head -n 1
}
cc -std=gnu11 -O2 -fopenmp "$TOP/test/real/programs/blas.c" -o blas -L"$(library pthread)" -l:libopenblas.so.0

# on RUNTIME KIND COMMAND...: with that runtime and that OpenBLAS; a hang is an error.
on() {
	libraries=$folder/$1:$(library "$2")
	shift 2
	LD_LIBRARY_PATH=$libraries timeout 120 "$@" 2>/dev/null
}

# threads THREADS COMMAND...: what it prints ends so, and is the same on all runtimes, also under `ompinst run`.
threads() {
	wanted=$1
	kind=$2
	shift 2
	on ompinst "$kind" "$@" >found.ompinst
	cat found.ompinst
	for runtime in gnu llvm; do
		[ -e "$runtime" ] || continue
		on "$runtime" "$kind" "$@" >"found.$runtime"
		cmp found.ompinst "found.$runtime" || return 1
	done
	on gnu "$kind" "$OMPINST/ompinst" run --summary=off "$@" >found.run
	cmp found.ompinst found.run && grep -q "$wanted\$" found.ompinst
}

check "OpenBLAS for OpenMP in a region: the threads of the region alone" \
	threads "2 threads, the process had 1 and has 2" openmp ./blas nested 300 20
check "OpenBLAS for OpenMP outside of regions: the same threads" \
	threads "2 threads, the process had 1 and has 2" openmp ./blas outer 300 20
check "OpenBLAS with own threads in a region: one pool beside the region's threads" \
	threads "2 threads, the process had 2 and has 3" pthread ./blas nested 300 20
check "OpenBLAS with own threads, OPENBLAS_NUM_THREADS=1, in a region: the threads of the region alone" \
	threads "2 threads, the process had 1 and has 2" pthread env OPENBLAS_NUM_THREADS=1 ./blas nested 300 20

# What a region of one thread has beside it: two Python threads more than the main one, and a team for each.
check "numpy on OpenBLAS for OpenMP in three threads: a team for each" \
	threads ", 7 threads" openmp "$PYTHON" "$TOP/test/real/programs/products.py"
check "numpy on OpenBLAS with own threads in three threads: one pool for all" \
	threads ", 5 threads" pthread "$PYTHON" "$TOP/test/real/programs/products.py"

# OpenBLAS waits for all threads that it asked for. On GNU's and LLVM's runtime this does not end.
ends() {
	OMP_DYNAMIC=true on ompinst openmp env -u OMP_NUM_THREADS "$@" >found && sed 's/, .*//' found &&
		[ "$(sed 's/, .*//' found)" = "$(sed 's/, .*//' found.ompinst)" ]
}
check "numpy on OpenBLAS for OpenMP in three threads, OMP_DYNAMIC=true: the same results" \
	ends "$PYTHON" "$TOP/test/real/programs/products.py"

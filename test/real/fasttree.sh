# SPDX-License-Identifier: BSD-3-Clause
# fasttree: nested sections, dynamic loops, a critical; one file of 10,000 lines.
. "$TOP/test/real/checks.sh"

"$TOP/tools/fetch-source" fasttree "$WORK/source"
folder=$WORK/fasttree
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cp "$WORK/source/fasttree/fasttree.c" .
"$PYTHON" "$TOP/test/real/alignment.py" 200 400 >in.fa
flags="-DOPENMP -DUSE_DOUBLE -fopenmp -O2 -g"

gcc $flags -o plain fasttree.c -lm 2>plain.log
"$OMPINST/ompinst" --verbose gcc $flags -o instrumented fasttree.c -lm 2>instrumented.log || true
check "fasttree: all 16 directives instrumented" same_count instrumented.log 16

threads=2
export OMP_NUM_THREADS=$threads
./plain -nt -quiet in.fa >plain.tree
LD_LIBRARY_PATH=$RUNTIME ./plain -nt -quiet in.fa >bundled.tree
check "fasttree: same tree on the bundled runtime" cmp plain.tree bundled.tree

POMP_SUMMARY=summary.txt ./instrumented -nt -quiet in.fa >instrumented.tree 2>instrumented.err
check "fasttree: same tree when instrumented" cmp plain.tree instrumented.tree
check "fasttree: the summary names a hot region by file and line" grep -q 'fasttree\.c:[0-9]' summary.txt

both_ways fasttree --source "$folder" ./instrumented ./plain -nt -quiet in.fa

POMP_SUMMARY=off POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY=trace \
	./instrumented -nt -quiet in.fa >traced.tree 2>traced.err
check "fasttree: same tree when traced" cmp plain.tree traced.tree
# The nested sections run in teams of their own, so there are more threads than the outer team has.
locations=$(otf2-print -G trace/traces.otf2 | grep -c '^LOCATION  ')
check "fasttree: one location per thread, balanced enter and leave" check_trace trace "$locations"
check "fasttree: otf2-print reads the trace without a warning" silent otf2-print trace/traces.otf2
check "fasttree: ompreport reads the trace" "$TOP/build/reports/ompreport" summary trace

# The same by clang, whose results are those of LLVM's runtime. OpenMP in clang needs a header and a library of their own package.
by_clang() {
	# shellcheck disable=SC2086
	if ! clang-19 $flags -o clang-plain fasttree.c -lm 2>clang-plain.log; then
		echo "skip - fasttree: clang-19 with OpenMP is not installed"
		echo skip >>"$RESULTS"
		return
	fi
	# Four directives of clang's omp.h are declarations.
	# shellcheck disable=SC2086
	"$OMPINST/ompinst" --verbose clang-19 $flags -o clang-instrumented fasttree.c -lm 2>clang-instrumented.log || true
	check "fasttree by clang: all 16 directives instrumented" same_count clang-instrumented.log 20 4
	check "fasttree by clang: linked with the bundled runtime" \
		sh -c 'ldd ./clang-instrumented | grep -F "libomp.so.5 => $1/"' sh "$RUNTIME"
	for threads in 1 2 4; do
		export OMP_NUM_THREADS=$threads
		./clang-plain -nt -quiet in.fa >clang-plain.tree
		LD_LIBRARY_PATH=$RUNTIME ./clang-plain -nt -quiet in.fa >clang-bundled.tree || true
		check "fasttree by clang: same tree on the bundled runtime, threads: $threads" \
			cmp clang-plain.tree clang-bundled.tree
		POMP_SUMMARY=clang.txt ./clang-instrumented -nt -quiet in.fa >clang-instrumented.tree 2>clang.err || true
		check "fasttree by clang: same tree when instrumented, threads: $threads" \
			cmp clang-plain.tree clang-instrumented.tree
	done
	both_ways "fasttree by clang" --source "$folder" ./clang-instrumented ./clang-plain -nt -quiet in.fa
}

by_clang

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

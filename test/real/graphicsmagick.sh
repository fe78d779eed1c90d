# SPDX-License-Identifier: BSD-3-Clause
# GraphicsMagick: autotools and libtool, 26 files with OpenMP, conditional pragmas, clauses in macros.
. "$TOP/test/real/checks.sh"

"$TOP/tools/fetch-source" graphicsmagick "$WORK/source"
export OMP_NUM_THREADS=2

# build FOLDER CC: configures and builds out of tree, once, and again when packages have changed since.
build() {
	[ ! "$1/utilities/gm" -nt /var/lib/dpkg/status ] || return 0
	rm -rf "$1"
	mkdir -p "$1"
	(cd "$1" && "$WORK/source/graphicsmagick/configure" CC="$2" --enable-shared --disable-static \
		--without-x --without-perl --without-magick-plus-plus &&
		make -j2) >"$1.log" 2>&1
}

folder=$WORK/graphicsmagick
# What is tested is the instrumenter as it is now: only the plain build is kept.
rm -rf "$folder"
build "$WORK/graphicsmagick-plain" gcc
OMPINST_OPTIONS=--verbose PATH=$OMPINST:$PATH build "$folder" ompinst-gcc || {
	tail -n 30 "$folder.log"
	exit 1
}
cd "$folder"

# The header also quotes the compiler's name and configure's arguments.
for build in "$WORK/graphicsmagick-plain" .; do
	grep -v '^#define GM_BUILD_' "$build/magick/magick_config.h" >"$build/found.h"
done
check "graphicsmagick: configure finds what it finds with plain gcc" \
	cmp "$WORK/graphicsmagick-plain/found.h" found.h
# Sources also hold directives in a false #if; the preprocessor alone says which are active.
"$PYTHON" "$TOP/test/real/active_directives.py" "$WORK/graphicsmagick-plain.log" \
	"$WORK/graphicsmagick-plain" >directives.txt
active=$(awk '$1 == "total" { print $2 }' directives.txt)
check "graphicsmagick: all $active active directives instrumented" same_count "$folder.log" "$active"

check "graphicsmagick: as source text all are instrumented, and it compiles" \
	"$PYTHON" "$TOP/test/real/source_text.py" "$WORK/graphicsmagick-plain.log" \
	"$WORK/graphicsmagick-plain" "$OMPINST/ompinst"

gm=utilities/gm
plain=$WORK/graphicsmagick-plain/utilities/gm
export MAGICK_CONFIGURE_PATH=$WORK/graphicsmagick-plain/config
"$plain" convert -size 400x300 plasma:blue-red -depth 8 in.ppm 2>/dev/null ||
	"$plain" convert -size 400x300 gradient:blue-red -depth 8 in.ppm
for operation in "-resize 50%" "-rotate 30" "-blur 0x2" "-negate" "-colorspace Gray" "-implode 0.3"; do
	name=$(echo "$operation" | tr -c 'a-z0-9\n' _)
	"$plain" benchmark -iterations 2 convert in.ppm $operation "plain$name.ppm" >/dev/null 2>&1
	LD_LIBRARY_PATH=$RUNTIME "$plain" benchmark -iterations 2 convert in.ppm $operation \
		"bundled$name.ppm" >/dev/null 2>&1 || true
	check "graphicsmagick: $operation: same image on the bundled runtime" \
		cmp "plain$name.ppm" "bundled$name.ppm"
	rm -rf "trace$name"
	POMP_SUMMARY="summary$name.txt" POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY="trace$name" \
		"$gm" benchmark -iterations 2 convert in.ppm $operation "instrumented$name.ppm" \
		>/dev/null 2>"log$name" || true
	check "graphicsmagick: $operation: same image when instrumented" \
		cmp "plain$name.ppm" "instrumented$name.ppm"
done
both_ways graphicsmagick --prints-times --source "$WORK/source/graphicsmagick" "$gm" "$plain" benchmark -iterations 4 convert in.ppm -blur 0x2 null:
check "graphicsmagick: the summary names hot regions by file and line" \
	grep -q '\.c:[0-9]' summary_resize_50_.txt
for trace in trace_*; do
	check "graphicsmagick: $trace: one location per thread, balanced enter and leave" \
		check_trace "$trace" 2
	check "graphicsmagick: $trace: the trace keeps the rules" check_rules "$trace"
done
check "graphicsmagick: otf2-print reads the trace without a warning" \
	silent otf2-print trace_resize_50_/traces.otf2

# own_tests FOLDER: runs GraphicsMagick's tests and keeps what each came to, as automake noted it.
own_tests() {
	(cd "$1" && POMP_SUMMARY=off PATH=$OMPINST:$PATH make -k -j2 check) >"$1-check.log" 2>&1 || true
	(cd "$1" && find . -name '*.trs' -exec grep '^:test-result:' {} +) | sort >"$1-check.txt"
}

own_tests "$WORK/graphicsmagick-plain"
own_tests "$folder"
passed=$(grep -c 'test-result: PASS' "$folder-check.txt" || true)
check "graphicsmagick: $passed of its own tests pass, all as in the plain build" \
	diff "$WORK/graphicsmagick-plain-check.txt" "$folder-check.txt"
check "graphicsmagick: none of its own tests fails" \
	sh -c '! grep -v -E "test-result: (PASS|SKIP|XFAIL)" "$1" && grep -q PASS "$1"' sh "$folder-check.txt"

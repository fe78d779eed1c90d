# SPDX-License-Identifier: BSD-3-Clause
# Debian's own OpenMP programs, as they are installed, on the bundled runtime by LD_LIBRARY_PATH alone:
# C (GraphicsMagick, ImageMagick, FastTree) and Fortran (xtb, quantum chemistry). Same output as on the
# system's runtime, with fewer and more threads than processors.
. "$TOP/test/real/checks.sh"

folder=$WORK/debian-programs
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
convert=$(ls /usr/bin/convert-im6.* 2>/dev/null | head -n 1)

# uses_openmp PROGRAM: it has libgomp among its libraries, so that the comparison is one.
uses_openmp() {
	ldd "$1" | grep libgomp
}

# on_both NAME COMMAND...: the command writes to stdout; what it writes must not depend on the runtime.
on_both() {
	name=$1
	shift
	for threads in 1 2 4 8; do
		OMP_NUM_THREADS=$threads timeout 120 "$@" >"$name.system" 2>"$name.err" || {
			echo "on the system's runtime with $threads threads: failed"
			return 1
		}
		OMP_NUM_THREADS=$threads LD_LIBRARY_PATH=$RUNTIME timeout 120 "$@" >"$name.bundled" 2>>"$name.err" || {
			echo "on the bundled runtime with $threads threads: failed"
			tail -n 5 "$name.err"
			return 1
		}
		[ -s "$name.system" ] && cmp "$name.system" "$name.bundled" || return 1
	done
}

for program in /usr/bin/gm "$convert" /usr/bin/fasttreeMP /usr/bin/xtb; do
	check "$(basename "$program"): uses libgomp" uses_openmp "$program"
done

# A picture with some of everything: a fractal of a fixed seed.
"$convert" -seed 7 -size 480x360 plasma:tomato-steelblue picture.png
for operation in "-blur 0x3" "-unsharp 0x2" "-resize 150%" "-rotate 17" "-median 2" "-edge 2" "-equalize" \
	"-implode 0.4" "-despeckle" "-colorspace YUV"; do
	# shellcheck disable=SC2086
	check "gm convert $operation" on_both gm gm convert picture.png $operation ppm:-
done
for operation in "-blur 0x3" "-adaptive-sharpen 0x2" "-distort ScaleRotateTranslate 30" "-statistic Median 3x3" \
	"-canny 0x1+10%+30%" "-morphology Dilate Disk:3" "-liquid-rescale 75%" "-wave 10x60" "-negate"; do
	# shellcheck disable=SC2086
	check "convert $operation" on_both convert "$convert" picture.png $operation ppm:-
done

"$PYTHON" "$TOP/test/real/alignment.py" 120 300 >in.fa
check "fasttreeMP" on_both fasttree fasttreeMP -nt -quiet in.fa

# Four water molecules.
awk 'BEGIN { print 12; print "water"; for (i = 0; i < 4; i++) {
	printf "O %.3f %.3f 0.1\nH %.3f %.3f 0.6\nH %.3f %.3f -0.5\n", 3 * (i % 2), 2.9 * int(i / 2),
	3 * (i % 2) + 0.76, 2.9 * int(i / 2), 3 * (i % 2) - 0.6, 2.9 * int(i / 2) + 0.3 } }' >water.xyz
# Its energies, to the digits that do not depend on the order of additions. (A geometry optimisation
# amplifies that order: xtb's own result then differs from run to run, on either runtime.)
cat >energies <<'SCRIPT'
#!/bin/sh
xtb water.xyz --gfn 2 | sed -n 's/.*| TOTAL ENERGY  *\(-[0-9]*\.[0-9]\{7\}\).*/\1/p;
	s/.*| HOMO-LUMO GAP  *\([0-9]*\.[0-9]\{2\}\).*/\1/p'
SCRIPT
chmod +x energies
check "xtb (Fortran): energies of a water cluster" on_both xtb ./energies

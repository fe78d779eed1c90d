#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Vectorised loops stay vectorised: vectorised.sh BUILD COMPILER
#
# Compiles vectorised.c with and without ompinst, its functions instrumented too, and compares the
# lines of which the compiler says that it vectorised a loop.
set -eu

build=$1 compiler=$2
command -v "$compiler" >/dev/null || { echo "no $compiler here"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $compiler in
*clang*) remarks="-Rpass=loop-vectorize" ;;
*) remarks="-fopt-info-vec-optimized" ;;
esac
case $("$compiler" -dumpmachine) in
x86_64*) vectors=-mavx2 ;;
riscv64*) vectors=-march=rv64gcv ;;
*) vectors= ;;
esac

# Each line of the source and how often a loop on it was vectorised: loops that are cloned count.
vectorised() {
	"$@" "$compiler" -fopenmp -O3 -ffast-math $vectors -w $remarks -c "$here/vectorised.c" \
		-o "$work/object.o" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
	sed -n 's/.*vectorised\.c:\([0-9]*\):.*[^-]vectorized.*/\1/p' "$work/said" | sort -n | uniq
}

vectorised env >"$work/plain"
vectorised "$build/instrumenter/ompinst" --strict >"$work/instrumented"
vectorised "$build/instrumenter/ompinst" --strict --functions >"$work/functions"
[ "$(wc -l <"$work/plain")" -ge 15 ] || { echo "too few loops to compare"; cat "$work/plain"; exit 1; }
for how in instrumented functions; do
	diff "$work/plain" "$work/$how" || { echo "$how: other loops are vectorised"; exit 1; }
done
echo "$(wc -l <"$work/plain") lines with vectorised loops"

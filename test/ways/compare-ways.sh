#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One program both ways: compare-ways.sh BUILD COMPILER SOURCE FLAG...; see test/real/both-ways.py for what is compared.
set -eu

build=$1 compiler=$2 source=$3
shift 3
command -v "$compiler" >/dev/null || { echo "no $compiler here"; exit 77; }
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$compiler" -g -fopenmp "$@" "$source" -o "$work/plain"
"$build/instrumenter/ompinst" --strict "$compiler" -g -fopenmp "$@" "$source" -o "$work/instrumented"
python3 "$here/real/both-ways.py" --source "$(dirname "$source")" --ompinst "$build/instrumenter/ompinst" \
	"$work/instrumented" "$work/plain"

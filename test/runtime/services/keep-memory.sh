#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# keep-memory.sh PROGRAM ALLOCATOR: which blocks glibc maps by themselves after the first use of OpenMP, by what
# OMPINST_KEEP_MEMORY says; what the user has said to malloc() otherwise is left alone, and so are other allocators.
program=$1
allocator=$2
failures=0
unset OMPINST_KEEP_MEMORY GLIBC_TUNABLES MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_ MALLOC_TOP_PAD_ MALLOC_MMAP_MAX_

# holds_with ASSIGNMENT... -- ARGUMENT...: of the program
holds_with() {
	words=
	while [ "$1" != -- ]; do
		words="$words $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # one word each
	if ! env $words "$program" "$@"; then
		echo "with$words and arguments $*" >&2
		failures=$((failures + 1))
	fi
}

K=1024
M=$((K * K))
holds_with -- $((2 * M)) $((900 * K))
holds_with OMPINST_KEEP_MEMORY=8M -- $((9 * M)) $((7 * M))
holds_with OMPINST_KEEP_MEMORY=32M -- $((33 * M)) $((31 * M))
holds_with OMPINST_KEEP_MEMORY=2G -- $((33 * M)) $((31 * M))
holds_with OMPINST_KEEP_MEMORY=0 -- $((2 * M)) 0
holds_with OMPINST_KEEP_MEMORY=much -- $((2 * M)) $((900 * K))
# Whoever has set a threshold wants no other one.
holds_with -- $((2 * M)) 0 mallopt
holds_with MALLOC_MMAP_THRESHOLD_=$((256 * K)) -- $((2 * M)) 0
holds_with MALLOC_TRIM_THRESHOLD_=$((256 * K)) -- $((2 * M)) 0
holds_with GLIBC_TUNABLES=glibc.malloc.mmap_threshold=$((256 * K)) -- $((2 * M)) 0
holds_with LD_PRELOAD="$allocator" -- 0 0
exit $((failures != 0))

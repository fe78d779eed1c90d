#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a folder for each runtime that the programs are compared on, holding its libgomp.so.1 alone:
# runtimes.sh FOLDER OURS makes FOLDER/gnu, FOLDER/ompinst and, where LLVM's library is installed, FOLDER/llvm.
set -eu
link() {
	mkdir -p "$1"
	ln -sf "$2" "$1/libgomp.so.1"
}
link "$1/gnu" "$(realpath "$(gcc -print-file-name=libgomp.so.1)")"
link "$1/ompinst" "$2/libgomp.so.1"
llvm=$(ls -d /usr/lib/llvm-*/lib/libomp.so.5 2>/dev/null | tail -n 1)
[ -z "$llvm" ] || link "$1/llvm" "$llvm"

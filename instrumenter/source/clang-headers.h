/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds clang's own headers, for a libclang that was installed without them. */
#ifndef CLANG_HEADERS_H
#define CLANG_HEADERS_H

#include "child-process.h"

/*
 * The folder whose `include` contains them (heap), or NULL: that of the build's libclang, else the
 * one that `clang` in PATH prints. `answer` is a file for clang's output.
 */
char *clang_headers_find(struct process_watch *watch, const char *answer);

#endif

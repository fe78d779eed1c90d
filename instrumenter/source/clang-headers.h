/* SPDX-License-Identifier: BSD-3-Clause */
/* Where clang's own headers are, for a libclang that came without them. */
#ifndef CLANG_HEADERS_H
#define CLANG_HEADERS_H

#include "child-process.h"

/*
 * The folder whose `include` has them (heap), or NULL: that of the build's libclang, or else what
 * `clang` in PATH answers. `answer` is a file for that.
 */
char *clang_headers_find(struct process_watch *watch, const char *answer);

#endif

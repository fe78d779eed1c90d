/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a statement ends, by its tokens alone: a check of libclang's extents. */
#ifndef DELIMITER_H
#define DELIMITER_H

#include <stddef.h>

/* Offset behind the statement that begins at `at`; 0 when the text ends before it does. */
size_t statement_end(const char *text, size_t length, size_t at);

/* Offset behind the `{...}` whose brace is at `at`; 0 when nothing closes it. */
size_t block_end(const char *text, size_t length, size_t at);

/*
 * Where declarations can begin in the block at `at`: behind the brace and the local labels, which
 * gcc requires to be first. 0 when no block stands there.
 */
size_t block_declarations(const char *text, size_t length, size_t at);

#endif

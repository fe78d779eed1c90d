/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a statement ends, judging by its tokens alone. Used to check libclang's extents. */
#ifndef DELIMITER_H
#define DELIMITER_H

#include <stddef.h>

/* Offset after the statement that begins at `at`; 0 if the text ends before it does. */
size_t statement_end(const char *text, size_t length, size_t at);

/* Offset after the `{...}` whose brace is at `at`; 0 if nothing closes it. */
size_t block_end(const char *text, size_t length, size_t at);

/*
 * Where declarations can begin in the block at `at`: after the brace and the local labels, which
 * gcc requires to be first. 0 if there is no block.
 */
size_t block_declarations(const char *text, size_t length, size_t at);

#endif

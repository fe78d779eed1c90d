/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files within a tar archive (POSIX.1-1988, ustar), one after the other: a header, the bytes, which
 * the caller writes, and the padding. All files belong to user 0 and are of 1970, so that the same
 * contents make the same archive. The caller checks `out` for errors.
 */
#ifndef TAR_FILE_H
#define TAR_FILE_H

#include <stdint.h>
#include <stdio.h>

enum { TAR_BLOCK = 512, TAR_NAME_SIZE = 100 };

/* Begins a file of `size` bytes; the name has less than TAR_NAME_SIZE characters. */
void tar_begin_file(FILE *out, const char *name, uint64_t size);

/* Ends a file when its bytes are written. */
void tar_end_file(FILE *out, uint64_t size);

/* Ends the archive. */
void tar_end(FILE *out);

#endif

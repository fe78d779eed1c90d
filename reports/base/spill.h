/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps pieces of bytes for later, unchanged: in memory up to a limit, the rest in an unnamed
 * temporary file in TMPDIR, or else in /var/tmp. If the file cannot be created or written, the rest
 * stays in memory, too.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stddef.h>
#include <stdint.h>

#define SPILL_PIECE_MAX ((size_t)1 << 18) /* bytes of one piece */

struct spill;

/* The place of a piece. */
struct spill_piece {
	uint64_t at;
	uint32_t size;
};

/* memory_max: bytes, rounded up to a few blocks. */
struct spill *spill_new(size_t memory_max);
void spill_free(struct spill *spill);

/* Keeps a copy of `size` bytes. */
struct spill_piece spill_put(struct spill *spill, const void *bytes, size_t size);

/*
 * Copies `size` bytes of the piece, starting at `from`. Exits with a message if the file cannot be
 * read. The caller must not call it for one spill from two threads at a time.
 */
void spill_get(
    struct spill *spill, struct spill_piece piece, size_t from, void *bytes, size_t size);

#endif

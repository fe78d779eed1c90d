/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pieces of bytes that are kept for later and not changed: in memory up to a bound, all others in a
 * temporary file without a name, in TMPDIR or else in /var/tmp. Where no file can be made or
 * written, memory is used for them, too.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stddef.h>
#include <stdint.h>

#define SPILL_PIECE_MAX ((size_t)1 << 18) /* bytes of one piece */

struct spill;

/* Where a piece lies. */
struct spill_piece {
	uint64_t at;
	uint32_t size;
};

/* memory_max: bytes, rounded up to what a few blocks have. */
struct spill *spill_new(size_t memory_max);
void spill_free(struct spill *spill);

/* Keeps a copy of so many bytes. */
struct spill_piece spill_put(struct spill *spill, const void *bytes, size_t size);

/*
 * Copies a part of the piece, `size` bytes from `from` on. Ends the program with a message when the
 * file cannot be read. Calls on one spill exclude each other.
 */
void spill_get(
    struct spill *spill, struct spill_piece piece, size_t from, void *bytes, size_t size);

#endif

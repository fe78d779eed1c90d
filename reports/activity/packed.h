/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path's segments and causes in few bytes, in the format of numbers.h. Values whose differences
 * are small are stored as the step from the previous value.
 */
#ifndef PACKED_H
#define PACKED_H

#include "numbers.h"
#include "path.h"

/* The longest encodings of 64-bit and 32-bit numbers, and of an activity with a construct. */
enum { PACKED_WIDE = NUMBER_BYTES, PACKED_NARROW = 5, PACKED_DOING = 6 };

/* The longest encoding of either kind of piece. */
enum { PACKED_BYTES = PATH_CAUSES * (PACKED_WIDE + 3 * PACKED_NARROW) };
_Static_assert(PATH_SEGMENTS *(2 * PACKED_WIDE + PACKED_DOING) <= PACKED_BYTES,
    "segments need no more than causes");
_Static_assert(PACKED_BYTES <= SPILL_PIECE_MAX, "and both are a piece");

/*
 * Encodes up to PATH_SEGMENTS segments; `before`: the time at which the first one starts. Returns
 * the number of bytes.
 */
size_t packed_put_segments(
    unsigned char *bytes, uint64_t before, const struct path_segment *segments, size_t count);
void packed_get_segments(struct spill *spill, const struct path_packed *packed, uint64_t before,
    struct path_segment *segments);

/* Encodes PATH_CAUSES causes. */
size_t packed_put_causes(unsigned char *bytes, const struct path_cause *causes);
void packed_get_causes(struct spill *spill, struct spill_piece piece, struct path_cause *causes);

#endif

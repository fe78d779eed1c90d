/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path's segments and causes in few bytes: numbers.h's numbers, each as the step from the one
 * before where such steps are small.
 */
#ifndef PACKED_H
#define PACKED_H

#include "numbers.h"
#include "path.h"

/* The longest that a number of 64 or of 32 bits becomes, and an activity with a construct. */
enum { PACKED_WIDE = NUMBER_BYTES, PACKED_NARROW = 5, PACKED_DOING = 6 };

/* What the longest of both take. */
enum { PACKED_BYTES = PATH_CAUSES * (PACKED_WIDE + 3 * PACKED_NARROW) };
_Static_assert(PATH_SEGMENTS *(2 * PACKED_WIDE + PACKED_DOING) <= PACKED_BYTES,
    "segments need no more than causes");
_Static_assert(PACKED_BYTES <= SPILL_PIECE_MAX, "and both are a piece");

/* PATH_SEGMENTS of them; `before`: the time that the first one follows. Returns the bytes. */
size_t packed_put_segments(
    unsigned char *bytes, uint64_t before, const struct path_segment *segments);
void packed_get_segments(
    struct spill *spill, struct spill_piece piece, uint64_t before, struct path_segment *segments);

/* PATH_CAUSES of them. */
size_t packed_put_causes(unsigned char *bytes, const struct path_cause *causes);
void packed_get_causes(struct spill *spill, struct spill_piece piece, struct path_cause *causes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each rank did in each step of time, in eighths: a mix is what happened in a step. All ranks
 * share one list of mixes.
 */
#ifndef RANK_ROWS_H
#define RANK_ROWS_H

#include "timeline.h"

enum { RANK_MIX_PARTS = 8 };

struct rank_mix {
	unsigned char parts[ACTIVITIES]; /* their sum is RANK_MIX_PARTS */
};

struct rank_rows {
	size_t rows, steps;
	struct rank_mix *mixes; /* the most frequent first; equally frequent: the first in use */
	size_t mix_count;
	uint32_t *cells; /* rows x steps: indices of mixes */
};

/* Of all rows of the timeline. */
struct rank_rows rank_rows_find(const struct timeline *timeline);
void rank_rows_free(struct rank_rows *rows);

static inline const struct rank_mix *rank_rows_mix(
    const struct rank_rows *rows, size_t row, size_t step)
{
	return &rows->mixes[rows->cells[row * rows->steps + step]];
}

#endif

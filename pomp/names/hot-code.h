/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the processor time went, by place in the code: the samples of all threads, with names. */
#ifndef HOT_CODE_H
#define HOT_CODE_H

#include "common/summary.h"

#include <stdbool.h>

/*
 * Collects the samples, when threads take no more. It looks up the files that are loaded, which
 * needs the loader's locks: the caller does not hold the process lock.
 */
void pomp_hot_code_collect(void);

/* Returns how many samples were collected. */
uint64_t pomp_hot_code_samples(void);

/*
 * Fills in how many samples a summary has and, with rows, its hot places, most samples first; false
 * when memory ran out. Only rows take names. Process lock held.
 */
bool pomp_hot_code_fill(struct summary *summary, bool with_rows);
/* Appends the paths of the samples in the trace to the definitions log. Process lock held. */
void pomp_hot_code_define(void);
void pomp_hot_code_free(struct summary *summary);

#endif

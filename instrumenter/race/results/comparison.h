/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the outputs of two runs differ first. */
#ifndef RACE_COMPARISON_H
#define RACE_COMPARISON_H

#include "arena.h"

#include <stdbool.h>

struct race_difference {
	int line;         /* from 1 */
	const char *left; /* the line in each, or NULL where that one has ended */
	const char *right;
	bool is_numeric; /* the first words that differ are numbers */
	double relative; /* their difference by the larger one's size */
};

/* False: they are equal. NULL stands for an output that is missing. */
bool race_compare(struct inst_arena *arena, const char *left, const char *right,
    struct race_difference *difference);

#endif

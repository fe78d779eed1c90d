/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the outputs of two runs first differ. */
#ifndef RACE_COMPARISON_H
#define RACE_COMPARISON_H

#include "arena.h"

#include <stdbool.h>

struct race_difference {
	int line;         /* from 1 */
	const char *left; /* the line in each output, or NULL if that output has ended */
	const char *right;
	bool is_numeric; /* the first different words are numbers */
	double relative; /* their difference divided by the larger absolute value */
};

/* Returns false if the outputs are equal. NULL stands for a missing output. */
bool race_compare(struct inst_arena *arena, const char *left, const char *right,
    struct race_difference *difference);

#endif

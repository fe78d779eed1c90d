/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the processors other programs use while this one and its children run. */
#ifndef OTHER_LOAD_H
#define OTHER_LOAD_H

struct other_load {
	double begin;     /* the clock */
	double all, ours; /* seconds of processor time up to then; all 0 or less: unknown */
};

void other_load_begin(struct other_load *load);

/*
 * How many processors the others have used on average since the begin; negative if that is unknown,
 * or after less than a second, in which the kernel's ticks are too coarse.
 */
double other_load_end(const struct other_load *load);

#endif

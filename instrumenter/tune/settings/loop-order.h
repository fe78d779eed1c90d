/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loops take most time, by a summary of the program. */
#ifndef LOOP_ORDER_H
#define LOOP_ORDER_H

#include "word-list.h"

#include <stdbool.h>

struct ordered_places {
	struct words *loops;   /* "FILE:LINE=..." */
	struct words *regions; /* parallel regions, "FILE:LINE" */
	double least_gain;     /* 0.03: places that cannot bring as much are removed; 0: none is */
	size_t removed;        /* ... and counted here */
	double visits;         /* of all regions, by all threads: a result */
};

/*
 * Sorts the loops by the time that they took in the run of the summary (CSV), most first, and
 * removes those that it does not contain. Regions becomes a list of its parallel regions in the
 * same order. A place cannot bring more than the time that its slowest thread is in it. Returns
 * false with *error (heap, or NULL if memory ran out) if it is no such file.
 */
bool loop_order_by_time(struct ordered_places *places, const char *path, char **error);

#endif

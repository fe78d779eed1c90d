/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loops take most time, by a summary of the program. */
#ifndef LOOP_ORDER_H
#define LOOP_ORDER_H

#include "word-list.h"

#include <stdbool.h>

/*
 * Sorts the loops, "FILE:LINE=...", by the time that they took in the run of the summary (CSV),
 * most first, and removes those that it does not contain. Regions becomes a list of its parallel
 * regions, "FILE:LINE", in the same order. Returns false with *error (heap, or NULL if memory ran
 * out) if it is no such file.
 */
bool loop_order_by_time(struct words *loops, struct words *regions, const char *path, char **error);

#endif

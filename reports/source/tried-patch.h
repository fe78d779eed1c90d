/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules that were tried, as a change of the program's source. */
#ifndef TRIED_PATCH_H
#define TRIED_PATCH_H

#include <stdio.h>

#include "common/summary.h"

/*
 * Prints the schedules with the greatest sure gain of the summary's loops as a unified diff. Where
 * the source does not decide, a line on standard error says why. Returns how many changes there
 * are.
 */
size_t tried_patch_print(FILE *out, const struct summary *summary);

#endif

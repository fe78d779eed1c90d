/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loops can get another schedule when the program runs (--tunable-loops, --tunable-tasks). */
#ifndef TUNABLE_LOOPS_H
#define TUNABLE_LOOPS_H

#include "unit.h"

/*
 * Decides for each loop that is instrumented whether its schedule may change, and if not why; after
 * plan_constructs().
 */
void plan_schedules(struct unit *unit);

/* The same for the numbers in grainsize and num_tasks of taskloops, and in if and final of tasks.
 */
void plan_grains(struct unit *unit);

#endif

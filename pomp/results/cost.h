/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of measuring. */
#ifndef COST_H
#define COST_H

#include <stdbool.h>

/* Returns how many ticks one event takes on this machine now; negative when memory ran out. */
double pomp_cost_of_event(bool tracing);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What measuring costs. */
#ifndef COST_H
#define COST_H

#include <stdbool.h>

/* Ticks that one event takes on this machine now; negative when memory ran out. */
double pomp_cost_of_event(bool tracing);

#endif

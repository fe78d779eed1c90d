/* SPDX-License-Identifier: BSD-3-Clause */
/* Cycles of locks that no run shows, from orders of which each run has shown some. */
#ifndef RACE_JOINED_ORDERS_H
#define RACE_JOINED_ORDERS_H

#include "race-reports.h"

struct race_cycles {
	struct race_cycle *items;
	size_t count, room;
};

/* Each has is_joined, and for each wait the runs that have shown it. */
void race_orders_join(const struct race_reports *reports, struct race_cycles *cycles);

#endif

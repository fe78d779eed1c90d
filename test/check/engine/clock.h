/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector clocks: how much the owner of a clock knows of each thread. */
#ifndef CLOCK_H
#define CLOCK_H
#include <stdbool.h>
#include <stdint.h>

#include "../check.h"

struct clock {
	uint32_t at[CHECK_THREADS];
};

static inline void clock_join(struct clock *clock, const struct clock *other)
{
	for (int i = 0; i < CHECK_THREADS; i++)
		if (clock->at[i] < other->at[i])
			clock->at[i] = other->at[i];
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order that does not come from the code under test: another library makes one thread wait for
 * another. The waiting thread then finds current memory, but the code's own operations do not order
 * it. Code that relies on this order alone has a data race.
 */
#include <string.h>

#include "engine.h"

enum { HAND_OVERS = 32 };

static struct hand_over {
	bool is_given;
	struct clock seen, order;
} hand_overs[HAND_OVERS];

void hand_over_reset(void)
{
	memset(hand_overs, 0, sizeof(hand_overs));
}

static struct hand_over *hand_over_at(uint32_t number)
{
	if (number >= HAND_OVERS)
		report_failure(NULL, "more than %d hand-overs", HAND_OVERS);
	return &hand_overs[number];
}

void check_give(uint32_t number)
{
	struct hand_over *hand_over = hand_over_at(number);

	thread_turn(OP_ORDERS, (uintptr_t)hand_over, false);
	hand_over->is_given = true;
	hand_over->seen = check_self->clock;
	thread_note(OP_ORDERS, (uintptr_t)hand_over);
	hand_over->order = check_self->order;
	thread_wake_all((uintptr_t)hand_over);
}

void check_take(uint32_t number)
{
	struct hand_over *hand_over = hand_over_at(number);

	thread_turn(OP_ORDERS, (uintptr_t)hand_over, false);
	while (!hand_over->is_given)
		thread_sleep((uintptr_t)hand_over, "for a hand-over");
	memory_see(&hand_over->seen);
	clock_join(&check_self->order, &hand_over->order);
	thread_note(OP_ORDERS, (uintptr_t)hand_over);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The teams of a league execute in any order, also at the same time (OpenMP 5.2, 10.2). On the host
 * one thread executes them one after the other; where races are looked for each is a strand, after
 * the league's begin and before its end.
 *
 * A teams construct in a target region has no function of its own: the region's function asks again
 * and again whether there is another team, and all teams have its one frame. So the function is
 * called once for each team, which is the only one that this call is told of. A teams construct
 * stands alone in its target region (10.2), so nothing else is executed more often than written.
 */
#include <stdlib.h>

#include "race-thread.h"
#include "race.h"
#include "shared/race-log.h"
#include "tsan.h"

/* One call. */
struct part {
	rt_strand_fn *fn;
	void *argument;
	char *league; /* two addresses that stand for its begin and end in ThreadSanitizer */
};

static void run_part(void *argument)
{
	const struct part *part = argument;

	rt_tsan_acquire(part->league);
	part->fn(part->argument);
	rt_tsan_release(part->league + 1);
}

/* The addresses are memory that no league before had. */
static void begin(struct part *part, rt_strand_fn *fn, void *argument)
{
	*part = (struct part){fn, argument, malloc(2)};
	rt_tsan_release(part->league);
}

static void end(struct part *part)
{
	rt_tsan_acquire(part->league + 1);
	free(part->league);
}

void rt_race_call_league(struct rt_thread *self, rt_strand_fn *fn, void *argument)
{
	struct part part;

	begin(&part, fn, argument);
	for (self->teams_number = 0; self->teams_number < self->teams_count; self->teams_number++)
		rt_strand_call(self, run_part, &part, RT_STRAND_FREE, RACE_STRAND_TEAM);
	end(&part);
}

void rt_race_call_target(struct rt_thread *self, rt_strand_fn *fn, void *argument)
{
	struct rt_race_target target = {.outer = self->race->target, .teams = 1};
	struct part part;

	self->race->target = &target;
	begin(&part, fn, argument);
	for (; target.team < target.teams; target.team++)
		rt_strand_call(self, run_part, &part, RT_STRAND_FREE, RACE_STRAND_TEAM);
	end(&part);
	self->race->target = target.outer;
}

void rt_race_begin_teams(struct rt_thread *self, uint32_t teams)
{
	struct rt_race_target *target = self->race->target;

	target->teams = teams;
	self->teams_count = teams;
	self->teams_number = target->team;
}

bool rt_race_is_in_target(const struct rt_thread *self)
{
	return self->race != NULL && self->race->target != NULL;
}

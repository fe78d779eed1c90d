/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The teams of a league may execute in any order, also at the same time (OpenMP 5.2, 10.2). On the
 * host one thread executes them one after the other. With race detection each team is a strand,
 * after the league's begin and before its end.
 *
 * A teams construct in a target region has no function of its own: the region's function asks
 * repeatedly whether there is another team, and all teams share its one frame. So the function is
 * called once for each team, and each call learns of only one. A teams construct is the only
 * content of its target region (10.2), so nothing else is executed more often than written.
 */
#include "race-thread.h"
#include "race.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "team.h"
#include "tsan.h"

/* One call. */
struct part {
	rt_strand_fn *fn;
	void *argument;
	char begun, ended; /* their addresses represent the league's begin and end */
};

static void run_part(void *argument)
{
	const struct part *part = argument;

	rt_tsan_acquire(&part->begun);
	part->fn(part->argument);
	rt_tsan_release(&part->ended);
}

static void begin(struct part *part, rt_strand_fn *fn, void *argument)
{
	*part = (struct part){.fn = fn, .argument = argument};
	rt_tsan_forget(&part->begun);
	rt_tsan_forget(&part->ended);
	rt_tsan_release(&part->begun);
}

void rt_race_call_league(struct rt_thread *self, rt_strand_fn *fn, void *argument)
{
	CHECK(rt_race_has_strands(self), "the thread has strands");

	struct part part;

	begin(&part, fn, argument);
	for (self->teams_number = 0; self->teams_number < self->teams_count; self->teams_number++)
		rt_strand_call(self, run_part, &part, RACE_STRAND_TEAM);
	rt_tsan_acquire(&part.ended);
}

void rt_race_call_target(struct rt_thread *self, rt_strand_fn *fn, void *argument)
{
	CHECK(rt_race_has_strands(self), "the thread has strands");

	struct rt_race_target target = {.outer = self->race->target, .teams = 1};
	struct part part;

	self->race->target = &target;
	rt_race_begin_group(self);
	begin(&part, fn, argument);
	for (; target.team < target.teams; target.team++)
		rt_strand_call(self, run_part, &part, RACE_STRAND_TEAM);
	rt_tsan_acquire(&part.ended);
	self->team->race_group = 0;
	self->race->target = target.outer;
}

void rt_race_begin_teams(struct rt_thread *self, uint32_t teams)
{
	CHECK(rt_race_is_in_target(self), "the thread is in a target region");

	struct rt_race_target *target = self->race->target;

	target->teams = teams;
	self->teams_count = teams;
	self->teams_number = target->team;
}

bool rt_race_is_in_target(const struct rt_thread *self)
{
	return self->race != NULL && self->race->target != NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the preloaded library where threads are in the structure of the program. */
#include "race.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "team.h"

void rt_race_fork(struct rt_team *team, const void *code)
{
	CHECK(team->size > 1, "the region is active");

	team->race_region = ompinst_race_fork != NULL ? ompinst_race_fork(code) : 0;
}

void rt_race_enter_region(const struct rt_thread *self)
{
	if (ompinst_race_enter != NULL)
		ompinst_race_enter(self->team->race_region, self->number, self->team->size);
}

void rt_race_leave_region(void)
{
	if (ompinst_race_leave != NULL)
		ompinst_race_leave();
}

void rt_race_pass_barrier(void)
{
	if (ompinst_race_phase != NULL)
		ompinst_race_phase();
}

void rt_race_take_single(bool executes)
{
	if (ompinst_race_single != NULL)
		ompinst_race_single(executes);
}

void rt_race_take_section(unsigned number)
{
	if (ompinst_race_section != NULL)
		ompinst_race_section(number);
}

void rt_race_task_made(struct team_position *position)
{
	if (ompinst_race_task_made != NULL)
		ompinst_race_task_made(position);
}

void rt_race_task_begin(const struct team_position *position)
{
	if (ompinst_race_task_begin != NULL)
		ompinst_race_task_begin(position);
}

void rt_race_task_end(void)
{
	if (ompinst_race_task_end != NULL)
		ompinst_race_task_end();
}

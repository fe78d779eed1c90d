/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread keeps for race detection, from its first use of the runtime to its end. */
#include <stdlib.h>

#include "race-thread.h"
#include "race.h"
#include "shared/race-log.h"
#include "tsan.h"

void rt_race_thread_begin(struct rt_thread *self)
{
	struct rt_race_thread *thread;
	char name[RT_STRAND_NAME];

	if (!rt_watched(RT_BY_RACE) || self->race != NULL)
		return;
	thread = calloc(1, sizeof(*thread));
	if (thread == NULL)
		return;
	thread->number = rt_race_new_number();
	thread->random = (rt_race_seed() + 1) * UINT32_C(0x9E3779B9) ^
			 (thread->number + 1) * UINT32_C(0x85EBCA6B);
	thread->random |= thread->random == 0;
	self->race = thread;
	add_relaxed(&rt_race_threads, 1);
	rt_strand_name(name, thread->number, RACE_STRAND_THREAD);
	rt_tsan_name_thread(name);
}

void rt_race_thread_end(struct rt_thread *self)
{
	if (self->race == NULL)
		return;
	void *hidden = rt_race_hide(self);
	rt_strands_free(self->race);
	rt_race_show(hidden);
	sub_relaxed(&rt_race_threads, 1);
	free(self->race);
	self->race = NULL;
}

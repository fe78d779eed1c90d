/* SPDX-License-Identifier: BSD-3-Clause */
/* The team of task-pair.h: the words of its records are those of a region that has begun. */
#include "task-pair.h"

#include <stdlib.h>

#include "check.h"
#include "events.h"
#include "process.h"
#include "slab.h"
#include "thread-record.h"

struct rt_team pair_team;
static struct rt_member members[3];
static struct rt_team outside;
static struct rt_member outsider;

static void add_member(struct rt_team *team, struct rt_member *member, uint32_t number)
{
	struct rt_thread *thread = rt_thread_new();

	EXPECT(thread != NULL);
	load_relaxed(&team->roster)->members[number] = member;
	member->team = team;
	member->thread = thread;
	member->number = number;
	member->seen = load_relaxed(&team->region);
	rt_task_init_implicit(&member->implicit, team, NULL, 0, &rt_process.initial);
	thread->team = team;
	thread->member = member;
	thread->number = number;
	thread->task = thread->tied = &member->implicit;
}

static void begin_team(struct rt_team *team, uint32_t size)
{
	struct rt_roster *roster = calloc(1, sizeof(*roster) + size * sizeof(roster->members[0]));

	EXPECT(roster != NULL);
	roster->capacity = size;
	store_relaxed(&team->roster, roster);
	store_relaxed(&team->region, (uint64_t)size << 32 | 1);
	team->size = team->started = size;
}

static struct rt_thread *enter(struct rt_member *member)
{
	rt_thread_set_current(member->thread);
	rt_deque_begin(&member->deque);
	return member->thread;
}

static struct rt_thread *begin(uint32_t size)
{
	store_relaxed(&rt_watchers.bits, 0);
	rt_process.wait_policy = RT_WAIT_PASSIVE;
	store_relaxed(&rt_process.spin_count, 0);
	begin_team(&pair_team, size);
	for (uint32_t i = 0; i < size; i++)
		add_member(&pair_team, &members[i], i);
	return enter(&members[0]);
}

struct rt_thread *pair_begin(void)
{
	return begin(2);
}

struct rt_thread *pair_begin_with_third(void)
{
	return begin(3);
}

struct rt_thread *pair_enter(void)
{
	return enter(&members[1]);
}

struct rt_thread *pair_enter_third(void)
{
	return enter(&members[2]);
}

struct rt_thread *pair_enter_outside(void)
{
	begin_team(&outside, 1);
	add_member(&outside, &outsider, 0);
	return enter(&outsider);
}

struct rt_thread *pair_other(void)
{
	return members[1].thread;
}

static void generate(
    struct rt_thread *self, rt_task_fn *fn, void *argument, void **depend, uint8_t flags)
{
	struct rt_task_request request = {.fn = fn,
	    .data = &argument,
	    .size = sizeof(argument),
	    .align = _Alignof(void *),
	    .deferrable = true,
	    .flags = flags,
	    .depend = depend};

	rt_task_generate(self, &request);
}

void pair_generate(struct rt_thread *self, rt_task_fn *fn, void *argument, void **depend)
{
	generate(self, fn, argument, depend, 0);
}

void pair_generate_untied(struct rt_thread *self, rt_task_fn *fn)
{
	generate(self, fn, NULL, NULL, RT_TASK_UNTIED);
}

struct rt_task *pair_take(struct rt_thread *self)
{
	struct rt_task *task = rt_deque_take(&self->member->deque, NULL);

	EXPECT(task != NULL);
	store_relaxed(&self->team->has_tasks, 0);
	return task;
}

void pair_execute(void *task)
{
	rt_task_execute(pair_enter(), task);
}

void pair_use_up_blocks(struct rt_thread *self)
{
	while (self->slab->free != NULL)
		rt_slab_take(self->slab);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions in which tasks take part: memory for each thread's copies, and finding them. */
#include "reduction.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "shared/precondition.h"
#include "tasks.h"
#include "tsan.h"

enum {
	COUNT = 0,
	SIZE = 1,
	BASE = 2,
	MAKE = 3,
	NEXT = 4,
	OWNER = 5,
	END = 6,
	FIRST = 7,
	WORDS = 3
};

static _Noreturn void fail(const char *what, const void *address)
{
	rt_fatal("%s (variable at %p); the program ends here", what, address);
}

static void make_blocks(uintptr_t *reductions, uint32_t threads)
{
	size_t align = reductions[BASE] > sizeof(void *) ? reductions[BASE] : sizeof(void *);
	size_t bytes = reductions[SIZE] * threads;
	void *blocks = aligned_alloc(align, (bytes + align - 1) & ~(align - 1));

	if (blocks == NULL)
		fail("no memory for a task reduction", (void *)reductions[FIRST]);
	memset(blocks, 0, bytes);
	reductions[BASE] = (uintptr_t)blocks;
	reductions[END] = (uintptr_t)blocks + bytes;
}

static void open_group(struct rt_thread *self, uintptr_t *reductions)
{
	rt_taskgroup_begin(self);
	self->task->group->is_workshare = true;
	self->task->group->reductions = reductions;
}

static void add_to_group(struct rt_thread *self, uintptr_t *reductions)
{
	struct rt_taskgroup *group = self->task->group;

	make_blocks(reductions, self->team->size);
	if (group == NULL)
		return;
	reductions[NEXT] = (uintptr_t)group->reductions;
	group->reductions = reductions;
}

void rt_reduction_register(struct rt_thread *self, uintptr_t *reductions)
{
	reductions[OWNER] = 0;
	add_to_group(self, reductions);
}

void rt_reduction_register_made(
    struct rt_thread *self, uintptr_t *reductions, rt_reduction_make_fn *make)
{
	reductions[OWNER] = RT_REDUCTION_MAKES;
	reductions[MAKE] = (uintptr_t)make;
	add_to_group(self, reductions);
}

void rt_reduction_unregister(uintptr_t *reductions)
{
	free((void *)reductions[BASE]);
}

void rt_reduction_begin_team(struct rt_team *team)
{
	team->reductions[OWNER] = 0;
	make_blocks(team->reductions, team->size);
}

void rt_reduction_enter_team(struct rt_thread *self)
{
	open_group(self, self->team->reductions);
}

void rt_reduction_share(struct rt_thread *self, uintptr_t *reductions, bool first)
{
	CHECK(self->member->loop.share != NULL, "the construct has its slot");

	struct rt_workshare *share = self->member->loop.share;

	if (first) {
		make_blocks(reductions, self->team->size);
		share->reduction_base = reductions[BASE];
	} else {
		reductions[BASE] = share->reduction_base;
		reductions[END] = reductions[BASE] + reductions[SIZE] * self->team->size;
	}
	reductions[OWNER] = first;
	open_group(self, reductions);
}

/*
 * After a cancelled construct other members may still use the blocks. They are freed when the
 * region ends, after its join, which orders all that members did; so the list needs no order of its
 * own.
 */
static void keep_until_join(struct rt_team *team, void *blocks)
{
	struct rt_garbage *garbage = blocks; /* a block holds at least a word */
	struct rt_garbage *head = load_relaxed(&team->garbage);

	do
		garbage->next = head;
	while (!cas_relaxed(&team->garbage, &head, garbage));
}

uintptr_t *rt_reduction_leave(struct rt_thread *self)
{
	CHECK(self->task->group != NULL, "the construct has opened a group");

	uintptr_t *reductions = self->task->group->reductions;

	rt_taskgroup_end(self);
	return reductions;
}

void rt_reduction_unshare(struct rt_thread *self, uintptr_t *reductions, bool cancelled)
{
	if (!reductions[OWNER])
		return;
	if (cancelled)
		keep_until_join(self->team, (void *)reductions[BASE]);
	else
		free((void *)reductions[BASE]);
}

/*
 * An address stands for variable i of an array if it is the address of the variable or of some
 * thread's copy: a task with in_reduction passes its copy on to the tasks that it generates.
 */
static bool remap_in(uintptr_t *reductions, uint32_t number, void **address, void **original)
{
	uintptr_t value = (uintptr_t)*address, base = reductions[BASE], size = reductions[SIZE];
	bool is_copy = value >= base && value < reductions[END];

	for (uintptr_t i = 0; i < reductions[COUNT]; i++) {
		const uintptr_t *variable = &reductions[FIRST + WORDS * i];
		if (is_copy ? (value - base) % size != variable[1] : value != variable[0])
			continue;
		*original = (void *)variable[0];
		*address = (void *)(base + number * size + variable[1]);
		if (unlikely(reductions[OWNER] == RT_REDUCTION_MAKES))
			((rt_reduction_make_fn *)reductions[MAKE])(reductions, number, i);
		return true;
	}
	return false;
}

static bool remap_one(struct rt_thread *self, void **address, void **original)
{
	for (struct rt_taskgroup *group = self->task->group; group != NULL; group = group->outer)
		for (uintptr_t *reductions = group->reductions; reductions != NULL;
		     reductions = (uintptr_t *)reductions[NEXT])
			if (remap_in(reductions, self->number, address, original))
				return true;
	return false;
}

void rt_reduction_remap(struct rt_thread *self, size_t count, size_t originals, void **addresses)
{
	for (size_t i = 0; i < count; i++) {
		void *original;
		if (!remap_one(self, &addresses[i], &original))
			fail("in_reduction: no enclosing construct reduces the variable",
			    addresses[i]);
		if (i < originals)
			addresses[count + i] = original;
	}
	rt_tsan_acquire(self->member); /* the thread's earlier tasks released it */
}

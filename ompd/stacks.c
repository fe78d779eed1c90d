/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks all threads' stacks of tasks into one sorted array. */
#include "stacks.h"

#include <stddef.h>
#include <stdlib.h>

#include "walk.h"

static int by_task(const void *first, const void *second)
{
	const struct begun_task *one = first, *two = second;

	return (one->task > two->task) - (one->task < two->task);
}

static void read_stack(struct reader *reader, struct stacks *stacks, ompd_addr_t thread)
{
	ompd_addr_t task = read_pointer(reader, thread, FIELD_rt_thread_task), over = 0;

	for (uint32_t above = 0; task != 0 && reader->rc == ompd_rc_ok; above++) {
		struct begun_task *begun = list_add(reader, &stacks->list, sizeof(*begun));
		reader_expect(reader, above < WALK_DEPTH);
		if (begun != NULL)
			*begun = (struct begun_task){task, thread, over, above};
		over = task;
		task = walk_below(reader, task).task;
	}
}

void stacks_read(struct reader *reader, struct stacks *stacks)
{
	struct thread_walk walk;
	ompd_addr_t thread = walk_threads(&walk, reader);

	*stacks = (struct stacks){{0}};
	for (; thread != 0; thread = walk_next_thread(&walk))
		if (walk_current_team(reader, thread) != 0)
			read_stack(reader, stacks, thread);
	if (stacks->list.count > 1)
		qsort(stacks->list.items, stacks->list.count, sizeof(struct begun_task), by_task);
}

void stacks_free(struct stacks *stacks)
{
	list_free(&stacks->list);
}

ompd_size_t stacks_count(const struct stacks *stacks)
{
	return stacks->list.count;
}

const struct begun_task *stacks_at(const struct stacks *stacks, ompd_size_t index)
{
	return (const struct begun_task *)stacks->list.items + index;
}

const struct begun_task *stacks_find(const struct stacks *stacks, ompd_addr_t task)
{
	const struct begun_task wanted = {task, 0, 0, 0};

	if (stacks->list.count == 0)
		return NULL;
	return bsearch(&wanted, stacks->list.items, stacks->list.count, sizeof(wanted), by_task);
}

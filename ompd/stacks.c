/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the task stacks of all threads and sorts them into arrays. */
#include "stacks.h"

#include <stddef.h>
#include <stdlib.h>

#include "library.h"
#include "shared/precondition.h"
#include "walk.h"

static int by_task(const void *first, const void *second)
{
	const struct begun_task *one = first, *two = second;

	return (one->task > two->task) - (one->task < two->task);
}

static int by_number(const void *first, const void *second)
{
	const struct known_thread *one = first, *two = second;

	return (one->number > two->number) - (one->number < two->number);
}

bool thread_has_ended(struct reader *reader, uint64_t number)
{
	const ompd_callbacks_t *callbacks = library_callbacks();
	uint32_t id = (uint32_t)number;
	ompd_thread_context_t *context;
	ompd_rc_t rc;

	if (reader->rc != ompd_rc_ok || callbacks->get_thread_context_for_thread_id == NULL)
		return false;
	rc = callbacks->get_thread_context_for_thread_id(
	    reader->space->context, OMPD_THREAD_ID_LWP, sizeof(id), &id, &context);
	if (rc != ompd_rc_ok && rc != ompd_rc_unavailable && rc != ompd_rc_unsupported &&
	    rc != ompd_rc_bad_input)
		reader->rc = rc;
	return rc == ompd_rc_unavailable;
}

static void read_stack(
    struct reader *reader, struct stacks *stacks, const struct known_thread *known)
{
	ompd_addr_t task = known->current, over = 0;

	for (uint32_t above = 0; task != 0 && reader->rc == ompd_rc_ok; above++) {
		struct begun_task *begun = list_add(reader, &stacks->list, sizeof(*begun));
		reader_expect(reader, above < WALK_DEPTH);
		if (begun != NULL)
			*begun =
			    (struct begun_task){task, known->thread, over, above, known->has_ended};
		over = task;
		task = walk_below(reader, task).task;
	}
}

void stacks_read(struct reader *reader, struct stacks *stacks)
{
	struct thread_walk walk;
	ompd_addr_t thread = walk_threads(&walk, reader);

	*stacks = (struct stacks){{0}, {0}};
	for (; thread != 0; thread = walk_next_thread(&walk)) {
		struct known_thread known = {
		    read_field(reader, thread, FIELD_rt_thread_system_id), thread, 0, false};
		struct known_thread *added = list_add(reader, &stacks->threads, sizeof(known));
		if (walk_current_team(reader, thread) != 0)
			known.current = read_pointer(reader, thread, FIELD_rt_thread_task);
		known.has_ended = thread_has_ended(reader, known.number);
		if (added != NULL)
			*added = known;
		read_stack(reader, stacks, &known);
	}
	if (stacks->threads.count > 1)
		qsort(stacks->threads.items, stacks->threads.count, sizeof(struct known_thread),
		    by_number);
	if (stacks->list.count > 1)
		qsort(stacks->list.items, stacks->list.count, sizeof(struct begun_task), by_task);
}

void stacks_free(struct stacks *stacks)
{
	list_free(&stacks->list);
	list_free(&stacks->threads);
}

ompd_size_t stacks_count(const struct stacks *stacks)
{
	return stacks->list.count;
}

const struct begun_task *stacks_at(const struct stacks *stacks, ompd_size_t index)
{
	CHECK(index < stacks->list.count, "the list has the task");
	return (const struct begun_task *)stacks->list.items + index;
}

const struct begun_task *stacks_find(const struct stacks *stacks, ompd_addr_t task)
{
	const struct begun_task wanted = {.task = task};

	if (stacks->list.count == 0)
		return NULL;
	return bsearch(&wanted, stacks->list.items, stacks->list.count, sizeof(wanted), by_task);
}

const struct known_thread *stacks_thread(const struct stacks *stacks, uint64_t number)
{
	const struct known_thread wanted = {.number = number};

	if (stacks->threads.count == 0)
		return NULL;
	return bsearch(
	    &wanted, stacks->threads.items, stacks->threads.count, sizeof(wanted), by_number);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks all threads' stacks of tasks into one sorted array. */
#include "stacks.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "walk.h"

/* A sane target has far fewer; a damaged one must not fill the debugger's memory. */
enum { MOST_BEGUN = 1 << 20 };

static void grow(struct reader *reader, struct stacks *stacks)
{
	ompd_size_t room = stacks->room != 0 ? 2 * stacks->room : 256;
	void *memory;

	reader_expect(reader, room <= MOST_BEGUN);
	if (reader->rc == ompd_rc_ok)
		reader->rc = library_alloc(room * sizeof(*stacks->begun), &memory);
	if (reader->rc != ompd_rc_ok)
		return;
	if (stacks->begun != NULL) {
		memcpy(memory, stacks->begun, stacks->count * sizeof(*stacks->begun));
		library_free(stacks->begun);
	}
	stacks->begun = memory;
	stacks->room = room;
}

static void add(struct reader *reader, struct stacks *stacks, struct begun_task begun)
{
	if (stacks->count == stacks->room)
		grow(reader, stacks);
	if (reader->rc == ompd_rc_ok)
		stacks->begun[stacks->count++] = begun;
}

static int by_task(const void *first, const void *second)
{
	const struct begun_task *one = first, *two = second;

	return (one->task > two->task) - (one->task < two->task);
}

void stacks_read(struct reader *reader, struct stacks *stacks)
{
	struct thread_walk walk;
	ompd_addr_t thread = walk_threads(&walk, reader), task;

	*stacks = (struct stacks){0};
	for (; thread != 0; thread = walk_next_thread(&walk)) {
		if (walk_current_team(reader, thread) == 0)
			continue;
		task = read_pointer(reader, thread, FIELD_rt_thread_task);
		for (uint32_t above = 0; task != 0 && reader->rc == ompd_rc_ok; above++) {
			reader_expect(reader, above < WALK_DEPTH);
			add(reader, stacks, (struct begun_task){task, thread, above});
			task = walk_below(reader, task).task;
		}
	}
	if (stacks->count > 1)
		qsort(stacks->begun, stacks->count, sizeof(*stacks->begun), by_task);
}

void stacks_free(struct stacks *stacks)
{
	if (stacks->begun != NULL)
		library_free(stacks->begun);
	*stacks = (struct stacks){0};
}

const struct begun_task *stacks_find(const struct stacks *stacks, ompd_addr_t task)
{
	const struct begun_task wanted = {task, 0, 0};

	if (stacks->count == 0)
		return NULL;
	return bsearch(
	    &wanted, stacks->begun, stacks->count, sizeof(*stacks->begun), by_task);
}

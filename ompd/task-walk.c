/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The walk over the slabs. If a block has a parent and no frame, it was taken for a task that has
 * not begun. A block that was never taken has neither; one whose task was executed keeps the frame,
 * whatever it is used for now. A task's counters are zero in a free block, so an unfulfilled event
 * or remaining children show a task that has ended but is not freed.
 *
 * A stopped process may contain a task that is just being created; the creating thread is shown as
 * running.
 */
#include "task-walk.h"

#include "shared/precondition.h"
#include "walk.h"

#include <stddef.h>

uint32_t walk_blockers(struct reader *reader, ompd_addr_t task)
{
	ompd_addr_t node = read_pointer(reader, task, FIELD_rt_task_node);

	return node != 0 ? (uint32_t)read_field(reader, node, FIELD_rt_depend_node_blockers) : 0;
}

/*
 * Returns the state of a task without a thread, in a block of a slab. 0: the block is free, or its
 * task has begun.
 */
static ompdx_task_state_t state_in_slab(
    struct reader *reader, const struct stacks *stacks, ompd_addr_t task)
{
	if (read_pointer(reader, task, FIELD_rt_task_frame) == 0) {
		if (read_pointer(reader, task, FIELD_rt_task_parent) == 0)
			return 0;
		return walk_blockers(reader, task) != 0 ? ompdx_task_blocked : ompdx_task_ready;
	}
	if (walk_awaits_event(reader, task))
		return stacks_find(stacks, task) == NULL ? ompdx_task_detached : 0;
	if (read_field(reader, task, FIELD_rt_task_created) != 0)
		return stacks_find(stacks, task) == NULL ? ompdx_task_ended : 0;
	return 0;
}

struct slab_walk {
	const struct stacks *stacks;
	task_visitor *visit;
	void *context;
};

static void walk_chunk(struct reader *reader, const struct slab_walk *walk, ompd_addr_t chunk)
{
	ompd_addr_t block = field_address(reader, chunk, FIELD_rt_slab_chunk_blocks);
	uint32_t bytes = reader->space->fields[FIELD_rt_slab_chunk_blocks].size;
	uint32_t each = reader->space->fields[STRUCT_rt_slab_block].size;

	reader_expect(reader, each != 0);
	for (uint32_t at = 0; reader->rc == ompd_rc_ok && bytes - at >= each; at += each) {
		ompd_addr_t task = field_address(reader, block + at, FIELD_rt_slab_block_task);
		ompdx_task_state_t state = state_in_slab(reader, walk->stacks, task);
		if (reader->rc == ompd_rc_ok && state != 0)
			walk->visit(reader, walk->context, task, state, NULL);
	}
}

/* Uses Brent's algorithm: `mark` is an earlier chunk, replaced after ever more steps. */
static void walk_slab(struct reader *reader, const struct slab_walk *walk, ompd_addr_t slab)
{
	ompd_addr_t chunk = read_pointer(reader, slab, FIELD_rt_slab_chunks), mark = 0;
	uint32_t steps = 0, limit = 2;

	while (chunk != 0 && reader->rc == ompd_rc_ok) {
		walk_chunk(reader, walk, chunk);
		if (++steps == limit) {
			mark = chunk;
			limit *= 2;
			steps = 0;
		}
		chunk = read_pointer(reader, chunk, FIELD_rt_slab_chunk_next);
		reader_expect(reader, chunk == 0 || chunk != mark);
	}
}

void walk_tasks(
    struct reader *reader, const struct stacks *stacks, task_visitor *visit, void *context)
{
	CHECK(reader->bulk != NULL || reader->rc != ompd_rc_ok, "the reader is a bulk reader");

	struct slab_walk walk = {stacks, visit, context};
	struct thread_walk threads;
	ompd_addr_t thread;

	for (ompd_size_t i = 0; i < stacks_count(stacks) && reader->rc == ompd_rc_ok; i++) {
		const struct begun_task *begun = stacks_at(stacks, i);
		visit(reader, context, begun->task,
		    begun->above == 0 ? ompdx_task_running : ompdx_task_suspended, begun);
	}
	thread = walk_threads(&threads, reader);
	for (; thread != 0; thread = walk_next_thread(&threads)) {
		ompd_addr_t slab = read_pointer(reader, thread, FIELD_rt_thread_slab);
		if (slab != 0)
			walk_slab(reader, &walk, slab);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks.
 *
 *   returned  push with release by the thread that frees, taken as a whole with acquire by the
 *             owner: it sees the last use of the block before it fills it again
 * Only the owner takes from `returned`, and always all of it, so there is no ABA problem.
 */
#include "slab.h"

#include "race.h"

#include <stdlib.h>
#include <string.h>

struct rt_slab *rt_slab_new(void)
{
	struct rt_slab *slab = aligned_alloc(PROCESSOR_APART, sizeof(*slab));

	if (slab != NULL)
		*slab = (struct rt_slab){0};
	return slab;
}

void rt_slab_free(struct rt_slab *slab)
{
	if (slab == NULL)
		return;
	while (slab->chunks != NULL) {
		struct rt_slab_chunk *chunk = slab->chunks;
		slab->chunks = chunk->next;
		free(chunk);
	}
	free(slab);
}

static bool add_chunk(struct rt_slab *slab)
{
	struct rt_slab_chunk *chunk = aligned_alloc(PROCESSOR_LINE, sizeof(*chunk));

	if (chunk == NULL)
		return false;
	chunk->next = slab->chunks;
	slab->chunks = chunk;
	for (int i = RT_SLAB_CHUNK_BLOCKS - 1; i >= 0; i--) {
		memset(&chunk->blocks[i].task, 0, sizeof(chunk->blocks[i].task));
		chunk->blocks[i].task.next = slab->free;
		chunk->blocks[i].task.slab = slab;
		slab->free = &chunk->blocks[i].task;
	}
	return true;
}

struct rt_task *rt_slab_take_slow(struct rt_slab *slab)
{
	struct rt_task *task;

	if (load_relaxed(&slab->returned) != NULL)
		slab->free = exchange_acquire(&slab->returned, NULL);
	else if (!add_chunk(slab))
		return NULL;
	task = slab->free;
	slab->free = task->next;
	rt_slab_note_taken(task);
	return task;
}

RT_COLD void rt_slab_note_given(struct rt_task *task)
{
	void *hidden;

	if (!rt_watched(RT_BY_RACE)) {
		rt_tsan_release(task);
		return;
	}
	hidden = rt_race_hide(rt_current);
	rt_tsan_forget(task);
	rt_tsan_forget(&task->joins);
	rt_race_show(hidden);
}

void rt_slab_give_back(struct rt_task *task)
{
	struct rt_slab *home = task->slab;
	struct rt_task *head = load_relaxed(&home->returned);

	do
		task->next = head;
	while (!cas_release(&home->returned, &head, task));
}

void *rt_slab_arguments(struct rt_task *task)
{
	return ((struct rt_slab_block *)task)->arguments;
}

void *rt_slab_take_bytes(struct rt_slab *slab)
{
	struct rt_task *task = rt_slab_take(slab);
	return task != NULL ? rt_slab_arguments(task) : NULL;
}

void rt_slab_give_bytes(struct rt_slab *own, void *bytes)
{
	rt_slab_give(
	    own, (struct rt_task *)((char *)bytes - offsetof(struct rt_slab_block, arguments)));
}

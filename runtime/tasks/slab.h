/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks: one slab per thread, blocks of one size that hold a task and its arguments.
 *
 * Blocks go back to the slab they came from, whichever thread frees them, so that a thread that
 * generates tasks for others runs on a constant amount of memory. Memory is unmapped only with the
 * slab: a thief may read the header of a task that is gone (it then finds that it lost the race).
 */
#ifndef RT_SLAB_H
#define RT_SLAB_H
#include <stddef.h>

#include "atomics.h"
#include "process.h"
#include "processor.h"
#include "task.h"
#include "tsan.h"

enum { RT_SLAB_ARGUMENT_BYTES = 192 }; /* arguments that fit beside the task */

struct rt_slab_block {
	_Alignas(PROCESSOR_LINE) struct rt_task task;
	_Alignas(PROCESSOR_LINE) char arguments[RT_SLAB_ARGUMENT_BYTES];
};

enum { RT_SLAB_CHUNK_BLOCKS = 16 };

struct rt_slab_chunk {
	struct rt_slab_chunk *next;
	struct rt_slab_block blocks[RT_SLAB_CHUNK_BLOCKS];
};

struct rt_slab {
	struct rt_task *free; /* the owner's */
	struct rt_slab_chunk *chunks;
	RT_PADDED _Atomic(struct rt_task *) returned; /* freed by other threads */
};

/* An empty slab for one thread; NULL: no memory. */
struct rt_slab *rt_slab_new(void);
/* Unmaps all blocks; none is in use any more, by any thread. NULL: nothing happens. */
void rt_slab_free(struct rt_slab *slab);

/*
 * For ThreadSanitizer: what is done to the block from now on comes after what its user did. Where
 * races are looked for, two tasks that nothing else orders would be ordered by that, and what the
 * program reads is not in the block: then the block becomes one at which nothing was released.
 */
void rt_slab_note_given(struct rt_task *task);

/* What rt_slab_take() and rt_slab_give() do when they need more than a few instructions. */
struct rt_task *rt_slab_take_slow(struct rt_slab *slab);
void rt_slab_give_back(struct rt_task *task);

/* And what rt_slab_note_given() said holds for the new user. */
static inline void rt_slab_note_taken(struct rt_task *task)
{
	if (unlikely(rt_tsan_is_present()) && !rt_process.race)
		rt_tsan_acquire(task);
}

/*
 * The owner only. What a task counts and collects while it lives is zero in a free block (see
 * struct rt_task), the rest is left over from its last use. NULL: no memory.
 */
static inline struct rt_task *rt_slab_take(struct rt_slab *slab)
{
	struct rt_task *task = slab->free;

	if (unlikely(task == NULL))
		return rt_slab_take_slow(slab);
	slab->free = task->next;
	rt_slab_note_taken(task);
	return task;
}

/* Any thread; `own` is the caller's slab or NULL. */
static inline void rt_slab_give(struct rt_slab *own, struct rt_task *task)
{
	if (unlikely(rt_tsan_is_present()))
		rt_slab_note_given(task);
	if (likely(task->slab == own)) {
		task->next = own->free;
		own->free = task;
	} else {
		rt_slab_give_back(task);
	}
}

/* The same for other things that come and go with tasks, of RT_SLAB_ARGUMENT_BYTES each. */
void *rt_slab_take_bytes(struct rt_slab *slab);
void rt_slab_give_bytes(struct rt_slab *own, void *bytes);

/* Where a task's arguments of up to RT_SLAB_ARGUMENT_BYTES stand. */
void *rt_slab_arguments(struct rt_task *task);

#endif

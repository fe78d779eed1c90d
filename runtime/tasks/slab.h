/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for tasks: one slab per thread, blocks of one size that hold a task and its arguments.
 *
 * A block returns to the slab that it came from, whichever thread frees it, so that a thread that
 * generates tasks for others needs a constant amount of memory. Memory is unmapped only with the
 * slab: a thief may read the header of a task that is gone (it then finds that it lost the race).
 */
#ifndef RT_SLAB_H
#define RT_SLAB_H
#include <stddef.h>

#include "atomics.h"
#include "processor-code.h"
#include "task.h"
#include "tsan.h"
#include "watch.h"

enum { RT_SLAB_ARGUMENT_BYTES = 192 }; /* arguments that fit beside the task */

struct rt_slab_block {
	_Alignas(PROCESSOR_LINE) struct rt_task task;
	_Alignas(PROCESSOR_LINE) char arguments[RT_SLAB_ARGUMENT_BYTES];
};

_Static_assert(offsetof(struct rt_slab_block, task) == 0, "a task's address is its block's");

enum { RT_SLAB_CHUNK_BLOCKS = 16 };

struct rt_slab_chunk {
	struct rt_slab_chunk *next;
	struct rt_slab_block blocks[RT_SLAB_CHUNK_BLOCKS];
};

struct rt_slab {
	struct rt_task *free; /* only the owner uses it */
	struct rt_slab_chunk *chunks;
	RT_PADDED _Atomic(struct rt_task *) returned; /* freed by other threads */
};

/* An empty slab for one thread; NULL: no memory. */
struct rt_slab *rt_slab_new(void);
/* Unmaps all blocks, none of which any thread may still use. Does nothing with NULL. */
void rt_slab_free(struct rt_slab *slab);

/*
 * For ThreadSanitizer: what is done to the block from now on comes after what its user did. With
 * race detection this would order two tasks that nothing else orders, and what the program reads is
 * not in the block; so the block then becomes one at which nothing was released.
 */
void rt_slab_note_given(struct rt_task *task);

/* What rt_slab_take() and rt_slab_give() do when they need more than a few instructions. */
struct rt_task *rt_slab_take_slow(struct rt_slab *slab);
void rt_slab_give_back(struct rt_task *task);

/* The counterpart of rt_slab_note_given() for the new user. */
static inline void rt_slab_note_taken(struct rt_task *task)
{
	if (unlikely(rt_tsan_is_present()) && !rt_watched(RT_BY_RACE))
		rt_tsan_acquire(task);
}

/*
 * Called by the owner only. The fields in which a task counts and collects are zero in a free block
 * (see struct rt_task); the rest is left over from its last use. NULL: no memory.
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

/* The same for other objects of at most RT_SLAB_ARGUMENT_BYTES that come and go with tasks. */
void *rt_slab_take_bytes(struct rt_slab *slab);
void rt_slab_give_bytes(struct rt_slab *own, void *bytes);

/*
 * Address of a task's arguments of up to RT_SLAB_ARGUMENT_BYTES. With race detection they are
 * elsewhere, and here is the task's struct team_position.
 */
void *rt_slab_arguments(struct rt_task *task);

#endif

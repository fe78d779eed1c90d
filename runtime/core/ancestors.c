/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks whose descendant a task is, while threads that complete tasks remove ended ones from the
 * line of ancestors and reuse their memory.
 *
 * The walk may read headers of tasks that are gone; their memory always holds a header (struct
 * rt_slab_block). The depth, which ends the walk, decreases with each step of an intact line. If a
 * task was left out meanwhile, the walk may have continued through reused memory, so it is
 * repeated.
 *
 * Who sees what:
 *   left_out  sequential addition after the line was changed and before the memory is reused; read
 *             with acquire before the walk, and after the acquire loads of the walk: a walk that
 *             came through reused memory finds the number changed
 */
#include "task.h"

_Atomic uint32_t rt_ancestors_left_out;

/*
 * A function that ThreadSanitizer does not observe. It must not be inlined, since its code would
 * then be observed as part of the caller.
 */
#ifdef __SANITIZE_THREAD__
#define UNOBSERVED __attribute__((no_sanitize("thread"), noipa))
#else
#define UNOBSERVED
#endif

/* By design the read races with the writes of a new owner of the memory. */
static UNOBSERVED uint32_t depth_of(const struct rt_task *task)
{
	return task->depth;
}

static const struct rt_task *ancestor_at(const struct rt_task *task, uint32_t depth)
{
	uint32_t steps = depth_of(task);

	while (task != NULL && steps > depth) {
		uint32_t next;

		task = load_acquire(&task->parent);
		next = task != NULL ? depth_of(task) : 0;
		if (next >= steps)
			return NULL; /* of another line: the memory has been reused */
		steps = next;
	}
	return task;
}

bool rt_task_descends(const struct rt_task *task, const struct rt_task *ancestor)
{
	uint32_t before = load_acquire(&rt_ancestors_left_out), after;

	if (depth_of(task) <= ancestor->depth)
		return false;
	for (;;) {
		bool descends = ancestor_at(task, ancestor->depth) == ancestor;

		after = load_acquire(&rt_ancestors_left_out);
		if (after == before)
			return descends;
		before = after;
	}
}

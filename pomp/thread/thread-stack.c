/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes room on a thread's stack of regions. */
#include "thread-stack.h"

#include "process-state.h"
#include "shared/precondition.h"

#include <stdlib.h>
#include <string.h>

bool pomp_thread_grow_stack(struct pomp_thread *thread)
{
	CHECK(thread == pomp_self, "only the owner changes its stack");

	size_t depth = (size_t)(thread->top - thread->stack);
	size_t size = (size_t)(thread->stack_limit - thread->stack) * 2;
	struct pomp_frame *stack = NULL;

	/*
	 * The frames are not in an array with a count: an event compares `top` with the pointer to
	 * the end.
	 */
	bool is_first = thread->stack == thread->first_stack;
	if (pomp_metrics_grow(thread, size))
		stack = realloc(is_first ? NULL : thread->stack, size * sizeof(struct pomp_frame));
	if (stack == NULL) {
		pomp_out_of_memory("a thread's stack of regions");
		return false;
	}
	/* The first one lasts as long as the thread's block, which may have other owners. */
	if (is_first)
		memcpy(stack, thread->stack, size / 2 * sizeof(struct pomp_frame));
	thread->stack = stack;
	thread->stack_limit = stack + size;
	thread->top = stack + depth;
	return true;
}

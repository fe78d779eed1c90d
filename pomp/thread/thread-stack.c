/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes room on a thread's stack of regions. */
#include "thread-stack.h"

#include "process-state.h"
#include "shared/precondition.h"

#include <stdlib.h>

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
	if (pomp_metrics_grow(thread, size))
		stack = realloc(thread->stack, size * sizeof(struct pomp_frame));
	if (stack == NULL) {
		pomp_out_of_memory("a thread's stack of regions");
		return false;
	}
	thread->stack = stack;
	thread->stack_limit = stack + size;
	thread->top = stack + depth;
	return true;
}

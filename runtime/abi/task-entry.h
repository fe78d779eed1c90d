/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entry points of tasking for gcc's and for clang's code have in common. */
#ifndef RT_TASK_ENTRY_H
#define RT_TASK_ENTRY_H
#include "abi.h"
#include "process.h"
#include "team.h"
#include "with-tool.h"

/* Where the program has called the entry point; only for use in the entry point itself. */
#ifdef RT_WITHOUT_DEBUGGER
#define GENERATED_HERE NULL
#else
#define GENERATED_HERE __builtin_return_address(0)
#endif

/* Calls the function, or its variant with a tool if one is or may be attached. */
#define CALL(function)                                                                             \
	do {                                                                                       \
		struct rt_thread *self = rt_unwatched;                                             \
		if (likely(self != NULL)) {                                                        \
			function(self);                                                            \
		} else {                                                                           \
			self = rt_self();                                                          \
			if (rt_note_call(&self))                                                   \
				function##_with_tool(self);                                        \
			else                                                                       \
				function(self);                                                    \
		}                                                                                  \
	} while (0)

/* The effective value of the program's priority clause; OpenMP 5.2, 12.4. */
static inline int32_t rt_task_usable_priority(int32_t priority)
{
	if (priority < 0)
		return 0;
	return priority < rt_process.max_task_priority ? priority : rt_process.max_task_priority;
}

/*
 * taskwait with depend clauses and nowait: generates a task without a body, on which others may
 * depend. Called after rt_note_call(); site: GENERATED_HERE.
 */
void rt_task_generate_empty(struct rt_thread *self, void **depend, const void *site);

#endif

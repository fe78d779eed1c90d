/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the program's code from the runtime's own, which the linker has put between two symbols. */
#include "caller.h"

#include "team.h"

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

bool rt_is_runtime_code(const void *address)
{
	uintptr_t first = (uintptr_t)__ehdr_start;

	return (uintptr_t)address - first < (uintptr_t)etext - first;
}

const void *rt_tool_caller(const struct rt_thread *self, const void *address)
{
	uintptr_t entry;

	if (!rt_is_runtime_code(address) || self == NULL)
		return address;
	if (self->task->flags & RT_TASK_IMPLICIT)
		entry = (uintptr_t)self->team->fn;
	else
		entry = (uintptr_t)self->task->fn;
	return entry != 0 ? (const void *)(entry + 1) : NULL;
}

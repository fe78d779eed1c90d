/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the program called the runtime, for a tool. Called only while one is attached. */
#include "tool-notes.h"

#include "team.h"
#include "thread.h"

/* Symbols of the linker: where this library begins, and where its code ends. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

bool rt_tool_is_runtime_code(const void *address)
{
	return (uintptr_t)address >= (uintptr_t)__ehdr_start &&
	       (uintptr_t)address < (uintptr_t)etext;
}

static uintptr_t code_of(const struct rt_task *task)
{
	if (task->flags & RT_TASK_IMPLICIT)
		return (uintptr_t)task->team->tool.code;
	return (uintptr_t)task->tool.code;
}

const void *rt_tool_users_address(const void *codeptr)
{
	uintptr_t code;

	if (!rt_tool_is_runtime_code(codeptr) || rt_current == NULL)
		return codeptr;
	code = code_of(rt_current->task);
	if (code == 0 || rt_tool_is_runtime_code((const void *)code))
		return NULL;
	return (const void *)(code + 1);
}

struct rt_thread *rt_tool_note_call(struct rt_thread *self, const void *codeptr, void *frame)
{
	self->tool.codeptr = rt_tool_users_address(codeptr);
	self->tool.frame = frame;
	return self;
}

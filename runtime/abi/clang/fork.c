/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: forked, or executed by the encountering thread alone, whose code then calls the
 * region's function itself. What its clauses say comes before, in calls of their own.
 */
#include <alloca.h>

#include "events.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "microtask.h"
#include "process.h"
#include "region.h"

/* The one policy that is not as in enum rt_bind. */
enum { KMP_BIND_PRIMARY = 5 };

/* The clauses of the next region, which hold for that one only. */
static struct rt_region_request take_clauses(struct rt_thread *self)
{
	struct rt_region_request request = {
	    .num_threads = self->clauses.num_threads, .flags = self->clauses.proc_bind};

	self->clauses.num_threads = self->clauses.proc_bind = 0;
	return request;
}

static inline __attribute__((always_inline)) void fork_call(
    struct rt_thread *self, struct kmp_microtask *microtask, const void *caller, void *frame)
{
	struct rt_region_request request = take_clauses(self);

	request.fn = kmp_microtask_run;
	request.data = microtask;
	request.code = (rt_region_fn *)(uintptr_t)microtask->fn;
	if (unlikely(rt_tool_is_active()))
		rt_parallel_with_tool(rt_tool_note_call(self, caller, frame), &request);
	else
		rt_parallel(self, &request);
}

/* One thread executes the region. */
static void fork_alone(struct rt_thread *self, rt_region_fn *code, const void *caller, void *frame)
{
	struct rt_region_request request = take_clauses(self);

	request.code = code;
	request.num_threads = 1;
	if (unlikely(rt_tool_is_active()))
		rt_tool_note_call(self, caller, frame);
	rt_parallel_begin(self, &request);
}

ENTRY(
    void, __kmpc_fork_call, const struct kmp_ident *ident, int32_t count, kmp_microtask_fn *fn, ...)
{
	void **arguments = alloca((size_t)count * sizeof(*arguments));
	struct kmp_microtask microtask = {fn, count, arguments};
	va_list list;

	(void)ident;
	va_start(list, fn);
	kmp_microtask_arguments(count, arguments, list);
	va_end(list);
	fork_call(rt_self(), &microtask, CALLER, __builtin_dwarf_cfa());
}

/* With an if clause; the one argument is a structure of all. */
ENTRY(void, __kmpc_fork_call_if, const struct kmp_ident *ident, int32_t count, kmp_microtask_fn *fn,
    int32_t condition, void *argument)
{
	struct kmp_microtask microtask = {fn, count, &argument};
	struct rt_thread *self = rt_self();

	(void)ident;
	if (!condition)
		self->clauses.num_threads = 1;
	fork_call(self, &microtask, CALLER, __builtin_dwarf_cfa());
}

KMP_ENTRY_PLAIN(void, __kmpc_serialized_parallel)
{
	KMP_UNUSED();
	fork_alone(rt_self(), NULL, CALLER, __builtin_dwarf_cfa());
}

KMP_ENTRY_PLAIN(void, __kmpc_end_serialized_parallel)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	kmp_leave_work(self);
	rt_parallel_end(self);
}

KMP_ENTRY(void, __kmpc_push_num_threads, int32_t count)
{
	KMP_UNUSED();
	rt_self()->clauses.num_threads = count > 0 ? (uint32_t)count : 0;
}

KMP_ENTRY(void, __kmpc_push_proc_bind, int32_t policy)
{
	KMP_UNUSED();
	rt_self()->clauses.proc_bind =
	    policy == KMP_BIND_PRIMARY ? RT_BIND_PRIMARY : (uint32_t)policy & 7;
}

ENTRY(int32_t, __kmpc_global_thread_num, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->global_number;
}

ENTRY(int32_t, __kmpc_global_num_threads, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->team->size;
}

ENTRY(int32_t, __kmpc_bound_thread_num, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->number;
}

ENTRY(int32_t, __kmpc_bound_num_threads, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->team->size;
}

ENTRY(int32_t, __kmpc_in_parallel, const struct kmp_ident *ident)
{
	(void)ident;
	return rt_self()->team->active_level > 0;
}

ENTRY(int32_t, __kmpc_ok_to_fork, const struct kmp_ident *ident)
{
	(void)ident;
	return 1;
}

/* Compilers need not call them: the library begins by itself, and ends with the process. */
ENTRY(void, __kmpc_begin, const struct kmp_ident *ident, int32_t flags)
{
	(void)ident;
	(void)flags;
}

ENTRY(void, __kmpc_end, const struct kmp_ident *ident)
{
	(void)ident;
}

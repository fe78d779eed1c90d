/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: the region is forked, or the encountering thread executes it alone, whose code then
 * calls the region's function itself. Separate calls before it pass what its clauses request.
 */
#include <alloca.h>
#include <stdlib.h>

#include "events.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "message.h"
#include "microtask.h"
#include "parallel-region.h"
#include "watch.h"

/* The only policy whose number differs from enum rt_bind. */
enum { KMP_BIND_PRIMARY = 5 };

enum { KMP_SEVERITY_FATAL = 2 };

/* The clauses of the next region, which apply only to that one. */
static struct rt_region_request take_clauses(struct rt_thread *self)
{
	struct rt_region_request request = {.num_threads = self->clauses.num_threads,
	    .inner_threads = self->clauses.inner_threads,
	    .inner_count = self->clauses.inner_count,
	    .flags = self->clauses.proc_bind};

	self->clauses.num_threads = self->clauses.proc_bind = self->clauses.strict = 0;
	self->clauses.inner_threads = NULL;
	self->clauses.inner_count = 0;
	return request;
}

/* num_threads(strict: n), OpenMP 6.0, 12.1.2; the clause's severity and message are in effect. */
struct strict_microtask {
	struct kmp_microtask microtask; /* first: kmp_microtask_run() gets its address */
	uint32_t wanted, severity;
	const char *message;
	const struct kmp_ident *ident;
};

static RT_COLD void report_other_size(const struct strict_microtask *strict, uint32_t size)
{
	const char *message = strict->message != NULL ? strict->message : "";
	const char *colon = strict->message != NULL ? ": " : "";
	char place[KMP_PLACE_SIZE];

	kmp_print_place(strict->ident, place);
	if (strict->severity == KMP_SEVERITY_FATAL)
		rt_fatal("%sa region of exactly %u threads can have %u%s%s; the program ends here",
		    place, strict->wanted, size, colon, message);
	rt_message("%sa region of exactly %u threads has %u%s%s", place, strict->wanted, size,
	    colon, message);
}

static void run_strict(void *argument)
{
	const struct strict_microtask *strict = argument;
	const struct rt_thread *self = rt_current;

	if (self->number == 0 && self->team->size != strict->wanted)
		report_other_size(strict, self->team->size);
	kmp_microtask_run(argument);
}

static inline __attribute__((always_inline)) void fork_and_join(struct rt_thread *self,
    const struct rt_region_request *request, const void *caller, void *frame)
{
	if (rt_watched(RT_BY_TOOL))
		rt_parallel_with_tool(rt_tool_note_call(self, caller, frame), request);
	else if (rt_watched(RT_BY_RACE))
		rt_parallel_for_race(self, request);
	else
		rt_parallel(self, request);
}

static RT_COLD void fork_strict(struct rt_thread *self, const struct kmp_ident *ident,
    struct kmp_microtask *microtask, const void *caller, void *frame)
{
	struct strict_microtask strict = {*microtask, self->clauses.num_threads,
	    self->clauses.strict, self->clauses.message, ident};
	struct rt_region_request request = take_clauses(self);

	request.fn = run_strict;
	request.data = &strict;
	request.code = (rt_region_fn *)(uintptr_t)microtask->fn;
	fork_and_join(self, &request, caller, frame);
}

static inline __attribute__((always_inline)) void fork_call(struct rt_thread *self,
    const struct kmp_ident *ident, struct kmp_microtask *microtask, const void *caller, void *frame)
{
	struct rt_region_request request;

	if (unlikely(self->clauses.strict != 0)) {
		fork_strict(self, ident, microtask, caller, frame);
		return;
	}
	request = take_clauses(self);
	request.fn = kmp_microtask_run;
	request.data = microtask;
	request.code = (rt_region_fn *)(uintptr_t)microtask->fn;
	fork_and_join(self, &request, caller, frame);
}

/* One thread executes the region. */
static void fork_alone(struct rt_thread *self, const void *caller, void *frame)
{
	struct rt_region_request request = take_clauses(self);

	request.num_threads = 1;
	if (rt_watched(RT_BY_TOOL))
		rt_tool_note_call(self, caller, frame);
	rt_parallel_begin(self, &request);
}

LONE_ENTRY(
    void, __kmpc_fork_call, const struct kmp_ident *ident, int32_t count, kmp_microtask_fn *fn, ...)
{
	void **arguments = alloca((size_t)count * sizeof(*arguments));
	struct kmp_microtask microtask = {fn, count, arguments};
	va_list list;

	va_start(list, fn);
	kmp_microtask_arguments(count, arguments, list);
	va_end(list);
	fork_call(rt_self(), ident, &microtask, CALLER, __builtin_dwarf_cfa());
}

/* With an if clause; the only argument is a structure of all variables. */
LONE_ENTRY(void, __kmpc_fork_call_if, const struct kmp_ident *ident, int32_t count,
    kmp_microtask_fn *fn, int32_t condition, void *argument)
{
	struct kmp_microtask microtask = {fn, count, &argument};
	struct rt_thread *self = rt_self();

	if (!condition)
		self->clauses.num_threads = 1;
	fork_call(self, ident, &microtask, CALLER, __builtin_dwarf_cfa());
}

KMP_ENTRY_PLAIN(void, __kmpc_serialized_parallel)
{
	KMP_UNUSED();
	fork_alone(rt_self(), CALLER, __builtin_dwarf_cfa());
}

KMP_ENTRY_PLAIN(void, __kmpc_end_serialized_parallel)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	kmp_leave_work(self);
	rt_parallel_end(self);
}

/* num_threads. severity: of the error of another number of threads, 0: no error. */
static void set_num_threads(int32_t count, int32_t severity, const char *message)
{
	struct rt_clauses *clauses = &rt_self()->clauses;

	clauses->num_threads = kmp_positive(count);
	clauses->strict = clauses->num_threads != 0 ? (uint32_t)severity : 0;
	clauses->message = message;
	free(clauses->inner_threads);
	clauses->inner_threads = NULL;
	clauses->inner_count = 0;
}

/*
 * With a list of numbers: the first number is for this region, the others are for regions inside.
 * The list is copied, because the compiler's array may be gone when the region begins. The list
 * ends early if there is no memory, and before the first invalid number.
 */
static void set_num_threads_list(
    uint32_t length, const int32_t *counts, int32_t severity, const char *message)
{
	struct rt_clauses *clauses = &rt_self()->clauses;
	uint32_t last = length < UINT16_MAX ? length : UINT16_MAX;

	set_num_threads(length > 0 ? counts[0] : 0, severity, message);
	if (length <= 1)
		return;
	clauses->inner_threads = malloc((last - 1) * sizeof(*clauses->inner_threads));
	if (clauses->inner_threads == NULL)
		return;
	for (uint32_t i = 1; i < last && counts[i] > 0; i++)
		clauses->inner_threads[clauses->inner_count++] = (uint32_t)counts[i];
	if (clauses->inner_count == 0) {
		free(clauses->inner_threads);
		clauses->inner_threads = NULL;
	}
}

KMP_ENTRY(void, __kmpc_push_num_threads, int32_t count)
{
	KMP_UNUSED();
	set_num_threads(count, 0, NULL);
}

KMP_ENTRY(
    void, __kmpc_push_num_threads_strict, int32_t count, int32_t severity, const char *message)
{
	KMP_UNUSED();
	set_num_threads(count, severity, message);
}

KMP_ENTRY(void, __kmpc_push_num_threads_list, uint32_t length, const int32_t *counts)
{
	KMP_UNUSED();
	set_num_threads_list(length, counts, 0, NULL);
}

KMP_ENTRY(void, __kmpc_push_num_threads_list_strict, uint32_t length, const int32_t *counts,
    int32_t severity, const char *message)
{
	KMP_UNUSED();
	set_num_threads_list(length, counts, severity, message);
}

KMP_ENTRY_PLAIN(void, __kmpc_pop_num_threads)
{
	KMP_UNUSED();
	set_num_threads(0, 0, NULL);
}

KMP_ENTRY(void, __kmpc_push_proc_bind, int32_t policy)
{
	KMP_UNUSED();
	rt_self()->clauses.proc_bind =
	    policy == KMP_BIND_PRIMARY ? RT_BIND_PRIMARY : (uint32_t)policy & 7;
}

LONE_ENTRY(int32_t, __kmpc_global_thread_num, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->global_number;
}

LONE_ENTRY(int32_t, __kmpc_global_num_threads, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->team->size;
}

LONE_ENTRY(int32_t, __kmpc_bound_thread_num, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->number;
}

LONE_ENTRY(int32_t, __kmpc_bound_num_threads, const struct kmp_ident *ident)
{
	(void)ident;
	return (int32_t)rt_self()->team->size;
}

LONE_ENTRY(int32_t, __kmpc_in_parallel, const struct kmp_ident *ident)
{
	(void)ident;
	return rt_self()->team->active_level > 0;
}

LONE_ENTRY(int32_t, __kmpc_ok_to_fork, const struct kmp_ident *ident)
{
	(void)ident;
	return 1;
}

/* Compilers need not call these: the library begins by itself, and ends with the process. */
LONE_ENTRY(void, __kmpc_begin, const struct kmp_ident *ident, int32_t flags)
{
	(void)ident;
	(void)flags;
}

LONE_ENTRY(void, __kmpc_end, const struct kmp_ident *ident)
{
	(void)ident;
}

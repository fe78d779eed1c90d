/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strands. Each has a fiber, which ThreadSanitizer treats as a thread, and a stack. Without
 * separate stacks the variables of two tasks would have the same address on the thread's stack, and
 * the sanitizer would report those of the second task as a race with the first one's.
 *
 * A thread has few strands, and all threads together have few, made when they are first needed (a
 * fiber takes half a millisecond, a megabyte, and two in a long run), and a task gets a random idle
 * one. Two tasks on one strand seem ordered, which hides a race between them in this run and never
 * invents one. A task that waits keeps its strand; when all are taken, or the thread has none, a
 * task is executed on its caller's strand, which is the thread itself for most. Each run gives the
 * strands to the threads that are first. Twenty and more found no more in the kernels than six.
 *
 * Only their number is shared: a strand belongs to one thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "process.h"
#include "race-thread.h"
#include "race.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "tsan.h"

#ifdef __GLIBC__
#define HAS_CONTEXTS 1
#include <ucontext.h>
#endif

enum { STRANDS_OF_ALL = 6, STACK_BYTES = 8 << 20, LARGEST_STACK = 256 << 20, SWITCH_NO_SYNC = 1 };

/*
 * Strands need the C library to switch between stacks, and the sanitizer to switch between threads.
 */
bool rt_strands_exist(const struct rt_thread *self)
{
#ifdef HAS_CONTEXTS
	return self->race != NULL && __tsan_create_fiber != NULL && __tsan_switch_to_fiber != NULL;
#else
	(void)self;
	return false;
#endif
}

bool rt_race_has_strands(const struct rt_thread *self)
{
	return rt_race_wants_strands() && rt_strands_exist(self);
}

void rt_strand_name(char name[static RT_STRAND_NAME], uint32_t thread, const char *kind)
{
	snprintf(name, RT_STRAND_NAME, RACE_STRAND_NAME, thread, kind);
}

void rt_tsan_name_thread(const char *name)
{
	if (__tsan_set_fiber_name != NULL && __tsan_get_current_fiber != NULL)
		__tsan_set_fiber_name(__tsan_get_current_fiber(), name);
}

#ifdef HAS_CONTEXTS

struct rt_strand {
	void *fiber;
	char *stack;
	size_t stack_bytes;
	bool busy;
	const char *name;
	rt_strand_fn *fn;
	void *argument;
	ucontext_t context, caller;
};

/* How many there are. Relaxed: nothing depends on it but their number. */
static _Atomic uint32_t all_strands;

/* Never returns: it is entered once, and resumed from then on. */
static void strand_main(unsigned low, unsigned high)
{
	struct rt_strand *strand = (void *)((uintptr_t)low | (uintptr_t)high << 16 << 16);

	for (;;) {
		strand->fn(strand->argument);
		swapcontext(&strand->context, &strand->caller);
	}
}

/*
 * As large as the stack of any thread, of the first one or of the runtime's; memory is taken only
 * as it is used.
 */
static size_t stack_size(void)
{
	size_t set = load_relaxed(&rt_process.stack_bytes);
	size_t size = set > STACK_BYTES ? set : STACK_BYTES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > size)
		size = limit.rlim_cur < LARGEST_STACK ? (size_t)limit.rlim_cur : LARGEST_STACK;
	return size;
}

/* Makes a stack; the page below it is inaccessible. */
static bool make_stack(struct rt_strand *strand)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	strand->stack_bytes = (stack_size() / page + 2) * page;
	strand->stack = mmap(NULL, strand->stack_bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (strand->stack == MAP_FAILED)
		return false;
	mprotect(strand->stack, page, PROT_NONE);
	return true;
}

static void prepare(struct rt_strand *strand)
{
	uintptr_t word = (uintptr_t)strand;

	getcontext(&strand->context);
	strand->context.uc_stack.ss_sp = strand->stack;
	strand->context.uc_stack.ss_size = strand->stack_bytes;
	strand->context.uc_link = NULL;
	makecontext(&strand->context, (void (*)(void))strand_main, 2, (unsigned)word,
	    (unsigned)(word >> 16 >> 16));
}

static struct rt_strand *make_strand(void)
{
	struct rt_strand *strand = calloc(1, sizeof(*strand));

	if (strand == NULL || !make_stack(strand)) {
		free(strand);
		return NULL;
	}
	strand->fiber = __tsan_create_fiber(0);
	prepare(strand);
	return strand;
}

void rt_strands_free(struct rt_race_thread *thread)
{
	sub_relaxed(&all_strands, thread->strand_count);
	for (uint32_t i = 0; i < thread->strand_count; i++) {
		struct rt_strand *strand = thread->strands[i];

		CHECK(!strand->busy, "no strand is in use");
		__tsan_destroy_fiber(strand->fiber);
		munmap(strand->stack, strand->stack_bytes);
		free(strand);
	}
	thread->strand_count = 0;
}

/* Counts another strand if all threads have fewer than STRANDS_OF_ALL, or if there is no limit. */
static bool may_make(bool without_limit)
{
	uint32_t count = load_relaxed(&all_strands);

	while (without_limit || count < STRANDS_OF_ALL)
		if (cas_relaxed(&all_strands, &count, count + 1))
			return true;
	return false;
}

/*
 * Returns an idle strand, or NULL. Makes a new one as long as there are fewer than RT_STRANDS, and
 * as all threads may have more.
 */
static struct rt_strand *find_strand(struct rt_thread *self, bool without_limit)
{
	struct rt_race_thread *thread = self->race;
	uint32_t first;

	if (thread->strand_count < RT_STRANDS && !thread->out_of_strands &&
	    may_make(without_limit)) {
		void *hidden = rt_race_hide(self);
		struct rt_strand *strand = make_strand();
		rt_race_show(hidden);
		if (strand != NULL)
			return thread->strands[thread->strand_count++] = strand;
		thread->out_of_strands = true;
		sub_relaxed(&all_strands, 1);
	}
	if (thread->strand_count == 0)
		return NULL;
	first = rt_race_random(thread) % thread->strand_count;
	for (uint32_t i = 0; i < thread->strand_count; i++) {
		struct rt_strand *strand = thread->strands[(first + i) % thread->strand_count];
		if (!strand->busy)
			return strand;
	}
	return NULL;
}

/* Threads of different teams count as different threads, whichever native thread executes them. */
static void set_name(struct rt_strand *strand, uint32_t thread, const char *name)
{
	char full[RT_STRAND_NAME];

	strand->name = name;
	if (__tsan_set_fiber_name == NULL)
		return;
	if (strcmp(name, RACE_STRAND_TEAM) == 0)
		thread = rt_race_new_number();
	rt_strand_name(full, thread, name);
	__tsan_set_fiber_name(strand->fiber, full);
}

struct rt_strand *rt_strand_take(struct rt_thread *self, const char *name)
{
	/* Leagues are rare, and their teams differ in nothing but their strands. */
	struct rt_strand *strand = find_strand(self, strcmp(name, RACE_STRAND_TEAM) == 0);

	if (strand == NULL)
		return NULL;
	if (strand->name != name)
		set_name(strand, self->race->number, name);
	strand->busy = true;
	return strand;
}

void rt_strand_start(struct rt_strand *strand, rt_strand_fn *fn, void *argument)
{
	strand->fn = fn;
	strand->argument = argument;
}

void rt_strand_resume(struct rt_strand *strand)
{
	__tsan_switch_to_fiber(strand->fiber, SWITCH_NO_SYNC);
	swapcontext(&strand->caller, &strand->context);
}

void rt_strand_leave(struct rt_strand *strand)
{
	swapcontext(&strand->context, &strand->caller);
}

void rt_strand_back(void *fiber)
{
	__tsan_switch_to_fiber(fiber, SWITCH_NO_SYNC);
}

void rt_strand_give(struct rt_strand *strand)
{
	strand->busy = false;
}

void rt_strand_call(struct rt_thread *self, rt_strand_fn *fn, void *argument, const char *name)
{
	struct rt_strand *strand = rt_race_has_strands(self) ? rt_strand_take(self, name) : NULL;
	void *back;

	if (strand == NULL) {
		fn(argument);
		return;
	}
	back = __tsan_get_current_fiber();
	rt_strand_start(strand, fn, argument);
	rt_strand_resume(strand);
	rt_strand_back(back);
	rt_strand_give(strand);
}

#else

void rt_strands_free(struct rt_race_thread *thread)
{
	(void)thread;
}

struct rt_strand *rt_strand_take(struct rt_thread *self, const char *name)
{
	(void)self;
	(void)name;
	return NULL;
}

/* Without strands the rest is never called. */
void rt_strand_start(struct rt_strand *strand, rt_strand_fn *fn, void *argument)
{
	(void)strand;
	(void)fn;
	(void)argument;
}

void rt_strand_resume(struct rt_strand *strand)
{
	(void)strand;
}

void rt_strand_leave(struct rt_strand *strand)
{
	(void)strand;
}

void rt_strand_back(void *fiber)
{
	(void)fiber;
}

void rt_strand_give(struct rt_strand *strand)
{
	(void)strand;
}

void rt_strand_call(struct rt_thread *self, rt_strand_fn *fn, void *argument, const char *name)
{
	(void)self;
	(void)name;
	fn(argument);
}

#endif

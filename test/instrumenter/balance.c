/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for libpomp that judges the instrumentation instead of measuring: every thread's calls
 * must nest, every descriptor must be registered and make sense, every handle must be known. Prints
 * what it found wrong and ends the program with status 99. With BALANCE_VISITS=FILE it writes how
 * often each construct was entered; with BALANCE_CANCEL=1 calls may be missing inside a parallel
 * region that was cancelled.
 */
#include "pomp.h"
#include "shared/constructs.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEPTH = 512, MAX_HANDLES = 100000, MAX_THREADS = 256 };

/* Of rows of the list that have the same calls, the one that has them for all. */
#define ONCE_CONSTRUCT(...) __VA_ARGS__
#define ONCE_WAIT(...)      __VA_ARGS__
#define ONCE_BY_HAND(...)   __VA_ARGS__
#define ONCE_ELSEWHERE(...)
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about) called

/* One open pair of calls of a construct, or of its block; the closing call has the same kind. */
enum pair {
#define CALLED(calls, stem, defined, group) ONCE_##defined(PAIR_##stem, BLOCK_##stem, )
	CONSTRUCTS(CONSTRUCT) PAIR_REGION,
	PAIRS
#undef CALLED
};

/* Which construct each pair may be called for, and whether opening it is a visit. */
static const struct {
	const char *call, *stem;
	bool visit;
} pairs[PAIRS] = {
#define OPEN(pair, stem, call, visit) [pair##stem] = {#stem call, #stem, visit},
#define OPEN_AROUND(stem)             OPEN(PAIR_, stem, "_enter", true)
#define OPEN_INSIDE(stem)             OPEN(PAIR_, stem, "_begin", true)
#define OPEN_BOTH(stem)               OPEN_AROUND(stem) OPEN(BLOCK_, stem, "_begin", false)
#define OPEN_FORK(stem)               OPEN(PAIR_, stem, "_fork", true) OPEN(BLOCK_, stem, "_begin", false)
#define OPEN_CREATE(stem)                                                                          \
	OPEN(PAIR_, stem, "_create_begin", true) OPEN(BLOCK_, stem, "_begin", false)
#define CALLED(calls, stem, defined, group) ONCE_##defined(OPEN_##calls(stem))
    CONSTRUCTS(CONSTRUCT)
#undef CALLED
	[PAIR_REGION] = {"begin", "", true},
};

/* The stems of the constructs' calls, by what the descriptor's name says. */
static const char *const stems[CONSTRUCT_OTHER + 1] = {
#define CALLED(calls, stem, defined, group) #stem,
    CONSTRUCTS(CONSTRUCT)
#undef CALLED
	[CONSTRUCT_REGION] = "",
};

struct open_pair {
	enum pair pair;
	const OMPRegDescr *region;
	uint64_t fork; /* of the parallel region it is inside of */
};

struct thread_state {
	struct open_pair stack[MAX_DEPTH];
	int depth;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards everything below */
static struct thread_state *threads[MAX_THREADS];
static int thread_count;
static OMPRegDescr *lists[64];
static int list_count;
static bool handle_used[MAX_HANDLES]; /* a handle's fork has not joined, or its task not ended */
static uint64_t handle_count;

static _Thread_local struct thread_state *own;

static void complain(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

static void complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("balance: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	fflush(NULL);
	_exit(99);
}

static void lock(void)
{
	pthread_mutex_lock(&mutex);
	if (own == NULL) {
		own = calloc(1, sizeof *own);
		if (own == NULL || thread_count == MAX_THREADS)
			complain("too many threads");
		threads[thread_count++] = own;
	}
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

static bool is_registered(const OMPRegDescr *region)
{
	for (int i = 0; i < list_count; i++)
		for (const OMPRegDescr *at = lists[i]; at != NULL; at = at->next)
			if (at == region)
				return true;
	return false;
}

/* Forgets what a cancelled region, since joined, left open. */
static void forget_cancelled(void)
{
	while (own->depth > 0 && own->stack[own->depth - 1].fork != 0 &&
	       !handle_used[own->stack[own->depth - 1].fork]) {
		if (getenv("BALANCE_CANCEL") == NULL)
			complain("'%s' at line %d was never closed",
			    pairs[own->stack[own->depth - 1].pair].call,
			    own->stack[own->depth - 1].region->begin_line1);
		own->depth--;
	}
}

static bool is_called_for(enum pair pair, const OMPRegDescr *region)
{
	const char *stem = stems[construct_find(region->name, strlen(region->name))];

	return stem != NULL && strcmp(stem, pairs[pair].stem) == 0;
}

/* An implicit barrier, of any construct, is no visit of it. */
static void open_pair(enum pair pair, OMPRegDescr *region, uint64_t fork)
{
	forget_cancelled();
	if (!is_registered(region))
		complain("'%s' with a descriptor that is not registered", pairs[pair].call);
	if (pair != PAIR_barrier && !is_called_for(pair, region))
		complain("'%s' for a '%s'", pairs[pair].call, region->name);
	if (own->depth == MAX_DEPTH)
		complain("nesting is too deep");
	if (fork == 0 && own->depth > 0)
		fork = own->stack[own->depth - 1].fork;
	if (pairs[pair].visit && pair != PAIR_barrier)
		region->data[1]++;
	own->stack[own->depth++] = (struct open_pair){pair, region, fork};
}

static void close_pair(enum pair pair, OMPRegDescr *region)
{
	const struct open_pair *top;

	while (getenv("BALANCE_CANCEL") != NULL && own->depth > 0 &&
	       (own->stack[own->depth - 1].pair != pair ||
		   own->stack[own->depth - 1].region != region))
		own->depth--;
	if (own->depth == 0)
		complain("the end of '%s' at line %d without its beginning", pairs[pair].call,
		    region->begin_line1);
	top = &own->stack[own->depth - 1];
	if (top->pair != pair || top->region != region)
		complain("the end of '%s' at line %d inside '%s' at line %d", pairs[pair].call,
		    region->begin_line1, pairs[top->pair].call, top->region->begin_line1);
	own->depth--;
}

#define PAIR(open, close, pair)                                                                    \
	void pomp_##open(OMPRegDescr *region)                                                      \
	{                                                                                          \
		lock();                                                                            \
		open_pair(pair, region, 0);                                                        \
		unlock();                                                                          \
	}                                                                                          \
	void pomp_##close(OMPRegDescr *region)                                                     \
	{                                                                                          \
		lock();                                                                            \
		close_pair(pair, region);                                                          \
		unlock();                                                                          \
	}

#define DEFINE_AROUND(stem)                 PAIR(stem##_enter, stem##_exit, PAIR_##stem)
#define DEFINE_INSIDE(stem)                 PAIR(stem##_begin, stem##_end, PAIR_##stem)
#define DEFINE_BOTH(stem)                   DEFINE_AROUND(stem) PAIR(stem##_begin, stem##_end, BLOCK_##stem)
#define DEFINE_FORK(stem)                   /* with handles: below */
#define DEFINE_CREATE(stem)                 /* with handles: below */
#define CALLED(calls, stem, defined, group) ONCE_##defined(DEFINE_##calls(stem))

CONSTRUCTS(CONSTRUCT)
PAIR(begin, end, PAIR_REGION)

void pomp_leave(OMPRegDescr **region)
{
	if (*region != NULL)
		pomp_end(*region);
}

pomp_handle pomp_schedule_set(OMPRegDescr *region, int kind, int chunk)
{
	if (strcmp(region->name, "for") != 0 || kind < 1 || kind > 3 || chunk < 0)
		abort();
	return 7;
}

void pomp_schedule_reset(pomp_handle before)
{
	if (before != 7)
		abort();
}

pomp_handle pomp_task_grain(OMPRegDescr *region, pomp_handle written)
{
	if (strncmp(region->name, "task", 4) != 0 || written == 0)
		abort();
	return written;
}

static uint64_t new_handle(void)
{
	if (++handle_count == MAX_HANDLES)
		complain("too many handles");
	handle_used[handle_count] = true;
	return handle_count;
}

static void check_handle(const char *call, uint64_t handle)
{
	if (handle == 0 || handle > handle_count || !handle_used[handle])
		complain("'%s' with the unknown handle %llu", call, (unsigned long long)handle);
}

uint64_t pomp_parallel_fork(OMPRegDescr *region)
{
	uint64_t handle;

	lock();
	open_pair(PAIR_parallel, region, 0);
	handle = new_handle();
	unlock();
	return handle;
}

void pomp_parallel_begin(OMPRegDescr *region, uint64_t fork)
{
	lock();
	check_handle("parallel_begin", fork);
	open_pair(BLOCK_parallel, region, fork);
	unlock();
}

void pomp_parallel_end(OMPRegDescr *region)
{
	lock();
	close_pair(BLOCK_parallel, region);
	unlock();
}

void pomp_parallel_join(OMPRegDescr *region, uint64_t fork)
{
	lock();
	check_handle("parallel_join", fork);
	handle_used[fork] = false;
	forget_cancelled();
	close_pair(PAIR_parallel, region);
	unlock();
}

uint64_t pomp_task_create_begin(OMPRegDescr *region)
{
	uint64_t handle;

	lock();
	open_pair(PAIR_task, region, 0);
	handle = new_handle();
	unlock();
	return handle;
}

void pomp_task_create_end(OMPRegDescr *region, uint64_t task)
{
	lock();
	if (task == 0 || task > handle_count)
		complain("'task_create_end' with the unknown task %llu", (unsigned long long)task);
	close_pair(PAIR_task, region);
	unlock();
}

void pomp_task_begin(OMPRegDescr *region, uint64_t task)
{
	lock();
	check_handle("task_begin", task);
	open_pair(BLOCK_task, region, 0);
	unlock();
}

void pomp_task_end(OMPRegDescr *region, uint64_t task)
{
	lock();
	check_handle("task_end", task);
	handle_used[task] = false;
	close_pair(BLOCK_task, region);
	unlock();
}

void pomp_register_regions(OMPRegDescr *first)
{
	lock();
	if (list_count == 64)
		complain("too many translation units");
	for (const OMPRegDescr *at = first; at != NULL; at = at->next) {
		if (at->name == NULL || at->sub_name == NULL || at->file_name == NULL ||
		    at->begin_line1 < 1 || at->begin_lineN < at->begin_line1 ||
		    at->end_lineN < at->end_line1 || at->num_sections < 0 ||
		    at->data[0] + at->data[1] + at->data[2] + at->data[3] != 0)
			complain("a descriptor that cannot be right");
		if (at->num_sections != 0 &&
		    strcmp(at->name, construct_name(CONSTRUCT_SECTIONS)) != 0)
			complain("'%s' with sections", at->name);
	}
	lists[list_count++] = first;
	unlock();
}

void pomp_register_regions_in(OMPRegDescr *first, const char *folder)
{
	if (folder[0] != '/')
		complain("'%s' is no folder to compile in", folder);
	pomp_register_regions(first);
}

void pomp_unregister_regions(OMPRegDescr *first)
{
	const char *name = getenv("BALANCE_VISITS");
	FILE *file = name != NULL ? fopen(name, "a") : NULL;

	lock();
	if (!is_registered(first))
		complain("unregistered what was not registered");
	for (const OMPRegDescr *at = first; at != NULL && file != NULL; at = at->next)
		fprintf(file, "%s%s%s %d %s:%d-%d,%d-%d visits=%llu\n", at->name,
		    *at->sub_name != '\0' ? " " : "", at->sub_name, at->num_sections, at->file_name,
		    at->begin_line1, at->begin_lineN, at->end_line1, at->end_lineN,
		    (unsigned long long)at->data[1]);
	if (file != NULL)
		fclose(file);
	for (int i = 0; i < thread_count; i++) {
		struct thread_state *self = own;

		own = threads[i];
		forget_cancelled();
		own = self;
		if (threads[i]->depth > 0)
			complain("'%s' at line %d is still open at the end",
			    pairs[threads[i]->stack[threads[i]->depth - 1].pair].call,
			    threads[i]->stack[threads[i]->depth - 1].region->begin_line1);
	}
	unlock();
}

void pomp_init(void)
{
}
void pomp_finalize(void)
{
}
void pomp_off(void)
{
}
void pomp_on(void)
{
}

/* The runtime's own routines, called through: only that the calls arrive is of interest. */
#define LOCK_ROUTINE(name)                                                                         \
	void omp_##name(void *);                                                                   \
	void pomp_##name(void *argument)                                                           \
	{                                                                                          \
		__atomic_fetch_add(&lock_calls, 1, __ATOMIC_RELAXED);                              \
		omp_##name(argument);                                                              \
	}

static unsigned long lock_calls;

LOCK_ROUTINE(init_lock)
LOCK_ROUTINE(destroy_lock)
LOCK_ROUTINE(set_lock)
LOCK_ROUTINE(unset_lock)
LOCK_ROUTINE(init_nest_lock)
LOCK_ROUTINE(destroy_nest_lock)
LOCK_ROUTINE(set_nest_lock)
LOCK_ROUTINE(unset_nest_lock)

int omp_test_lock(void *);
int omp_test_nest_lock(void *);
/* gcc 12's libgomp has neither. */
void omp_init_lock_with_hint(void *, uintptr_t) __attribute__((__weak__));
void omp_init_nest_lock_with_hint(void *, uintptr_t) __attribute__((__weak__));

int pomp_test_lock(void *argument)
{
	__atomic_fetch_add(&lock_calls, 1, __ATOMIC_RELAXED);
	return omp_test_lock(argument);
}

int pomp_test_nest_lock(void *argument)
{
	__atomic_fetch_add(&lock_calls, 1, __ATOMIC_RELAXED);
	return omp_test_nest_lock(argument);
}

void pomp_init_lock_with_hint(void *argument, uintptr_t hint)
{
	__atomic_fetch_add(&lock_calls, 1, __ATOMIC_RELAXED);
	omp_init_lock_with_hint(argument, hint);
}

void pomp_init_nest_lock_with_hint(void *argument, uintptr_t hint)
{
	__atomic_fetch_add(&lock_calls, 1, __ATOMIC_RELAXED);
	omp_init_nest_lock_with_hint(argument, hint);
}

__attribute__((__destructor__)) static void write_lock_calls(void)
{
	const char *name = getenv("BALANCE_VISITS");
	FILE *file = name != NULL && lock_calls > 0 ? fopen(name, "a") : NULL;

	if (file != NULL) {
		fprintf(file, "lock calls=%lu\n", lock_calls);
		fclose(file);
	}
}

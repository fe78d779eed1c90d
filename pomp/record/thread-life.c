/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads come and go: a block is attached at a thread's first event, found at exit in the
 * process's list, and added to the totals when its thread ends (by the destructor of a pthread
 * key). Whatever other threads may read in a block at any time changes only under the process lock.
 */
#include "thread-life.h"

#include "settings-change.h"

#include "accumulator.h"
#include "begin-budget.h"
#include "blocked-calls.h"
#include "frame-close.h"
#include "implied-ends.h"
#include "lasting-memory.h"
#include "limited-calls.h"
#include "long-interval.h"
#include "process-state.h"
#include "region-scale.h"
#include "shared/precondition.h"
#include "thread-samples.h"
#include "totals.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined SYS_membarrier
#include <linux/membarrier.h>
#endif

enum {
	FIRST_STACK = 64,
	BLOCK_BYTES =
	    sizeof(struct pomp_thread) + POMP_FIRST_REGIONS * sizeof(struct pomp_accumulator),
	LONGEST_WAIT_MS = 200,
};

/* From whatever OpenMP runtime the program brings; libpomp links none. */
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_ancestor_thread_num(int level) __attribute__((weak));

/*
 * From the leak sanitizer, if the program has it: it looks for pointers in memory from malloc(),
 * but not in our mappings.
 */
extern void __lsan_register_root_region(const void *begin, size_t size) __attribute__((weak));

/* Stands for the region of events whose descriptor could not be registered. */
static struct pomp_region unknown_region = {
    .name = (char *)"", .sub_name = (char *)"", .file = (char *)""};

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static bool has_end_key;

/* Moves a block from the list of alive threads to the spare ones, and its results to the totals. */
static void retire(struct pomp_thread *thread)
{
	struct pomp_threads *threads = &pomp_threads;
	struct pomp_thread **link = &threads->alive;

	pomp_thread_add_to_totals(thread);
	pomp_samples_close(thread);
	pomp_log_close(&thread->log);
	while (*link != NULL && *link != thread)
		link = &(*link)->next;
	if (*link == thread)
		*link = thread->next;
	thread->next = threads->spare;
	threads->spare = thread;
	threads->ends++;
}

static void thread_ends(void *block)
{
	struct pomp_thread *thread = block;

	pomp_self = NULL;
	pomp_samples_end(thread);
	pomp_blocked_end(thread);
	pomp_lock_process();
	if (!pomp_process.finished) {
		pomp_event_close_joined(thread, false);
		if (thread->top != thread->stack)
			pomp_frame_unwind_to(thread, thread->stack, thread->time);
		pomp_metrics_detach(thread);
		thread->parked = thread->place != 0;
		if (!thread->parked)
			retire(thread);
	}
	pomp_unlock_process();
}

/* The calling thread's place among the OpenMP threads; 0 for a thread that the program made itself.
 */
static uint64_t place_now(void)
{
	uint64_t place = 0;
	int number = 0;

	if (omp_get_level == NULL || omp_get_ancestor_thread_num == NULL)
		return 0;
	for (int level = omp_get_level(), i = 1; i <= level; i++) {
		number = omp_get_ancestor_thread_num(i);
		place = place * 1000003 + (uint64_t)number + 1;
	}
	return number > 0 ? place : 0;
}

static struct pomp_thread *find_parked(uint64_t place)
{
	struct pomp_thread *thread = pomp_threads.alive;

	while (thread != NULL && (!thread->parked || thread->place != place))
		thread = thread->next;
	return thread;
}

static void make_end_key(void)
{
	has_end_key = pthread_key_create(&end_key, thread_ends) == 0;
}

static struct pomp_thread *block_new(void)
{
	struct pomp_thread *thread = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (thread == MAP_FAILED)
		return NULL;
	/* Not from malloc(), which would reserve 64 MB of addresses for the thread. */
	thread->stack = pomp_lasting_memory(FIRST_STACK * sizeof(struct pomp_frame));
	if (thread->stack == NULL) {
		munmap(thread, BLOCK_BYTES);
		return NULL;
	}
	thread->first_stack = thread->stack;
	thread->stack_limit = thread->stack + FIRST_STACK;
	if (__lsan_register_root_region != NULL)
		__lsan_register_root_region(thread, BLOCK_BYTES);
	return thread;
}

/* Prepares a new or used block for its next owner. */
static void block_init(struct pomp_thread *thread)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	thread->none.region = &unknown_region;
	thread->top = thread->stack;
	thread->stack[0] = (struct pomp_frame){.accumulator = &thread->none};
	thread->off = 0;
	uint32_t unusual = load_relaxed(&pomp_state) == POMP_STATE_OFF ? POMP_UNUSUAL_STOP : 0;
	unusual |= pomp_changes.number > 0 ? POMP_UNUSUAL_CHANGED : 0;
	store_relaxed(&thread->unusual, unusual | (pomp_scale.on ? POMP_UNUSUAL_SCALED : 0));
	memset(&thread->scale, 0, sizeof(thread->scale));
	thread->parked = false;
	thread->settled = false;
	thread->time = 0;
	thread->team = NULL;
	thread->member = NULL;
	thread->origin = NULL;
	thread->origin_due = UINT64_MAX;
	thread->fork_depth = 0;
	thread->tasks_created = 0;
	thread->task_logged = 0;
	thread->pending = 0;
	thread->late = 0;
	thread->entering.region = NULL;
	thread->asked.open = false;
	thread->suspended = 0;
	thread->location = pomp_threads.locations++;
	thread->profiling = pomp_process.settings.profiling;
	thread->log =
	    (struct pomp_log){.file.descriptor = -1, .enabled = pomp_process.settings.tracing};
}

/* Adds a cleared block to the list of alive threads. */
static struct pomp_thread *attach_new(uint64_t place)
{
	struct pomp_threads *threads = &pomp_threads;
	struct pomp_thread *thread = threads->spare;

	if (thread != NULL)
		threads->spare = thread->next;
	else
		thread = block_new();
	if (thread == NULL)
		return NULL;
	block_init(thread);
	thread->place = place;
	thread->next = threads->alive;
	threads->alive = thread;
	return thread;
}

/* Lets the kernel's figures and samples of the calling thread begin: now, or when it is worth it.
 */
static void begin_measuring(struct pomp_thread *thread)
{
	uint64_t begin = pomp_clock_ticks(&pomp_process.clock);

	if (!pomp_budget_allows(begin - pomp_process.clock.start.ticks)) {
		pomp_interval_begin_late(thread);
		pomp_samples_begin_late(thread);
		return;
	}
	pomp_interval_begin(thread);
	pomp_samples_begin(thread);
	pomp_budget_spend(pomp_clock_ticks(&pomp_process.clock) - begin);
}

struct pomp_thread *pomp_thread_take_block(void)
{
	return pomp_thread_take_block_at(place_now());
}

struct pomp_thread *pomp_thread_take_block_at(uint64_t place)
{
	pthread_once(&end_key_once, make_end_key);
	pomp_lock_process();
	struct pomp_thread *thread = NULL;
	if (!pomp_process.finished)
		thread = place != 0 ? find_parked(place) : NULL;
	if (thread != NULL)
		thread->parked = false;
	else if (!pomp_process.finished)
		thread = attach_new(place);
	/* With the lock, as all that is written before the first event: the block may be reported.
	 */
	if (thread != NULL && !pomp_process.stopped)
		begin_measuring(thread);
	bool failed = thread == NULL && !pomp_process.finished;
	pomp_unlock_process();
	if (failed) {
		fetch_add_relaxed(&pomp_threads.unmeasured, 1);
		pomp_out_of_memory("a thread");
	}
	if (thread != NULL && has_end_key)
		pthread_setspecific(end_key, thread);
	if (thread != NULL)
		pomp_metrics_attach(thread);
	pomp_self = thread;
	return thread;
}

/*
 * The kernel requires a process to register before it uses membarrier(2) in this form. With only
 * one thread that takes no time; later, the kernel waits until every processor has passed a
 * quiescent state, which takes 8 to 15 ms.
 */
static bool announce_ordering(void)
{
#if defined SYS_membarrier
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
	return false;
#endif
}

void pomp_threads_prepare_stop(void)
{
	int error = errno;

	announce_ordering(); /* if refused, order_all_threads() finds out and does without */
	errno = error;
}

/* Waits so long; without a system call if the program may not expect one. */
static void wait_for(long nanoseconds)
{
	uint64_t end = pomp_clock_monotonic() + (uint64_t)nanoseconds;

	if (!pomp_calls_are_limited()) {
		nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
		return;
	}
	while (pomp_clock_monotonic() < end)
		;
}

/* After this, every other thread has either seen pomp_state or is visibly inside an event. */
static void order_all_threads(void)
{
#if defined SYS_membarrier
	bool is_allowed = !pomp_calls_are_limited();

	if (is_allowed && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0)
		return;
	if (is_allowed && announce_ordering() &&
	    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0)
		return;
#endif
	/* An old kernel or a sandbox: store buffers drain within far less than a millisecond. */
	wait_for(1000000);
}

/* Returns whether the thread left its last event within the longest wait. */
static bool wait_until_idle(struct pomp_thread *thread)
{
	for (unsigned waited = 0; waited < LONGEST_WAIT_MS * 10; waited++) {
		if (!load_acquire(&thread->busy))
			return true;
		wait_for(100000);
	}
	return false;
}

/*
 * Returns the next thread that may be inside an event. A thread that was seen outside enters no
 * further event.
 */
static struct pomp_thread *next_unsettled(void)
{
	pomp_lock_process();
	struct pomp_thread *thread = pomp_threads.alive;
	for (; thread != NULL; thread = thread->next) {
		thread->settled |= thread == pomp_self || !load_acquire(&thread->busy);
		if (!thread->settled)
			break;
	}
	pomp_unlock_process();
	return thread;
}

unsigned pomp_threads_stop(void)
{
	unsigned stuck = 0;

	store_relaxed(&pomp_state, POMP_STATE_OFF);
	pomp_lock_process();
	for (struct pomp_thread *thread = pomp_threads.alive; thread; thread = thread->next)
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_STOP);
	pomp_unlock_process();
	order_all_threads();
	/* Do not hold the lock while waiting: the event in progress may be waiting for it. */
	for (struct pomp_thread *thread; (thread = next_unsettled()) != NULL;) {
		stuck += !wait_until_idle(thread);
		thread->settled = true;
	}
	return stuck;
}

void pomp_threads_after_fork(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_threads *threads = &pomp_threads;
	struct pomp_thread *self = pomp_self;

	/*
	 * The parent's other threads do not exist here; their blocks are kept for future threads.
	 */
	for (struct pomp_thread *thread = threads->alive, *next; thread; thread = next) {
		next = thread->next;
		pomp_log_after_fork(&thread->log);
		pomp_samples_after_fork(thread);
		pomp_thread_clear(thread);
		if (thread == self)
			continue;
		thread->parked = false;
		thread->pending = 0;
		for (; thread->top > thread->stack; thread->top--)
			thread->top->accumulator->depth--;
		store_relaxed(&thread->busy, false);
		thread->next = threads->spare;
		threads->spare = thread;
	}
	for (struct pomp_thread *thread = threads->spare; thread; thread = thread->next)
		pomp_samples_after_fork(thread);
	*threads = (struct pomp_threads){.alive = self, .spare = threads->spare};
	if (self == NULL)
		return;
	/* Whatever is open was entered in another process: here it ends without being recorded. */
	for (struct pomp_frame *frame = self->stack + 1; frame <= self->top; frame++)
		if (!frame->silent) {
			frame->silent = true;
			if (frame->role == POMP_ROLE_PARALLEL)
				pomp_thread_off(self, true);
		}
	pomp_event_forget_pending(self);
	pomp_metrics_attach(self);
	pomp_interval_begin(self);
	pomp_samples_begin(self);
	self->task_logged = 0;
	self->next = NULL;
	self->location = threads->locations++;
	self->log.enabled = pomp_process.settings.tracing;
}

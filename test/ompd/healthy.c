/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs in which threads wait, and which would go on: one of them works, for longer than a test
 * lasts. */
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include "scenes.h"

static omp_lock_t one, two;
static omp_nest_lock_t nested;

static int number(void)
{
	return omp_get_thread_num();
}

static void lock_busy(void)
{
#pragma omp parallel num_threads(3)
	{
		if (number() != 0)
			let_others();
		omp_set_lock(&one);
		stay();
	}
}

static void nest_lock_busy(void)
{
#pragma omp parallel num_threads(2)
	{
		if (number() != 0)
			let_others();
		omp_set_nest_lock(&nested);
		omp_set_nest_lock(&nested);
		stay();
	}
}

/* Thread 2 waits for 1, which waits for 0, which works. */
static void lock_chain(void)
{
#pragma omp parallel num_threads(3)
	{
		if (number() == 0)
			omp_set_lock(&one);
		else if (number() == 1)
			omp_set_lock(&two);
#pragma omp barrier
		if (number() == 0)
			stay();
		omp_set_lock(number() == 1 ? &one : &two);
	}
}

static void critical_busy(void)
{
#pragma omp parallel num_threads(3)
#pragma omp critical(door)
	stay();
}

static void unnamed_critical_busy(void)
{
#pragma omp parallel num_threads(3)
#pragma omp critical
	stay();
}

static void arrive_late(int size)
{
#pragma omp parallel num_threads(size)
	{
		if (number() == size - 1)
			stay();
#pragma omp barrier
	}
}

static void barrier_of_two(void)
{
	arrive_late(2);
}

static void barrier_of_three(void)
{
	arrive_late(3);
}

static void barrier_of_many(void)
{
	arrive_late(12);
}

static void region_end(void)
{
#pragma omp parallel num_threads(3)
	if (number() == 1)
		stay();
}

static void region_end_of_many(void)
{
#pragma omp parallel num_threads(12)
	if (number() == 5)
		stay();
}

static void in_single(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	stay();
}

static void taskwait_busy(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		stay();
		let_others();
#pragma omp taskwait
	}
}

/* The waiting thread executes the task itself, above the waiting one. */
static void task_above(void)
{
#pragma omp parallel num_threads(2)
	{
		if (number() == 0) {
			omp_set_lock(&one);
#pragma omp task
			stay();
#pragma omp taskwait
		} else {
			stay();
		}
	}
}

static void taskgroup_busy(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task
			stay();
			let_others();
		}
	}
}

static void dependences_busy(void)
{
	int value = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp task depend(out : value)
		stay();
		let_others();
#pragma omp task depend(inout : value)
		value++;
#pragma omp task depend(in : value)
		let_others();
#pragma omp taskwait depend(in : value)
	}
}

static void queued_tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 20; i++)
#pragma omp task
			stay();
#pragma omp taskwait
	}
}

/* One thread waits in a task, for an event, the other works: neither may begin the last task. */
static void queued_for_none(void)
{
	int begun = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(begun)
		{
			omp_event_handle_t event;

#pragma omp task detach(event) shared(begun)
			__atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
		}
		while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) == 0)
			;
		let_others();
#pragma omp task shared(begun)
		begun = 2;
		stay();
	}
}

/* Both threads are in a task; what the second left of its range is queued together. */
static void taskloop_busy(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < 20; i++)
		stay();
}

static void ordered_busy(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
	for (int i = 0; i < 3; i++) {
#pragma omp ordered
		stay();
	}
}

static void ordered_dynamic_busy(void)
{
#pragma omp parallel for ordered schedule(dynamic) num_threads(3)
	for (int i = 0; i < 3; i++) {
		if (i == 0)
			stay();
#pragma omp ordered
		let_others();
	}
}

static void sink_busy(void)
{
#pragma omp parallel num_threads(3)
#pragma omp for ordered(1) schedule(static, 1)
	for (int i = 0; i < 3; i++) {
#pragma omp ordered depend(sink : i - 1)
		stay();
#pragma omp ordered depend(source)
	}
}

/* The iteration that the others need has no thread yet: the one that will take it works. */
static void sink_not_taken(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(static)
	for (int i = 0; i < 4; i++) {
		if (i == 0)
			stay();
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
	}
}

static omp_event_handle_t event;

/* A thread that has never used OpenMP would fulfill the event. */
static void *fulfill(void *unused)
{
	(void)unused;
	stay();
	omp_fulfill_event(event);
	return NULL;
}

static void detached_elsewhere(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fulfill, NULL);
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t handle;
#pragma omp task detach(handle)
		event = handle;
#pragma omp taskwait
	}
}

static void detached_by_worker(void)
{
#pragma omp parallel num_threads(3)
	{
		if (number() == 2)
			stay();
#pragma omp single
		{
			omp_event_handle_t handle;
#pragma omp task detach(handle)
			event = handle;
#pragma omp taskwait
		}
	}
}

static void inner_busy(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		{
			if (omp_get_ancestor_thread_num(1) == 1 && number() == 1)
				stay();
#pragma omp barrier
		}
	}
}

/* Workers between two regions. */
static void serial_code(void)
{
#pragma omp parallel num_threads(4)
	let_others();
	stay();
}

/* The lock belongs to a thread that the program created. */
static void *take_lock(void *lock)
{
	omp_set_lock(lock);
	stay();
	return NULL;
}

static void lock_of_stranger(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, take_lock, &one);
	let_others();
#pragma omp parallel num_threads(2)
	omp_set_lock(&one);
}

static jmp_buf in_region;

/* Within its task: its frames are where they were. */
static void jump_inside(void)
{
#pragma omp parallel num_threads(3)
	{
		if (number() == 0) {
			if (setjmp(in_region) == 0)
				longjmp(in_region, 1);
			stay();
		}
#pragma omp barrier
	}
}

/* On a separate stack, above or below the thread's. */
static void coroutine(void)
{
#pragma omp parallel num_threads(3)
	{
		if (number() != 2) {
			enum { BYTES = 1 << 16 };
			static char stacks[2][BYTES];
			ucontext_t here, there;
			getcontext(&there);
			there.uc_stack.ss_sp = number() == 0 ? malloc(BYTES) : stacks[1];
			there.uc_stack.ss_size = BYTES;
			there.uc_link = &here;
			makecontext(&there, stay, 0);
			swapcontext(&here, &there);
		}
#pragma omp barrier
	}
}

static void *want_lock(void *lock)
{
	omp_set_lock(lock);
	return NULL;
}

/* The worker that has kept the lock is idle; the thread that can begin another region works. */
static void lock_of_idle_busy(void)
{
	pthread_t other;

#pragma omp parallel num_threads(2)
	if (number() == 1)
		omp_set_lock(&one);
	pthread_create(&other, NULL, want_lock, &one);
	stay();
}

static pthread_t first_thread;

static void release_later(int signal)
{
	(void)signal;
	stay();
	omp_unset_lock(&one);
}

/* The two threads wait for each other's lock, but a handler of the first one would release its own.
 */
static void lock_in_handlers_hand(void)
{
	signal(SIGUSR1, release_later);
	first_thread = pthread_self();
#pragma omp parallel num_threads(3)
	{
		if (number() != 2)
			omp_set_lock(number() == 0 ? &one : &two);
#pragma omp barrier
		if (number() != 2)
			omp_set_lock(number() == 0 ? &two : &one);
		let_others();
		pthread_kill(first_thread, SIGUSR1);
	}
}

static void wait_for_lock(int signal)
{
	(void)signal;
	omp_set_lock(&one);
}

/* Thread 1 has come to the barrier, where the lock's holder waits as well: only thread 3 is
 * missing. */
static void handler_at_barrier(void)
{
	signal(SIGUSR1, wait_for_lock);
	first_thread = pthread_self();
#pragma omp parallel num_threads(3)
	{
		if (number() == 1)
			omp_set_lock(&one);
		if (number() == 2) {
			let_others();
			pthread_kill(first_thread, SIGUSR1);
			stay();
		}
#pragma omp barrier
	}
}

const struct scene scenes[] = {{"lock-busy", lock_busy}, {"nest-lock-busy", nest_lock_busy},
    {"lock-chain", lock_chain}, {"critical-busy", critical_busy},
    {"unnamed-critical-busy", unnamed_critical_busy}, {"barrier-of-two", barrier_of_two},
    {"barrier-of-three", barrier_of_three}, {"barrier-of-many", barrier_of_many},
    {"region-end", region_end}, {"region-end-of-many", region_end_of_many},
    {"in-single", in_single}, {"taskwait-busy", taskwait_busy}, {"task-above", task_above},
    {"taskgroup-busy", taskgroup_busy}, {"dependences-busy", dependences_busy},
    {"queued-tasks", queued_tasks}, {"queued-for-none", queued_for_none},
    {"taskloop-busy", taskloop_busy}, {"ordered-busy", ordered_busy},
    {"ordered-dynamic-busy", ordered_dynamic_busy}, {"sink-busy", sink_busy},
    {"sink-not-taken", sink_not_taken}, {"detached-elsewhere", detached_elsewhere},
    {"detached-by-worker", detached_by_worker}, {"inner-busy", inner_busy},
    {"serial-code", serial_code}, {"lock-of-stranger", lock_of_stranger},
    {"jump-inside", jump_inside}, {"coroutine", coroutine},
    {"lock-of-idle-busy", lock_of_idle_busy}, {"lock-in-handlers-hand", lock_in_handlers_hand},
    {"handler-at-barrier", handler_at_barrier}, {NULL, NULL}};

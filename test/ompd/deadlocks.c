/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that hang, each by another mistake. What a debugger has to say of them is in
 * deadlocks.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "scenes.h"

static omp_lock_t one, two, ring[4];
static omp_nest_lock_t nested;

/* Returns when so many threads have come here: what they did before is done, on any machine. */
static void meet(int count)
{
	static _Atomic int arrived;

	for (arrived++; arrived < count;)
		sched_yield();
}

static void take_both(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	meet(omp_get_num_threads());
	omp_set_lock(second);
}

static void lock_order(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		take_both(&one, &two);
	else
		take_both(&two, &one);
}

static void lock_twice(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single nowait
	{
		omp_set_lock(&one);
		omp_set_lock(&one);
	}
}

static void lock_ring(void)
{
#pragma omp parallel num_threads(4)
	{
		int me = omp_get_thread_num();
		take_both(&ring[me], &ring[(me + 1) % 4]);
	}
}

static void lock_at_barrier(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&one);
			meet(2);
		} else if (omp_get_thread_num() == 1) {
			meet(2);
			omp_set_lock(&one);
		}
#pragma omp barrier
	}
}

static void lock_not_given_back(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 2)
			omp_set_lock(&one);
		meet(3);
		if (omp_get_thread_num() == 1)
			omp_set_lock(&one);
	}
}

static void nest_lock_order(void)
{
	omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		omp_set_nest_lock(&nested);
		omp_set_nest_lock(&nested);
		meet(2);
		omp_set_lock(&one);
	} else {
		omp_set_lock(&one);
		meet(2);
		omp_set_nest_lock(&nested);
	}
}

/* The nestable lock of programs that were built for OpenMP 2.5. */
static void old_nest_lock_order(void)
{
	static uint64_t old_lock;
	void (*set)(uint64_t *);

	*(void **)&set = dlvsym(RTLD_DEFAULT, "omp_set_nest_lock", "OMP_1.0");
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		set(&old_lock);
		meet(2);
		omp_set_lock(&one);
	} else {
		omp_set_lock(&one);
		meet(2);
		set(&old_lock);
	}
}

static void enter_door(void)
{
#pragma omp critical(door)
	let_others();
}

static void critical_in_itself(void)
{
#pragma omp parallel num_threads(2)
#pragma omp critical(door)
	enter_door();
}

static void critical_order(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
#pragma omp critical(gate)
		{
			meet(2);
			enter_door();
		}
	} else {
#pragma omp critical(door)
		{
			meet(2);
#pragma omp critical(gate)
			let_others();
		}
	}
}

static void team_barrier(void)
{
#pragma omp barrier
}

static void barrier_in_critical(void)
{
#pragma omp parallel num_threads(3)
#pragma omp critical
	team_barrier();
}

/* As GCC 17 calls them; weak, because the compiler's own libgomp may lack them. */
void GOMP_reduction_start(void) __attribute__((weak));
void GOMP_reduction_end(void) __attribute__((weak));
void GOMP_barrier_ext(int kind) __attribute__((weak));

static void barrier_in_reduction(void)
{
#pragma omp parallel num_threads(3)
	{
		GOMP_reduction_start();
		GOMP_barrier_ext(2);
		GOMP_reduction_end();
	}
}

static void barrier_missed_by(int size, int who)
{
#pragma omp parallel num_threads(size)
	if (omp_get_thread_num() != who)
		team_barrier();
}

static void barrier_missed_by_first(void)
{
	barrier_missed_by(3, 0);
}

static void barrier_missed_by_worker(void)
{
	barrier_missed_by(3, 2);
}

static void barrier_missed_of_two(void)
{
	barrier_missed_by(2, 1);
}

static void barrier_missed_of_many(void)
{
	barrier_missed_by(12, 7);
}

/* The lock of the task that waits is wanted by one that another thread executes. */
static void taskwait_with_lock(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_set_lock(&one);
#pragma omp task
		omp_set_lock(&one);
		let_others();
#pragma omp taskwait
	}
}

static void taskgroup_with_lock(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_set_lock(&one);
#pragma omp taskgroup
		{
#pragma omp task
			omp_set_lock(&one);
			let_others();
		}
	}
}

/* The same where no other thread is free: the waiting thread executes the task itself. */
static void task_above_its_lock(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&one);
			omp_set_lock(&two);
		}
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			omp_set_lock(&two);
		let_others();
#pragma omp task
		omp_set_lock(&one);
#pragma omp taskwait
	}
}

/* Of the two tasks that are waited for one is stuck, and the other depends on it. */
static void dependence_on_stuck(void)
{
	int value = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_set_lock(&one);
#pragma omp task depend(out : value)
		omp_set_lock(&one);
		let_others();
#pragma omp taskgroup
		{
#pragma omp task depend(in : value)
			value++;
		}
	}
}

static void detached_for_ever(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event)
		let_others();
#pragma omp taskwait
	}
}

/* Iteration 0 wants the lock that iteration 1's thread has while it waits for its turn. */
static void ordered_with_lock(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			omp_set_lock(&one);
		let_others();
#pragma omp ordered
		omp_set_lock(&one);
	}
}

static void ordered_dynamic_with_lock(void)
{
#pragma omp parallel num_threads(3)
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < 3; i++) {
		if (i == 1)
			omp_set_lock(&one);
		let_others();
#pragma omp ordered
		if (i == 0)
			omp_set_lock(&one);
	}
}

static void sink_never_posted(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(static, 1)
	for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
		if (i != 0) {
#pragma omp ordered depend(source)
		}
	}
}

/* The thread that has executed iteration 0 has left it for a later one. */
static void sink_skipped_dynamic(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(dynamic)
	for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
		if (i != 0) {
#pragma omp ordered depend(source)
		}
	}
}

/* So many that clang's code takes them from shares of the threads. */
static void sink_skipped_of_many(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(dynamic)
	for (int i = 0; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
		if (i != 7) {
#pragma omp ordered depend(source)
		}
	}
}

/* Iterations 0 to 2 are one thread's, which waits in iteration 2 for what it has left out itself.
 */
static void sink_skipped_in_chunk(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(guided, 3)
	for (int i = 0; i < 6; i++) {
#pragma omp ordered depend(sink : i - 1)
		if (i != 1) {
#pragma omp ordered depend(source)
		}
	}
}

static void sink_with_lock(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(static, 1)
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			omp_set_lock(&one);
		else
			let_others();
#pragma omp ordered depend(sink : i - 1)
		if (i == 0)
			omp_set_lock(&one);
#pragma omp ordered depend(source)
	}
}

/* A thread of an inner region wants what a thread of the outer one has at a barrier. */
static void inner_wants_outer_lock(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&one);
		} else {
			let_others();
#pragma omp parallel num_threads(2)
			if (omp_get_thread_num() == 1)
				omp_set_lock(&one);
		}
#pragma omp barrier
	}
}

static void *take_and_end(void *knows_runtime)
{
	if (knows_runtime != NULL)
		omp_get_thread_num();
	omp_set_lock(&one);
	return NULL;
}

static void want_lock_of(void *knows_runtime)
{
	pthread_t holder;

	pthread_create(&holder, NULL, take_and_end, knows_runtime);
	pthread_join(holder, NULL);
	omp_set_lock(&one);
}

static void lock_of_ended(void)
{
	want_lock_of(&one);
}

/* No omp_init_lock(): what the memory had before is taken for a lock that is held. */
static void lock_not_initialised(void)
{
	memset(&one, 1, sizeof(one));
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		omp_set_lock(&one);
}

/* The runtime never knew its number. */
static void lock_of_ended_stranger(void)
{
	omp_get_thread_num();
	want_lock_of(NULL);
}

static void critical_of_ended(void)
{
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 2) {
#pragma omp critical(door)
		pthread_exit(NULL);
	} else {
		let_others();
		enter_door();
	}
}

static void barrier_without_ended(int size)
{
#pragma omp parallel num_threads(size)
	if (omp_get_thread_num() == 1)
		pthread_exit(NULL);
	else
		team_barrier();
}

static void barrier_without_ended_of_two(void)
{
	barrier_without_ended(2);
}

static void barrier_without_ended_of_three(void)
{
	barrier_without_ended(3);
}

static void region_end_without_ended(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		pthread_exit(NULL);
}

/* The main thread generates the task, so that another one ends in it: gdb needs the main thread. */
static void taskwait_for_ended(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
	{
#pragma omp task
		pthread_exit(NULL);
		let_others();
#pragma omp taskwait
	}
}

static void taskgroup_for_ended(void)
{
#pragma omp parallel num_threads(3)
#pragma omp master
#pragma omp taskgroup
	{
#pragma omp task
		pthread_exit(NULL);
		let_others();
	}
}

static void ordered_after_ended(void)
{
#pragma omp parallel num_threads(3)
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < 3; i++) {
		if (i == 1)
			pthread_exit(NULL);
#pragma omp ordered
		let_others();
	}
}

static void *take_event_and_end(void *nothing)
{
	return nothing;
}

/* The thread that was to fulfill the event has ended. */
static void event_of_ended(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t event;
		pthread_t other;
#pragma omp task detach(event)
		let_others();
		pthread_create(&other, NULL, take_event_and_end, &event);
		pthread_join(other, NULL);
#pragma omp taskwait
	}
}

static jmp_buf outside;

static void barrier_jumped_away_from(void)
{
	if (setjmp(outside) != 0)
		stay();
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0) {
			let_others();
			longjmp(outside, 1);
		}
		team_barrier();
	}
}

static _Thread_local jmp_buf in_region;

static void taskwait_jumped_away_from(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
#pragma omp task
		longjmp(in_region, 1);
		let_others();
#pragma omp taskwait
	} else {
		if (setjmp(in_region) != 0)
			stay();
		team_barrier();
	}
}

/* A worker has kept a lock after its region, and has nothing to do. */
static void lock_of_idle(void)
{
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 2)
		omp_set_lock(&one);
	let_others();
	omp_set_lock(&one);
}

/*
 * Forbidden: the task's thread is at the barrier, and is missing there itself. Whether it comes
 * before or after the thread that has generated the task decides through which of them the circle
 * is found.
 */
static void barrier_in_task_of(int size, int who)
{
#pragma omp parallel num_threads(size)
	if (omp_get_thread_num() == who) {
#pragma omp task
		team_barrier();
		let_others();
	}
}

static void barrier_in_task(void)
{
	barrier_in_task_of(3, 0);
}

static void barrier_in_task_of_last(void)
{
	barrier_in_task_of(3, 2);
}

static void barrier_in_task_of_two(void)
{
	barrier_in_task_of(2, 0);
}

static void barrier_in_task_of_worker(void)
{
	barrier_in_task_of(2, 1);
}

static pthread_t first_thread;

static void lock_in_handler(int signal)
{
	(void)signal;
	omp_set_lock(&one);
}

/*
 * Thread 1 waits for lock two when a handler of its own wants lock one, whose holder waits for
 * thread 1 at the barrier: that lock two is released meanwhile does not help.
 */
static void lock_of_handler(void)
{
	signal(SIGUSR1, lock_in_handler);
	first_thread = pthread_self();
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() != 0)
			omp_set_lock(omp_get_thread_num() == 1 ? &one : &two);
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			omp_set_lock(&two);
		if (omp_get_thread_num() == 2) {
			let_others();
			pthread_kill(first_thread, SIGUSR1);
			let_others();
			omp_unset_lock(&two);
		}
#pragma omp barrier
	}
}

/* In serial code: the handler waits for what the thread that it interrupts holds. */
static void lock_of_own_handler(void)
{
	signal(SIGUSR1, lock_in_handler);
	omp_set_lock(&one);
	raise(SIGUSR1);
}

const struct scene scenes[] = {{"lock-order", lock_order}, {"lock-twice", lock_twice},
    {"lock-ring", lock_ring}, {"lock-at-barrier", lock_at_barrier},
    {"lock-not-given-back", lock_not_given_back}, {"nest-lock-order", nest_lock_order},
    {"old-nest-lock-order", old_nest_lock_order}, {"critical-in-itself", critical_in_itself},
    {"critical-order", critical_order}, {"barrier-in-critical", barrier_in_critical},
    {"barrier-in-reduction", barrier_in_reduction},
    {"barrier-missed-by-first", barrier_missed_by_first},
    {"barrier-missed-by-worker", barrier_missed_by_worker},
    {"barrier-missed-of-two", barrier_missed_of_two},
    {"barrier-missed-of-many", barrier_missed_of_many}, {"taskwait-with-lock", taskwait_with_lock},
    {"taskgroup-with-lock", taskgroup_with_lock}, {"task-above-its-lock", task_above_its_lock},
    {"dependence-on-stuck", dependence_on_stuck}, {"detached-for-ever", detached_for_ever},
    {"ordered-with-lock", ordered_with_lock},
    {"ordered-dynamic-with-lock", ordered_dynamic_with_lock},
    {"sink-never-posted", sink_never_posted}, {"sink-skipped-dynamic", sink_skipped_dynamic},
    {"sink-skipped-of-many", sink_skipped_of_many},
    {"sink-skipped-in-chunk", sink_skipped_in_chunk}, {"sink-with-lock", sink_with_lock},
    {"lock-of-handler", lock_of_handler}, {"lock-of-own-handler", lock_of_own_handler},
    {"inner-wants-outer-lock", inner_wants_outer_lock}, {"lock-of-ended", lock_of_ended},
    {"lock-not-initialised", lock_not_initialised},
    {"lock-of-ended-stranger", lock_of_ended_stranger}, {"critical-of-ended", critical_of_ended},
    {"barrier-without-ended-of-two", barrier_without_ended_of_two},
    {"barrier-without-ended-of-three", barrier_without_ended_of_three},
    {"region-end-without-ended", region_end_without_ended},
    {"taskwait-for-ended", taskwait_for_ended}, {"taskgroup-for-ended", taskgroup_for_ended},
    {"ordered-after-ended", ordered_after_ended}, {"event-of-ended", event_of_ended},
    {"barrier-jumped-away-from", barrier_jumped_away_from},
    {"taskwait-jumped-away-from", taskwait_jumped_away_from}, {"lock-of-idle", lock_of_idle},
    {"barrier-in-task", barrier_in_task}, {"barrier-in-task-of-last", barrier_in_task_of_last},
    {"barrier-in-task-of-two", barrier_in_task_of_two},
    {"barrier-in-task-of-worker", barrier_in_task_of_worker}, {NULL, NULL}};

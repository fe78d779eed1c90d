/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that hang, each by another mistake. What a debugger has to say of them is in
 * deadlocks.py. */
#include <omp.h>
#include <stdlib.h>

#include "scenes.h"

static omp_lock_t one, two, ring[4];
static omp_nest_lock_t nested;

static void take_both(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	let_others();
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
		} else if (omp_get_thread_num() == 1) {
			let_others();
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
		else
			let_others();
		if (omp_get_thread_num() == 1)
			omp_set_lock(&one);
	}
}

static void nest_lock_order(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		omp_set_nest_lock(&nested);
		omp_set_nest_lock(&nested);
		let_others();
		omp_set_lock(&one);
	} else {
		omp_set_lock(&one);
		let_others();
		omp_set_nest_lock(&nested);
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
			let_others();
			enter_door();
		}
	} else {
#pragma omp critical(door)
		{
			let_others();
#pragma omp critical(gate)
			let_others();
		}
	}
}

static void meet(void)
{
#pragma omp barrier
}

static void barrier_in_critical(void)
{
#pragma omp parallel num_threads(3)
#pragma omp critical
	meet();
}

static void barrier_missed_by(int size, int who)
{
#pragma omp parallel num_threads(size)
	if (omp_get_thread_num() != who)
		meet();
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

const struct scene scenes[] = {{"lock-order", lock_order}, {"lock-twice", lock_twice},
    {"lock-ring", lock_ring}, {"lock-at-barrier", lock_at_barrier},
    {"lock-not-given-back", lock_not_given_back}, {"nest-lock-order", nest_lock_order},
    {"critical-in-itself", critical_in_itself}, {"critical-order", critical_order},
    {"barrier-in-critical", barrier_in_critical},
    {"barrier-missed-by-first", barrier_missed_by_first},
    {"barrier-missed-by-worker", barrier_missed_by_worker},
    {"barrier-missed-of-two", barrier_missed_of_two},
    {"barrier-missed-of-many", barrier_missed_of_many}, {"taskwait-with-lock", taskwait_with_lock},
    {"taskgroup-with-lock", taskgroup_with_lock}, {"task-above-its-lock", task_above_its_lock},
    {"dependence-on-stuck", dependence_on_stuck}, {"detached-for-ever", detached_for_ever},
    {"ordered-with-lock", ordered_with_lock},
    {"ordered-dynamic-with-lock", ordered_dynamic_with_lock},
    {"sink-never-posted", sink_never_posted}, {"sink-with-lock", sink_with_lock},
    {"inner-wants-outer-lock", inner_wants_outer_lock}, {NULL, NULL}};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Two locks in opposite orders in one function, and what keeps the two orders apart. */
#include <omp.h>

/* The locks of each function are its own. */
#define LOCKS(name) static omp_lock_t name##_a, name##_b
#define TAKE(first, second)                                                                        \
	{                                                                                          \
		omp_set_lock(&first);                                                              \
		omp_set_lock(&second);                                                             \
		omp_unset_lock(&second);                                                           \
		omp_unset_lock(&first);                                                            \
	}

LOCKS(wait);
LOCKS(no_wait);
LOCKS(other_wait);
LOCKS(branch);
LOCKS(many);
LOCKS(group);
LOCKS(before);
LOCKS(loop);

void taskwaits(int n)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task
		TAKE(wait_a, wait_b);
#pragma omp taskwait
		TAKE(wait_b, wait_a);
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskwait
#pragma omp task
		TAKE(no_wait_a, no_wait_b);
		TAKE(no_wait_b, no_wait_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		TAKE(other_wait_a, other_wait_b);
#pragma omp task
		{
#pragma omp taskwait
		} TAKE(other_wait_b, other_wait_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		TAKE(branch_a, branch_b);
		if (n > 3) {
#pragma omp taskwait
		}
		TAKE(branch_b, branch_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
	{
#pragma omp task
		TAKE(many_a, many_b);
#pragma omp taskwait
		TAKE(many_b, many_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
#pragma omp master
	{
#pragma omp taskgroup
		{
#pragma omp task
			TAKE(group_a, group_b);
		}
		TAKE(group_b, group_a);
	}
}

LOCKS(rounds);
LOCKS(ends);

void generating(int n)
{
#pragma omp parallel
#pragma omp single
	{
		TAKE(before_a, before_b);
#pragma omp task
		TAKE(before_b, before_a);
	}
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
		TAKE(loop_a, loop_b);
#pragma omp task
		TAKE(loop_b, loop_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
	for (int i = 0; i < n; i++) {
#pragma omp master
		{
			TAKE(rounds_a, rounds_b);
#pragma omp task
			TAKE(rounds_b, rounds_a); /* finds openmp-lock-order */
		}
#pragma omp single
		{
			TAKE(ends_a, ends_b);
#pragma omp task
			TAKE(ends_b, ends_a);
		}
	}
}

LOCKS(out);
LOCKS(in);
LOCKS(both);
LOCKS(apart);
LOCKS(local);
LOCKS(parents);
LOCKS(threads);

void dependences(int n)
{
	int data = 0, other = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : data)
		TAKE(out_a, out_b);
#pragma omp task depend(inout : data)
		TAKE(out_b, out_a);
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(in : data)
		TAKE(in_a, in_b);
#pragma omp task depend(in : data)
		TAKE(in_b, in_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(in : other, data)
		TAKE(both_a, both_b);
#pragma omp task depend(out : data)
		TAKE(both_b, both_a);
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(inout : data)
		TAKE(apart_a, apart_b);
#pragma omp task depend(inout : other)
		TAKE(apart_b, apart_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
		int own;
#pragma omp task depend(out : own)
		TAKE(local_a, local_b);
#pragma omp task depend(out : own)
		TAKE(local_b, local_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		{
#pragma omp task depend(inout : data)
			TAKE(parents_a, parents_b);
		}
#pragma omp task depend(inout : data)
		TAKE(parents_b, parents_a); /* finds openmp-lock-order */
	}
}

void dependences_of_threads(int data)
{
#pragma omp parallel
	{
#pragma omp task depend(inout : data)
		TAKE(threads_a, threads_b);
#pragma omp task depend(inout : data)
		TAKE(threads_b, threads_a); /* finds openmp-lock-order */
	}
}

LOCKS(phase);
LOCKS(once);
LOCKS(twice);
LOCKS(shared);
LOCKS(nowait);
LOCKS(tasks);
LOCKS(held);

void barriers(int n)
{
#pragma omp parallel
	{
		TAKE(phase_a, phase_b);
#pragma omp barrier
		TAKE(phase_b, phase_a);
	}
#pragma omp parallel
	for (int i = 0; i < n; i++) {
		TAKE(once_a, once_b);
#pragma omp barrier
		TAKE(once_b, once_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
	for (int i = 0; i < n; i++) {
		TAKE(twice_a, twice_b);
#pragma omp barrier
		TAKE(twice_b, twice_a);
#pragma omp barrier
	}
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < n; i++)
			TAKE(shared_a, shared_b);
		TAKE(shared_b, shared_a);
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			TAKE(nowait_a, nowait_b);
		TAKE(nowait_b, nowait_a); /* finds openmp-lock-order */
	}
#pragma omp parallel
	{
#pragma omp task
		TAKE(tasks_a, tasks_b);
#pragma omp barrier
		TAKE(tasks_b, tasks_a);
	}
#pragma omp parallel
	{
		TAKE(held_a, held_b);
		omp_set_lock(&held_b);
#pragma omp barrier
		omp_set_lock(&held_a); /* finds openmp-lock-order */
		omp_unset_lock(&held_a);
		omp_unset_lock(&held_b);
	}
}

LOCKS(single);
LOCKS(singles);
LOCKS(left);
LOCKS(section);
LOCKS(sections);
LOCKS(serial);
LOCKS(gate);
LOCKS(gates);
LOCKS(half);
LOCKS(regions);
LOCKS(nested);
LOCKS(callers);

void threads(int n)
{
#pragma omp parallel
	for (int i = 0; i < n; i++) {
#pragma omp single
		{
			TAKE(single_a, single_b);
			TAKE(single_b, single_a);
		}
#pragma omp single nowait
		{
			TAKE(singles_a, singles_b);
			TAKE(singles_b, singles_a); /* finds openmp-lock-order */
		}
#pragma omp master
		{
			TAKE(left_a, left_b);
			TAKE(left_b, left_a);
		}
	}
#pragma omp parallel sections
	{
#pragma omp section
		{
			TAKE(section_a, section_b);
			TAKE(section_b, section_a);
		}
#pragma omp section
		TAKE(sections_a, sections_b);
#pragma omp section
		TAKE(sections_b, sections_a); /* finds openmp-lock-order */
	}
#pragma omp parallel num_threads(1)
	{
		TAKE(serial_a, serial_b);
		TAKE(serial_b, serial_a);
	}
#pragma omp parallel
	{
#pragma omp critical(gate)
		TAKE(gate_a, gate_b);
#pragma omp critical(gate)
		TAKE(gate_b, gate_a);
#pragma omp critical(one)
		TAKE(gates_a, gates_b);
#pragma omp critical(other)
		TAKE(gates_b, gates_a); /* finds openmp-lock-order */
#pragma omp critical(gate)
		TAKE(half_a, half_b);
		omp_set_lock(&half_b);
#pragma omp critical(gate)
		omp_set_lock(&half_a); /* finds openmp-lock-order */
		omp_unset_lock(&half_a);
		omp_unset_lock(&half_b);
	}
}

void regions(void)
{
#pragma omp parallel
	TAKE(regions_a, regions_b);
#pragma omp parallel
	TAKE(regions_b, regions_a);
#pragma omp parallel
	{
		TAKE(nested_a, nested_b);
#pragma omp parallel
		TAKE(nested_b, nested_a); /* finds openmp-lock-order */
	}
}

void callers(void)
{
	TAKE(callers_a, callers_b);
	TAKE(callers_b, callers_a); /* finds openmp-lock-order */
}

LOCKS(main);

int main(void)
{
	TAKE(main_a, main_b);
	TAKE(main_b, main_a);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a barrier of atomics that changes its sense in each round, as libraries have it.
 * The last thread that arrives acquires what all others have released, and releases them in turn.
 */
#include <omp.h>
#include <sched.h>

static int arrived, sense;
static int values[2][256];

static void wait_for_all(int *own_sense)
{
	int count;

	*own_sense = !*own_sense;
#pragma omp atomic capture seq_cst
	count = ++arrived;
	if (count == omp_get_num_threads()) {
#pragma omp atomic write relaxed
		arrived = 0;
#pragma omp atomic write release
		sense = *own_sense;
		return;
	}
	for (int now = !*own_sense; now != *own_sense; sched_yield()) {
#pragma omp atomic read acquire
		now = sense;
	}
}

int main(void)
{
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		int own_sense = 0;
		int self = omp_get_thread_num();
		int next = (self + 1) % omp_get_num_threads();

		for (int round = 1; round <= 30; round++) {
			values[round % 2][self] = round;
			wait_for_all(&own_sense);
			wrong += values[round % 2][next] != round;
		}
	}
	return wrong != 0;
}

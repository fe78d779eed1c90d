/* SPDX-License-Identifier: BSD-3-Clause */
/* The same count kept by every means of mutual exclusion: all must agree with the rounds. */
#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 400 };

static int by_critical, by_named, by_atomic, by_lock, by_nest, by_test, by_ordered, by_capture;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void nested_add(int depth)
{
	omp_set_nest_lock(&nest);
	if (depth > 0)
		nested_add(depth - 1);
	else
		by_nest++;
	omp_unset_nest_lock(&nest);
}

int main(void)
{
	void (*set)(omp_lock_t *) = omp_set_lock;
	int order_kept = 1, last = -1;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel for ordered schedule(dynamic, 3)
	for (int i = 0; i < ROUNDS; i++) {
		int seen;

#pragma omp critical
		by_critical++;
#pragma omp critical(named)
		{
			by_named++;
		}
#pragma omp atomic
		by_atomic++;
#pragma omp atomic capture
		seen = by_capture++;
		if (seen < 0)
			printf("impossible\n");
		set(&lock);
		by_lock++;
		omp_unset_lock(&lock);
		while (!omp_test_lock(&lock))
			;
		by_test++;
		omp_unset_lock(&lock);
		nested_add(3);
#pragma omp ordered
		{
			order_kept &= i == last + 1;
			last = i;
			by_ordered++;
		}
#pragma omp flush
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	printf("%d %d %d %d %d %d %d %d, order %s\n", by_critical, by_named, by_atomic, by_lock,
	    by_nest, by_test, by_ordered, by_capture, order_kept ? "kept" : "broken");
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each kernel is built twice. Normally it has no race, and ThreadSanitizer must stay silent: the
 * runtime makes the construct's ordering visible. With PLANT_RACE the construct under test is left
 * out, and ThreadSanitizer must report a race: the silence was due to this construct alone, not to
 * some other order that the runtime makes incidentally.
 */
#ifndef PLANT_H
#define PLANT_H

#include <omp.h>

#include "check.h"

#ifdef PLANT_RACE
#define PLANTED 1
#define SYNCHRONISE(directive)
#define SYNCHRONISING(...)
#else
#define PLANTED                0
#define SYNCHRONISE(directive) _Pragma(directive)
#define SYNCHRONISING(...)     __VA_ARGS__
#endif

#define THREADS 3

/*
 * With a planted race: waits until `expected` threads have arrived, so that the two sides of the
 * race are on two threads. Relaxed atomics order nothing, so waiting here hides no race.
 */
static inline void wait_if_planted(int *here, int expected)
{
	double deadline = check_deadline(5);

	if (!PLANTED)
		return;
	__atomic_add_fetch(here, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(here, __ATOMIC_RELAXED) < expected && check_clock() < deadline)
		sched_yield();
}

/* Reads the result in both builds, but only that of the kernel without a race must be right. */
#define CHECK_RESULT(found, expected)                                                              \
	do {                                                                                       \
		volatile long long read_back = (long long)(found);                                 \
                                                                                                   \
		if (!PLANTED)                                                                      \
			CHECK_EQUAL(read_back, expected);                                          \
	} while (0)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a schedule guarantees about the thread that executes an iteration (OpenMP 5.1, table 2.5). A
 * loop records in owner[i] the thread of logical iteration i (-1: no thread executed it) with
 * own(), which also fails for an iteration that is executed twice.
 */
#ifndef LOOP_SHAPES_H
#define LOOP_SHAPES_H

#include <omp.h>

#include "check.h"

static inline void own(int *owner, long long iteration)
{
	int previous = -1;

	if (!__atomic_compare_exchange_n(&owner[iteration], &previous, omp_get_thread_num(), false,
		__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		CHECK_EQUAL(previous, -1);
}

static inline void disown(int *owner, int iterations)
{
	memset(owner, -1, sizeof(*owner) * (size_t)iterations);
}

static inline void check_all_owned(const int *owner, int iterations, int threads)
{
	for (int i = 0; i < iterations; i++)
		if (!CHECK(owner[i] >= 0 && owner[i] < threads))
			return;
}

/* static, chunk: chunks are assigned round-robin in the order of thread numbers. */
static inline void check_static_chunks(const int *owner, int iterations, int chunk, int threads)
{
	for (int i = 0; i < iterations; i++)
		if (!CHECK_EQUAL(owner[i], i / chunk % threads))
			return;
}

/* static: at most one chunk per thread, of about equal sizes. */
static inline void check_static_blocks(const int *owner, int iterations, int threads)
{
	int largest = (iterations + threads - 1) / threads;
	int length = 0;

	check_all_owned(owner, iterations, threads);
	for (int i = 0; i < iterations; i++) {
		length = i > 0 && owner[i] == owner[i - 1] ? length + 1 : 1;
		CHECK(i == 0 || owner[i] >= owner[i - 1]);
		CHECK(length <= largest);
	}
}

/* dynamic, chunk: chunks start at multiples of chunk, and one thread runs a whole chunk. */
static inline void check_dynamic_chunks(const int *owner, int iterations, int chunk, int threads)
{
	check_all_owned(owner, iterations, threads);
	for (int i = 0; i < iterations; i++)
		if (!CHECK_EQUAL(owner[i], owner[i / chunk * chunk]))
			return;
}

/* guided, chunk: no chunk is smaller than `chunk`, except the one with the last iteration. */
static inline void check_guided_chunks(const int *owner, int iterations, int chunk, int threads)
{
	int length = 0;

	check_all_owned(owner, iterations, threads);
	for (int i = 0; i < iterations; i++) {
		length++;
		if (i + 1 < iterations && owner[i + 1] != owner[i]) {
			if (!CHECK(length >= chunk))
				return;
			length = 0;
		}
	}
}

#endif

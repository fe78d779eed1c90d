/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic: no update is lost, for the types that have instructions and for those that need the
 * runtime's fallback; captures return each intermediate value once; compare. OpenMP 5.1, 2.19.7.
 */
#include <omp.h>

#include "check.h"

#define TURNS 1000
#ifdef __clang__ /* which takes acq_rel with capture alone */
#define ACQ_REL release
#else
#define ACQ_REL acq_rel
#endif

static void updates(int threads)
{
	char tiny = 0;
	short small = 0;
	int plain = 0;
	unsigned long long wide = 0;
	float single = 0;
	double twice = 0;
	long double longest = 0;
	unsigned product = 1;
	int arrived = 0;

#pragma omp parallel
	{
		start_together(&arrived, threads);
		for (int i = 0; i < TURNS; i++) {
#pragma omp atomic
			tiny++;
#pragma omp atomic update
			small -= 2;
#pragma omp atomic seq_cst
			plain = plain + 3;
#pragma omp atomic ACQ_REL
			wide += 1ULL << 33;
#pragma omp atomic
			single += 0.25f;
#pragma omp atomic relaxed
			twice = 0.5 + twice;
#pragma omp atomic
			longest += 1;
#pragma omp atomic
			product *= 3;
		}
	}
	unsigned expected_product = 1;

	for (int i = 0; i < TURNS * threads; i++)
		expected_product *= 3;
	CHECK_EQUAL(tiny, (char)(TURNS * threads));
	CHECK_EQUAL(small, (short)(-2 * TURNS * threads));
	CHECK_EQUAL(plain, 3 * TURNS * threads);
	CHECK_EQUAL(wide >> 33, TURNS * threads);
	CHECK(single == 0.25f * TURNS * (float)threads);
	CHECK(twice == 0.5 * TURNS * threads);
	CHECK(longest == (long double)TURNS * threads);
	CHECK_EQUAL(product, expected_product);
}

/* Long enough that even on a busy machine threads are interrupted inside of an update. */
static void many_fallback_updates(int threads)
{
	long double wide = 0;
	int turns = 1000000 / threads;
	int arrived = 0;

#pragma omp parallel
	{
		start_together(&arrived, threads);
		for (int i = 0; i < turns; i++) {
#pragma omp atomic
			wide += 1;
		}
	}
	CHECK(wide == (long double)turns * threads);
}

static int taken[TURNS * 1024];

static void captures(int threads)
{
	int ticket = 0;
	long double slow_ticket = 0;
	int slow[TURNS] = {0};

	if (threads > 1024)
		return;
	memset(taken, 0, sizeof(taken));
#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		int before;
		long double after;

#pragma omp atomic capture
		before = ticket++;
		if (CHECK(before >= 0 && before < TURNS * threads))
			count(&taken[before]);
#pragma omp atomic capture
		{
			slow_ticket += 1;
			after = slow_ticket;
		}
		count(&slow[(long)after % TURNS]);
	}
	CHECK_ALL(taken, TURNS * threads, 1);
	CHECK_ALL(slow, TURNS, threads);
}

static void reads_are_whole(int threads)
{
	unsigned long long both_halves = 0;

#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		unsigned long long found;

#pragma omp atomic write
		both_halves = (unsigned long long)(i % 1000) * 0x100000001ULL;
#pragma omp atomic read
		found = both_halves;
		CHECK_EQUAL(found >> 32, found & 0xffffffff);
	}
	CHECK(both_halves >> 32 <= 1000);
	CHECK(threads > 0);
}

static void compares(int threads)
{
	int largest = -1;
	int smallest = 1 << 30;
	int owner = -1;
	int winners = 0;

#pragma omp parallel
	{
		int number = omp_get_thread_num();
		int won;

#pragma omp atomic compare
		largest = largest < number ? number : largest;
#pragma omp atomic compare
		smallest = smallest > number ? number : smallest;
#pragma omp atomic compare capture
		{
			won = owner == -1;
			if (won) {
				owner = number;
			}
		}
		if (won)
			count(&winners);
	}
	CHECK_EQUAL(largest, threads - 1);
	CHECK_EQUAL(smallest, 0);
	CHECK_EQUAL(winners, 1);
	CHECK(owner >= 0 && owner < threads);
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	updates(threads);
	many_fallback_updates(threads);
	captures(threads);
	reads_are_whole(threads);
	for (int i = 0; i < 20; i++)
		compares(threads);
	return check_result();
}

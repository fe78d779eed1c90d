/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The constructs that GCC 17 executes by calls of its own: loops and distribute constructs that its
 * code divides, single, scope, masked, reductions and barriers, at each level of -fopenmp-ompt.
 * Each iteration is executed once, each block by whom it is for, sums are complete, and no member
 * passes a barrier before all have come. Also in nested regions, in leagues, and where the region
 * is cancelled in the middle.
 */
#include <omp.h>

#include "check.h"
#include "gcc17.h"

enum { MOST = 200 };

static int executed[MOST], again[MOST];

static void begin(void)
{
	memset(executed, 0, sizeof(executed));
	memset(again, 0, sizeof(again));
}

static void loops(enum gcc17_level level, int n, int chunk)
{
	begin();
#pragma omp parallel
	{
		gcc17_numbers numbers;

		GCC17_LOOP(level, n, chunk, i, count(&executed[i]));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		CHECK_ALL(executed, n, 1);
		numbers = GOMP_loop_static_worksharing((gcc17_count)n);
		CHECK_EQUAL(__real__ numbers, omp_get_num_threads());
		CHECK_EQUAL(__imag__ numbers, omp_get_thread_num());
		GCC17_LOOP_AGAIN(level, numbers, n, chunk, i, count(&again[i]));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		CHECK_ALL(again, n, 1);
		GCC17_LOOP(level, n, chunk, i, count(&executed[i])); /* nowait */
		GCC17_SHARING_LOOP(level, n, i, count(&executed[i]));
		CHECK_ALL(executed, n, 3);
		if (level != GCC17_NONE)
			GOMP_loop_static_worksharing_end(); /* over unsigned numbers, empty */
	}
	CHECK_ALL(executed, n, 3);
	CHECK_ALL(again, n, 1);
}

static void blocks(enum gcc17_level level)
{
	int threads = omp_get_max_threads(), singles = 0, unwaited = 0, masked = 0, by_none = 0;
	int scopes = 0, inner = 0, seen = 0;

	begin();
#pragma omp parallel
	for (int round = 1; round <= 10; round++) {
		GCC17_SINGLE(level, true, count(&singles));
		CHECK_EQUAL(__atomic_load_n(&singles, __ATOMIC_RELAXED), round);
		GOMP_barrier_ext(GCC17_EXPLICIT);
		GCC17_SINGLE(level, false, count(&unwaited));
		GCC17_MASKED(level, round % threads, {
			CHECK_EQUAL(omp_get_thread_num(), round % threads);
			GCC17_MASKED(level, round % threads, count(&masked));
		});
		GCC17_MASKED(level, threads, count(&by_none));
		GCC17_SCOPE(level, true, {
			count(&scopes);
			GCC17_LOOP(level, MOST, 3, i, count(&executed[i]));
			GOMP_barrier_ext(GCC17_EXPLICIT);
			CHECK(__atomic_load_n(&scopes, __ATOMIC_RELAXED) >= round * threads);
			GCC17_SCOPE(level, false, count(&inner));
		});
		CHECK(__atomic_load_n(&inner, __ATOMIC_RELAXED) >= round * threads);
		GCC17_SINGLE(level, true, seen++);
		CHECK_EQUAL(seen, round);
		GOMP_barrier_ext(GCC17_OF_PARALLEL);
	}
	CHECK_EQUAL(singles, 10);
	CHECK_EQUAL(unwaited, 10);
	CHECK_EQUAL(masked, 10);
	CHECK_EQUAL(by_none, 0);
	CHECK_EQUAL(scopes, 10 * threads);
	CHECK_EQUAL(inner, 10 * threads);
	CHECK_ALL(executed, MOST, 10);
}

static void reductions(enum gcc17_level level)
{
	long sum = 0, product_of_signs = 1;
	int threads = omp_get_max_threads(), inside = 0;

#pragma omp parallel
	for (int round = 0; round < 50; round++) {
		long own = 0;

		GCC17_LOOP(level, MOST, 0, i, own += (long)i);
		GCC17_REDUCTION({
			CHECK_EQUAL(count(&inside), 0);
			sum += own;
			product_of_signs = -product_of_signs;
			dawdle(20);
			__atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
		});
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		CHECK_EQUAL(sum, (round + 1L) * MOST * (MOST - 1) / 2);
		GOMP_barrier_ext(GCC17_EXPLICIT);
	}
	CHECK_EQUAL(product_of_signs, 1);
	CHECK_EQUAL(threads, omp_get_max_threads());
}

/* gcc moves a pragma in a macro's arguments before the macro, so regions begin in functions. */
static void inner_region(enum gcc17_level level, int *inner, int *masked)
{
#pragma omp parallel num_threads(2)
	{
		GCC17_LOOP(level, 10, 1, k, count(inner));
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		GCC17_MASKED(level, 0, count(masked));
	}
}

static void nested(enum gcc17_level level)
{
	int inner = 0, masked = 0;

	begin();
	omp_set_max_active_levels(2);
#pragma omp parallel
	{
		GCC17_LOOP(level, MOST, 0, i, {
			count(&executed[i]);
			if (i % 50 == 0)
				inner_region(level, &inner, &masked);
		});
		GOMP_barrier_ext(GCC17_OF_WORKSHARE);
		CHECK_ALL(executed, MOST, 1);
	}
	omp_set_max_active_levels(1);
	CHECK_EQUAL(inner, 4 * 10);
	CHECK_EQUAL(masked, 4);
}

static void team_region(enum gcc17_level level, gcc17_count block)
{
#pragma omp parallel num_threads(2)
	GCC17_LOOP(level, 10, 0, i, count(&again[10 * block + i]));
}

static void leagues(enum gcc17_level level, int chunk)
{
	begin();
#pragma omp teams num_teams(3)
	{
		gcc17_numbers numbers = GOMP_distribute_static_worksharing(MOST);

		CHECK_EQUAL(__real__ numbers, omp_get_num_teams());
		CHECK_EQUAL(__imag__ numbers, omp_get_team_num());
		GCC17_DISTRIBUTE(level, MOST, chunk, i, count(&executed[i]));
		GCC17_DISTRIBUTE(level, MOST / 10, chunk, k, team_region(level, k));
	}
	CHECK_ALL(executed, MOST, 1);
	CHECK_ALL(again, MOST, 1);
}

/*
 * All members leave the region from where they find it cancelled, also from inside a scope; one
 * that is late at the first barrier finds it there.
 */
static void cancelled(enum gcc17_level level)
{
	int after = 0, before = 0, threads = omp_get_max_threads();

#pragma omp parallel
	{
		GCC17_LOOP(level, MOST, 0, i, (void)i);
		if (!GOMP_barrier_cancel_ext(GCC17_OF_WORKSHARE)) {
			if (level != GCC17_NONE)
				GOMP_scope_start_with_end(NULL);
			count(&before);
			if (omp_get_thread_num() == threads - 1) {
#pragma omp cancel parallel
			}
			if (!GOMP_barrier_cancel_ext(GCC17_EXPLICIT))
				count(&after);
		}
	}
	CHECK(before >= 1 && before <= threads);
	CHECK_EQUAL(after, 0);
#pragma omp parallel
	GCC17_SINGLE(level, true, count(&after));
	CHECK_EQUAL(after, 1);
}

/* Outside of any region a thread is a team of one. */
static void alone(enum gcc17_level level)
{
	int blocks = 0;

	begin();
	GCC17_LOOP(level, 10, 0, i, count(&executed[i]));
	GOMP_barrier_ext(GCC17_OF_WORKSHARE);
	GCC17_DISTRIBUTE(level, 10, 2, i, count(&executed[i]));
	GCC17_SINGLE(level, true, count(&blocks));
	GCC17_MASKED(level, 0, count(&blocks));
	GCC17_MASKED(level, 1, count(&blocks));
	GCC17_SCOPE(level, true, count(&blocks));
	GCC17_REDUCTION(count(&blocks));
	CHECK_EQUAL(GOMP_barrier_cancel_ext(GCC17_EXPLICIT), false);
	CHECK_ALL(executed, 10, 2);
	CHECK_EQUAL(blocks, 4);
}

int main(int argc, char **arguments)
{
	static const int counts[] = {0, 1, 2, 7, MOST};

	(void)argc;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	omp_set_dynamic(0);
	if (!CHECK(gcc17_has_entries()))
		return check_result();
	for (enum gcc17_level level = GCC17_NONE; level < GCC17_LEVELS; level++) {
		for (unsigned k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
			for (int chunk = 0; chunk < 5; chunk += 2)
				loops(level, counts[k], chunk);
		blocks(level);
		reductions(level);
		nested(level);
		leagues(level, 0);
		leagues(level, 7);
		cancelled(level);
		alone(level);
	}
	return check_result();
}

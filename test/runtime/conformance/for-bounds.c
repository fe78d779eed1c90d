/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loop bounds at the ends of their types: falling loops, steps that do not divide, empty loops,
 * pointers, and iteration spaces that reach the type's limits, in each schedule.
 * OpenMP 5.1, 2.11.1.
 */
#include <limits.h>
#include <omp.h>

#include "check.h"

static int times[64];

static void hit(unsigned long long number, unsigned long long length)
{
	if (CHECK(number < length))
		count(&times[number]);
}

/* One schedule for one loop: TYPE, first value, condition, step and the logical iteration number.
 */
#define LOOP(SCHEDULE, TYPE, FIRST, CONDITION, STEP, NUMBER, LENGTH)                               \
	do {                                                                                       \
		_Pragma(SCHEDULE) for (TYPE i = (FIRST); CONDITION; STEP)                          \
		{                                                                                  \
			hit((unsigned long long)(NUMBER), LENGTH);                                 \
		}                                                                                  \
		CHECK_ALL(times, (LENGTH), 1);                                                     \
		memset(times, 0, sizeof(times));                                                   \
	} while (0)

#define EVERY_SCHEDULE(...)                                                                        \
	LOOP("omp parallel for schedule(static)", __VA_ARGS__);                                    \
	LOOP("omp parallel for schedule(static, 3)", __VA_ARGS__);                                 \
	LOOP("omp parallel for schedule(dynamic)", __VA_ARGS__);                                   \
	LOOP("omp parallel for schedule(dynamic, 5)", __VA_ARGS__);                                \
	LOOP("omp parallel for schedule(guided)", __VA_ARGS__);                                    \
	LOOP("omp parallel for schedule(guided, 4)", __VA_ARGS__);                                 \
	LOOP("omp parallel for schedule(runtime)", __VA_ARGS__);                                   \
	LOOP("omp parallel for ordered schedule(dynamic, 2)", __VA_ARGS__);                        \
	LOOP("omp parallel for schedule(monotonic: dynamic, 2)", __VA_ARGS__)

static void ints(void)
{
	EVERY_SCHEDULE(int, 40, i > 0, i -= 3, (40 - i) / 3, 14u);
	EVERY_SCHEDULE(int, 0, i <= 40, i += 7, i / 7, 6u);
	EVERY_SCHEDULE(int, INT_MAX - 20, i < INT_MAX, i++, i - (INT_MAX - 20), 20u);
	EVERY_SCHEDULE(int, INT_MIN + 20, i > INT_MIN, i--, INT_MIN + 20 - i, 20u);
	EVERY_SCHEDULE(short, 0, i < 33, i += 2, i / 2, 17u);
	EVERY_SCHEDULE(unsigned char, 200, i < 250, i++, i - 200, 50u);
}

static void longs(void)
{
	EVERY_SCHEDULE(long, LONG_MAX - 30, i < LONG_MAX, i++, i - (LONG_MAX - 30), 30u);
	EVERY_SCHEDULE(long, LONG_MIN + 30, i > LONG_MIN, i--, LONG_MIN + 30 - i, 30u);
	EVERY_SCHEDULE(long, -1000000000000L, i < 1000000000000L, i += 50000000001L,
	    (i + 1000000000000L) / 50000000001L, 40u);
	EVERY_SCHEDULE(long long, 25, i >= 1, i -= 1, 25 - i, 25u);
}

static void unsigned_longs(void)
{
	EVERY_SCHEDULE(
	    unsigned long long, ULLONG_MAX - 30, i < ULLONG_MAX, i++, i - (ULLONG_MAX - 30), 30u);
	EVERY_SCHEDULE(
	    unsigned long long, ULLONG_MAX, i > ULLONG_MAX - 45, i -= 2, (ULLONG_MAX - i) / 2, 23u);
	EVERY_SCHEDULE(unsigned long, 30, i > 0, i--, 30 - i, 30u);
	EVERY_SCHEDULE(
	    unsigned long long, 0, i < ULLONG_MAX - (1ULL << 59), i += 1ULL << 59, i >> 59, 31u);
	EVERY_SCHEDULE(unsigned, UINT_MAX - 9, i < UINT_MAX, i++, i - (UINT_MAX - 9), 9u);
}

static void pointers(void)
{
	char text[60];

	EVERY_SCHEDULE(char *, text, i < text + 60, i += 2, (i - text) / 2, 30u);
	EVERY_SCHEDULE(char *, text + 59, i >= text, i--, text + 59 - i, 60u);
}

static void empty(void)
{
	volatile int nothing = 0;
	int bound = nothing;
	unsigned long long wide = (unsigned long long)nothing;

	EVERY_SCHEDULE(int, 0, i < bound, i++, i, 0u);
	EVERY_SCHEDULE(int, 10, i < bound, i++, i, 0u);
	EVERY_SCHEDULE(unsigned long long, 0, i < wide, i++, i, 0u);
	EVERY_SCHEDULE(unsigned long long, 10, i < wide, i++, i, 0u);
	EVERY_SCHEDULE(long, -5, i > bound, i--, i, 0u);
}

int main(void)
{
	omp_set_schedule(omp_sched_guided, 2);
	ints();
	longs();
	unsigned_longs();
	pointers();
	empty();
	return check_result();
}

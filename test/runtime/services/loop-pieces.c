/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop whose pieces are noted (shared/loop-marks.h): under each schedule each thread hears of
 * exactly the iterations that it has executed, in pieces no longer than it asked for, and the next
 * loop has none. Loops without iterations, of one thread, of int, long and unsigned long long,
 * upwards and downwards, and lastprivate stay right.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "shared/loop-marks.h"
#include "shared/loop-schedule.h"

enum { MOST = 1000, THREADS = 4 };

/* What one thread heard and did. */
struct heard {
	struct loop_marks notes;
	uint64_t asked;
	long begins, pieces;
	unsigned char noted[MOST], done[MOST];
};

static struct heard heard[THREADS];
static loop_schedule_routine *next_loop;

static uint64_t note(struct loop_marks *notes, uint64_t low, uint64_t high)
{
	struct heard *own = (struct heard *)(void *)notes;

	if (low == high) {
		own->begins++;
		CHECK(own->pieces == 0);
		return own->asked;
	}
	own->pieces++;
	CHECK(high <= notes->count && high - low <= own->asked);
	for (uint64_t i = low; i < high; i++)
		own->noted[i]++;
	own->asked = own->asked % 7 + 1;
	return own->asked;
}

static struct heard *begin(int kind, int chunk, bool is_noted)
{
	struct heard *own = &heard[omp_get_thread_num()];

	memset(own, 0, sizeof(*own));
	own->notes.note = note;
	own->asked = (uint64_t)omp_get_thread_num() + 1;
	next_loop(kind, chunk, is_noted ? &own->notes : NULL);
	return own;
}

static void end(const struct heard *own, long count, bool is_noted)
{
	next_loop(LOOP_SCHEDULE_NONE, 0, NULL);
	CHECK(own->begins == is_noted);
	CHECK(!is_noted || (own->notes.count == (uint64_t)count &&
			       own->notes.size == (uint32_t)omp_get_num_threads()));
	CHECK(memcmp(own->noted, own->done, sizeof(own->noted)) == 0 || !is_noted);
	CHECK(is_noted || own->pieces == 0);
}

/* Each iteration was executed once, by whichever thread. */
static void check_done(long count)
{
	for (long i = 0; i < MOST; i++) {
		int sum = 0;
		for (int j = 0; j < THREADS; j++)
			sum += heard[j].done[i];
		CHECK(sum == (i < count));
	}
}

/* Without iterations all threads of gcc's code write the variable. */
static void check_last(int threads, int kind, int chunk, long count)
{
	long last = -1;

#pragma omp parallel num_threads(threads)
	{
		struct heard *own = begin(kind, chunk, true);
#pragma omp for schedule(runtime) lastprivate(last)
		for (long i = 0; i < count; i++) {
			own->done[i]++;
			last = i;
		}
		end(own, count, true);
	}
	check_done(count);
	CHECK(last == count - 1);
}

static void check_loops(int threads, int kind, int chunk, long count)
{
	memset(heard, 0, sizeof(heard));
	if (count > 0)
		check_last(threads, kind, chunk, count);
#pragma omp parallel num_threads(threads)
	{
		struct heard *own = begin(kind, chunk, true);
#pragma omp for schedule(runtime) nowait
		for (unsigned long long i = 5; i < 5 + 3 * (unsigned long long)count; i += 3)
			own->done[(i - 5) / 3]++;
		end(own, count, true);
#pragma omp barrier
#pragma omp single
		check_done(count);
		own = begin(kind, chunk, true);
#pragma omp for schedule(runtime) nowait
		for (int i = (int)count; i > 0; i--)
			own->done[count - i]++;
		end(own, count, true);
#pragma omp barrier
#pragma omp single
		check_done(count);
		/* Nobody hears of a loop after one that had marks. */
		own = begin(kind, chunk, false);
#pragma omp for schedule(runtime) nowait
		for (int i = 0; i < count; i++)
			own->done[i]++;
		end(own, count, false);
	}
	check_done(count);
}

/* The schedule that was given, which pieces do not change: static leaves each thread its block. */
static void check_blocks(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		struct heard *own = begin(LOOP_SCHEDULE_STATIC, 0, true);
		int number = omp_get_thread_num();
#pragma omp for schedule(runtime)
		for (int i = 0; i < MOST; i++)
			own->done[i]++;
		for (int i = 0; i < MOST; i++)
			CHECK(own->done[i] == (i / (MOST / THREADS) == number));
		end(own, MOST, true);
	}
}

int main(void)
{
	static const long counts[] = {0, 1, 3, 64, 97, MOST};

	*(void **)&next_loop = dlsym(RTLD_DEFAULT, LOOP_SCHEDULE_ROUTINE);
	CHECK(next_loop != NULL);
	omp_set_dynamic(0);
	for (int threads = 1; threads <= THREADS; threads++)
		for (int kind = LOOP_SCHEDULE_STATIC; kind <= LOOP_SCHEDULE_GUIDED; kind++)
			for (int chunk = 0; chunk <= 20; chunk += 5)
				for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
					check_loops(threads, kind, chunk, counts[i]);
	check_blocks();
	return check_result();
}

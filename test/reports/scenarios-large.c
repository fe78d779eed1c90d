/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Archives of any size, for speed and limits, and constructs by chance for the comparisons with
 * readers of another make.
 */
#include "scenarios.h"

/* n parallel regions with a loop and a critical on 8 threads: 8 x n x 12 events, for speed. */
void scenario_large(struct writer *writer, long n)
{
	scenario_begin(writer);
	for (long step = 0; step < n; step++) {
		writer_fork(writer, 0, 8, 0, PARALLEL, 1 * US);
		for (int t = 0; t < 8; t++) {
			writer_enter(writer, t, LOOP);
			writer_work(
			    writer, t, 10 * US + (uint64_t)((t * 37 + step * 11) % 50) * US / 10);
			writer_critical(writer, t, writer->now[t] + (uint64_t)t * 100, 1, 50);
		}
		writer_barrier(writer, 0, 8, LOOP_BARRIER);
		for (int t = 0; t < 8; t++)
			writer_leave(writer, t, LOOP);
		writer_join(writer, 0, 8, 0, PARALLEL, PARALLEL_BARRIER, 1 * US);
		writer_work(writer, 0, 3 * US);
	}
	scenario_end(writer);
}

/* One parallel region with n different loops on four threads, 1 us each. */
void scenario_many(struct writer *writer, long n)
{
	writer->more_loops = (uint32_t)n;
	writer_fork(writer, 0, 4, 0, PARALLEL, 0);
	for (int t = 0; t < 4; t++) {
		for (long i = 0; i < n; i++)
			writer_region(writer, t, (enum region)(REGIONS + i), 1 * US);
	}
	writer_join(writer, 0, 4, 0, PARALLEL, PARALLEL_BARRIER, 0);
}

/* A team of 1,200 threads; thread t works t + 1 us. */
void scenario_wide(struct writer *writer, long n)
{
	(void)n;
	scenario_begin(writer);
	writer_fork(writer, 0, writer->threads, 0, PARALLEL, 0);
	for (int t = 0; t < writer->threads; t++)
		writer_region(writer, t, LOOP_NOWAIT, (uint64_t)(t + 1) * US);
	writer_join(writer, 0, writer->threads, 0, PARALLEL, PARALLEL_BARRIER, 0);
	scenario_end(writer);
}

/* Simple generator: the same numbers on every machine. */
static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % limit;
}

/* Constructs by chance, in n-th different ways: for the comparison with the independent reader. */
static void mixed_work(struct writer *writer, int threads, uint64_t *state)
{
	static const enum region plain[] = {MASTER, ATOMIC, MAIN};

	switch (random_below(state, 6)) {
	case 0:
		for (int t = 0; t < threads; t++) {
			writer_enter(writer, t, LOOP);
			writer_work(writer, t, random_below(state, 1000 * US));
		}
		writer_barrier(writer, 0, threads, LOOP_BARRIER);
		for (int t = 0; t < threads; t++)
			writer_leave(writer, t, LOOP);
		break;
	case 1:
		for (int t = 0; t < threads; t++)
			writer_region(writer, t, LOOP_NOWAIT, random_below(state, 1000 * US));
		break;
	case 2:
		for (int t = 0; t < threads; t++)
			writer_critical(writer, t, writer->now[t] + random_below(state, 50 * US), 3,
			    random_below(state, 100 * US));
		break;
	case 3:
		writer_barrier(writer, 0, threads, BARRIER);
		break;
	case 4:
		for (int t = 0; t < threads; t++) {
			writer_enter(writer, t, MAIN);
			writer_region(writer, t, plain[random_below(state, 3)],
			    random_below(state, 100 * US));
			writer_work(writer, t, random_below(state, 10 * US));
			writer_leave(writer, t, MAIN);
		}
		break;
	default:
		for (int t = 0; t < threads; t++) {
			writer_enter(writer, t, SECTIONS);
			for (uint64_t i = random_below(state, 3); i > 0; i--)
				writer_region(writer, t, SECTION, random_below(state, 200 * US));
		}
		writer_barrier(writer, 0, threads, SECTIONS_BARRIER);
		for (int t = 0; t < threads; t++)
			writer_leave(writer, t, SECTIONS);
	}
}

void scenario_mixed(struct writer *writer, long n)
{
	uint64_t state = (uint64_t)n;

	scenario_begin(writer);
	for (int step = 0; step < 40; step++) {
		writer_work(writer, 0, random_below(&state, 100 * US));
		writer_fork(writer, 0, writer->threads, 0, PARALLEL, random_below(&state, 10 * US));
		for (uint64_t i = random_below(&state, 6); i > 0; i--)
			mixed_work(writer, writer->threads, &state);
		writer_join(writer, 0, writer->threads, 0, PARALLEL, PARALLEL_BARRIER,
		    random_below(&state, 10 * US));
	}
	scenario_end(writer);
}

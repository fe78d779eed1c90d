/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runs of `ompinst race run` divide the iterations of a loop in so many ways that two of them
 * at a distance of 1 to 7 belong to different threads in at least one run: with the numbers of
 * threads of the table, and with each fixed number of them, as num_threads gives it.
 */
#include "run-plan.h"

#include <stdio.h>

enum { ITERATIONS = 1000, FARTHEST = 7, MOST_THREADS = 16 };

/* The thread of an iteration, as the runtime divides a static loop. */
static unsigned thread_of(unsigned iteration, unsigned chunk, unsigned threads)
{
	unsigned each = ITERATIONS / threads, rest = ITERATIONS % threads;

	if (chunk > 0)
		return iteration / chunk % threads;
	return iteration < rest * (each + 1) ? iteration / (each + 1)
					     : rest + (iteration - rest * (each + 1)) / each;
}

/* fixed: the number of threads in all runs; 0: the table's. Returns how many pairs share a thread
 * in all runs. */
static unsigned count_joined(const struct race_options *options, unsigned fixed, unsigned distance)
{
	unsigned joined = 0;

	for (unsigned i = 0; i + distance < ITERATIONS; i++) {
		bool divided = false;
		for (unsigned run = 0; run < race_plan_count(options); run++) {
			const struct race_run plan = race_plan_run(options, run);
			unsigned threads = fixed > 0 ? fixed : plan.threads;
			divided |= thread_of(i, plan.chunk, threads) !=
				   thread_of(i + distance, plan.chunk, threads);
		}
		joined += !divided;
	}
	return joined;
}

int main(void)
{
	const struct race_options options = {.seed = 1};
	struct race_options compared = {.seed = 1, .results = true};
	int failures = 0;

	for (unsigned fixed = 0; fixed <= MOST_THREADS; fixed++)
		for (unsigned distance = 1; distance <= FARTHEST && fixed != 1; distance++) {
			unsigned joined = count_joined(&options, fixed, distance);
			if (joined == 0)
				continue;
			fprintf(stderr,
			    "%u threads (0: the table's): %u pairs at the distance %u are with one "
			    "thread in all runs\n",
			    fixed, joined, distance);
			failures++;
		}
	for (unsigned run = 0; run < race_plan_count(&compared) + RACE_MORE_RUNS; run++)
		failures += race_plan_run(&compared, run).chunk != 0;
	if (race_plan_run(&options, 0).chunk != 0) {
		fprintf(stderr, "the first run does not divide loops as compilers do\n");
		failures++;
	}
	return failures != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of runs. The first run has the user's settings with enough threads; the others differ
 * from it in everything that OpenMP leaves open. In half of them the tasks on one thread are
 * ordered by that thread, so that a race is also seen between native threads, where it counts. Some
 * report several places for one variable, which takes long if a hot loop has a race. In one run
 * cancel constructs have an effect, unlike by default, to see what threads then do.
 *
 * Loops without a schedule clause are static with a chunk. With chunk c, iteration i belongs to
 * thread i / c modulo the number of threads. Chunks 1, 2 and 4 give two iterations at a distance of
 * 1 to 7 to different threads in at least one run, also if the number of threads is always the same
 * (as with num_threads): the test `race plan` proves it for 2 to 16 threads. The parts of equal
 * size, of other runs, divide those that are far from each other, and such runs take less time:
 * where neighbours are of different threads, ThreadSanitizer compares more at each access.
 *
 * The first run is as the program without ompinst would be, because the user sees what it prints.
 * The order of the others is the one in which few runs find most (test/race/plan-order.py,
 * doc/races.md).
 */
#include "run-plan.h"

#include <stddef.h>

static const unsigned usual_threads[] = {8, 3, 2, 5, 16};

/* Threads: an index into the list of numbers. The rows repeat with other seeds. */
static const struct {
	unsigned threads;
	const char *schedule;
	unsigned chunk;
	bool strands, seeded, again, cancellation;
} rows[] = {
    {0, NULL, 0, true, false, false, false},
    {1, "dynamic,3", 1, false, true, true, false},
    {2, "dynamic,1", 2, true, true, false, false},
    {3, "guided", 0, true, true, false, true},
    {0, NULL, 1, false, true, true, false},
    {4, NULL, 0, false, true, false, false},
    {1, "static,1", 0, true, true, true, false},
    {0, "static", 4, false, true, false, false},
};

enum {
	ROWS = sizeof rows / sizeof rows[0],
	ROWS_FOR_MEMORY = 3, /* such errors depend less on the order */
};

unsigned race_plan_count(const struct race_options *options)
{
	return options->runs != 0 ? options->runs
				  : (unsigned)(options->memory ? ROWS_FOR_MEMORY : ROWS);
}

struct race_run race_plan_run(const struct race_options *options, unsigned index)
{
	const unsigned *threads = usual_threads;
	unsigned count = sizeof usual_threads / sizeof usual_threads[0];
	unsigned row = index % ROWS, round = index / ROWS;

	if (options->thread_count > 0) {
		threads = options->threads;
		count = options->thread_count;
	}
	/* The additional runs distinguish the effects of order and of the number of threads. */
	const unsigned usual = race_plan_count(options);
	if (index >= usual)
		return (struct race_run){.threads = index == usual ? threads[rows[0].threads] : 1,
		    .strands = rows[0].strands};
	/* In a later round, a row has the next number of threads and another seed. */
	return (struct race_run){
	    .threads = threads[(rows[row].threads + round) % count],
	    .schedule = rows[row].schedule,
	    /* Sums may be rounded otherwise, which no compiler's own schedule would show. */
	    .chunk = options->results || options->memory ? 0 : rows[row].chunk,
	    .strands = rows[row].strands && !options->memory,
	    .again = rows[row].again && !options->memory,
	    .asks = index == 0,
	    /* A cancelled search may print another result that is just as correct. */
	    .cancellation = rows[row].cancellation && !options->results,
	    .seed = rows[row].seeded || round > 0 || options->memory
			? options->seed + index + (index == 0)
			: 0,
	};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of runs. The first run has the user's settings with enough threads; the others differ
 * from it in everything that OpenMP leaves open. In half of them the tasks on one thread are
 * ordered by that thread, so that a race is also seen between native threads, where it counts. Some
 * report several places for one variable, which takes long if a hot loop has a race. In one run
 * cancel constructs have an effect, unlike by default, to see what threads then do.
 */
#include "run-plan.h"

#include <stddef.h>

static const unsigned usual_threads[] = {8, 3, 2, 5, 16};

/* Threads: an index into the list of numbers. The rows repeat with other seeds. */
static const struct {
	unsigned threads;
	const char *schedule;
	bool strands, seeded, again, cancellation;
} rows[] = {
    {0, NULL, true, false, false, false},
    {1, "static,1", true, true, true, false},
    {2, "dynamic,1", true, true, false, false},
    {0, "dynamic,3", false, true, true, false},
    {3, "guided", true, true, false, true},
    {1, NULL, false, true, true, false},
    {4, NULL, false, true, false, false},
    {0, "static", false, true, false, false},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

unsigned race_plan_count(const struct race_options *options)
{
	return options->runs != 0 ? options->runs : (unsigned)ROWS;
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
	if (index >= race_plan_count(options))
		return (struct race_run){
		    .threads = index == race_plan_count(options) ? threads[rows[0].threads] : 1,
		    .strands = rows[0].strands};
	/* In a later round, a row has the next number of threads and another seed. */
	return (struct race_run){
	    .threads = threads[(rows[row].threads + round) % count],
	    .schedule = rows[row].schedule,
	    .strands = rows[row].strands,
	    .again = rows[row].again,
	    /* A cancelled search may print another result that is just as correct. */
	    .cancellation = rows[row].cancellation && !options->results,
	    .seed = rows[row].seeded || round > 0 ? options->seed + index + (index == 0) : 0,
	};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of runs. The first is as the user would run it, with threads enough; the others differ
 * from it in everything that OpenMP leaves open. In half of them tasks of one thread are in the
 * order of that thread, so that what counts as a race is also seen between threads. Some report one
 * variable at several places, which takes long where a hot loop has a race. In one, cancel
 * constructs have their effect, as they do not by default: what threads do then is seen there.
 */
#include "run-plan.h"

#include <stddef.h>

static const unsigned usual_threads[] = {8, 3, 2, 5, 16};

/* Threads: an index into the list of numbers. Rows repeat, with other seeds. */
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
	/* Those behind the last tell apart what order and number of threads have to do with. */
	if (index >= race_plan_count(options))
		return (struct race_run){
		    .threads = index == race_plan_count(options) ? threads[rows[0].threads] : 1,
		    .strands = rows[0].strands};
	/* In a later round a row has the number of threads that follows, and another seed. */
	return (struct race_run){
	    .threads = threads[(rows[row].threads + round) % count],
	    .schedule = rows[row].schedule,
	    .strands = rows[row].strands,
	    .again = rows[row].again,
	    /* What a cancelled search prints may be another result, and as good. */
	    .cancellation = rows[row].cancellation && !options->results,
	    .seed = rows[row].seeded || round > 0 ? options->seed + index + (index == 0) : 0,
	};
}

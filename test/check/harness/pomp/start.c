/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of measuring: the library reads its settings once, whichever thread comes first. A
 * thread that finds the library measuring sees the settings and the clock; a thread that finds that
 * it does not measure sees that decision.
 */
#include "check.h"
#include "library.h"
#include "rank-state.h"
#include "shared/ranks.h"

#include <unistd.h>

/* Samples come when the kernel sends them, so that runs of the harness would differ. */
static char no_samples[] = "POMP_SAMPLING=off";
static char disabled[] = "POMP_DISABLE=1";
static char *on[] = {no_samples, NULL}, *off[] = {disabled, NULL};

static void check_settings(void)
{
	EXPECT(pomp_process.settings.profiling);
	EXPECT(pomp_process.clock.start.monotonic > 0);
	EXPECT(pomp_process.pid == getpid());
}

static void start(void *argument)
{
	(void)argument;
	EXPECT(pomp_measurement_start());
	check_settings();
}

static void twice(void)
{
	environ = on;
	check_start(start, NULL);
	start(NULL);
	check_join();
}
HARNESS(pomp_start_twice, "two threads start the library") = {.run = twice};

/* A thread that finds the library measuring relies on what the starting one wrote. */
static void use(void *argument)
{
	(void)argument;
	if (library_thread() != NULL)
		pomp_for_enter(&library_loop[0]);
}

static void with_events(void)
{
	environ = on;
	check_start(use, NULL);
	use(NULL);
	check_join();
	EXPECT(pomp_threads.locations == 2 && pomp_regions.count == 1);
}
HARNESS(pomp_start_with_events, "the first events of the process are on two threads") = {
    .run = with_events};

static void announce(void *argument)
{
	struct pomp_rank_state state = pomp_rank_announce();

	(void)argument;
	EXPECT(!state.measures && !state.separate);
}

static int fails(const struct pomp_ranks *ranks, uint64_t *values, int count)
{
	(void)ranks;
	(void)values;
	(void)count;
	return -1;
}

/* A program of one rank, of which nothing is agreed on. */
static const struct pomp_ranks alone = {.size = 1, .program_size = 1, .sum = fails};

static void begin_rank(void *argument)
{
	(void)argument;
	EXPECT(pomp_rank_start(&alone).traced == NULL);
}

static void of_rank(void)
{
	environ = on;
	check_start(begin_rank, NULL);
	start(NULL);
	check_join();
}
HARNESS(pomp_start_of_rank, "one thread starts the library, another one MPI") = {.run = of_rank};

static void not_at_all(void)
{
	environ = off;
	check_start(announce, NULL);
	announce(NULL);
	check_join();
}
HARNESS(pomp_start_disabled, "two threads find that nothing is to be measured") = {
    .run = not_at_all};

static void finish(void *argument)
{
	(void)argument;
	pomp_finalize();
}

static void finished(void)
{
	environ = on;
	check_start(finish, NULL);
	pomp_init();
	check_join();
	EXPECT(load_relaxed(&pomp_state) != POMP_STATE_NEW);
	EXPECT(pomp_process.finished == (load_relaxed(&pomp_state) == POMP_STATE_OFF));
}
HARNESS(pomp_start_finished, "one thread starts the library, another one ends it") = {
    .run = finished};

/* A rank stops, and reports when all do. */
static void finished_of_rank(void)
{
	pomp_rank.ranks = &alone;
	environ = on;
	check_start(finish, NULL);
	pomp_init();
	check_join();
	EXPECT(!pomp_process.finished);
	EXPECT(pomp_process.stopped == (load_relaxed(&pomp_state) == POMP_STATE_OFF));
}
HARNESS(pomp_start_finished_of_rank, "the same of a rank of MPI") = {.run = finished_of_rank};

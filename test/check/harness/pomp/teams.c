/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: threads enter, note their share of the work and leave, and the master adds the shares up
 * and gives the records back. The checker does not see what the runtime orders in between, like
 * ThreadSanitizer with most runtimes, so libpomp's own orders have to suffice. Bounds: a team of
 * two, three regions.
 */
#include "check.h"
#include "library.h"
#include "shared/code-events.h"

/* Hand-overs of a region, by its number. */
enum { FORKED, ENDED, JOINED, HAND_OVERS };

static _Atomic uint64_t handle;

/* A region on one of the two threads, with a loop that both share. */
static void execute(uint64_t fork)
{
	pomp_parallel_begin(&library_parallel, fork);
	pomp_for_enter(&library_loop[0]);
	pomp_for_exit(&library_loop[0]);
	pomp_parallel_end(&library_parallel);
}

static void worker(void *regions)
{
	for (uint32_t i = 0; i < *(const uint32_t *)regions; i++) {
		check_take(HAND_OVERS * i + FORKED);
		execute(load_relaxed(&handle));
		check_give(HAND_OVERS * i + ENDED);
		check_take(HAND_OVERS * i + JOINED);
	}
}

static void run_regions(uint32_t regions)
{
	pomp_register_regions(&library_loop[0]);
	pomp_register_regions(&library_parallel);
	check_start(worker, &regions);
	for (uint32_t i = 0; i < regions; i++) {
		uint64_t fork = pomp_parallel_fork(&library_parallel);
		EXPECT(fork != 0);
		store_relaxed(&handle, fork);
		check_give(HAND_OVERS * i + FORKED);
		if (i + 1 < regions) /* at the same time as the other only in the last one */
			check_take(HAND_OVERS * i + ENDED);
		execute(fork);
		if (i + 1 == regions)
			check_take(HAND_OVERS * i + ENDED);
		pomp_parallel_join(&library_parallel, fork);
		check_give(HAND_OVERS * i + JOINED);
	}
	check_join();
	EXPECT(load_relaxed(&pomp_teams.most_threads) == 2);
	EXPECT(load_relaxed(&pomp_teams.made) == regions);
}

static void one(void)
{
	library_measures();
	run_regions(1);
	EXPECT(library_visits(1) == 2);
}
HARNESS(pomp_teams_one, "a parallel region with a loop") = {.run = one};

/* The members' records of the first region are used again in the second one. */
static void two(void)
{
	library_measures();
	run_regions(2);
}
HARNESS(pomp_teams_two, "two parallel regions, one after the other") = {.run = two};

/*
 * Neither profile nor trace: teams are made and given back all the same. In the first region
 * threads also find what belongs to the regions, with the process's lock.
 */
static void without_profile(void)
{
	library_measures();
	pomp_process.settings.profiling = false;
	run_regions(3);
}
HARNESS(pomp_teams_without_profile, "three of them without a profile") = {.run = without_profile};

static void work_and_go_on(void *unused)
{
	(void)unused;
	check_take(FORKED);
	execute(load_relaxed(&handle));
	check_give(ENDED);
	execute(0);
}

/* The worker has a region of its own while the first one is joined. */
static void going_on(void)
{
	library_measures();
	pomp_register_regions(&library_loop[0]);
	pomp_register_regions(&library_parallel);
	check_start(work_and_go_on, NULL);
	uint64_t fork = pomp_parallel_fork(&library_parallel);
	store_relaxed(&handle, fork);
	check_give(FORKED);
	check_take(ENDED);
	execute(fork);
	pomp_parallel_join(&library_parallel, fork);
	check_join();
	EXPECT(load_relaxed(&pomp_teams.made) == 2);
}
HARNESS(pomp_teams_going_on, "a thread takes records while others come back") = {.run = going_on};

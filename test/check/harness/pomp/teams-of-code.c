/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams as a runtime reports them: a thread may leave the region's last barrier after the join, or
 * with its next region; libpomp noted the thread's work when it arrived there. The checker does not
 * see what the runtime orders: see check_give(). Bounds: a team of two; two regions where the
 * leaving is late.
 */
#include "check.h"
#include "library.h"
#include "shared/code-events.h"

/* Hand-overs of a region, by its number. */
enum { FORKED, WORKER_ARRIVED, MASTER_ARRIVED, HAND_OVERS };

static const char code;
static _Atomic uint64_t handle;

static void begin(uint32_t number)
{
	EXPECT(pomp_code_begin(load_relaxed(&handle), number, 2));
	pomp_code_barrier_enter(CONSTRUCT_PARALLEL, (struct code_address){0});
}

static void leave(void)
{
	pomp_code_barrier_leave();
	pomp_code_end();
}

static void fork_and_join(uint32_t region)
{
	const struct code_address where = {.address = &code, .at = CODE_ENTRY};
	uint64_t fork = pomp_code_fork(where);

	EXPECT(fork > POMP_CODE_MEASURED);
	store_relaxed(&handle, fork);
	check_give(HAND_OVERS * region + FORKED);
	if (region > 0) /* at the same time as the other only in the first one */
		check_take(HAND_OVERS * region + WORKER_ARRIVED);
	begin(0);
	check_give(HAND_OVERS * region + MASTER_ARRIVED);
	if (region == 0)
		check_take(HAND_OVERS * region + WORKER_ARRIVED);
	leave();
	pomp_code_join(fork);
}

static void begin_as_worker(uint32_t region)
{
	check_take(HAND_OVERS * region + FORKED);
	begin(1);
	check_give(HAND_OVERS * region + WORKER_ARRIVED);
}

/* Leaves the barrier when the master does, or after its join. */
static void work_once(void *unused)
{
	(void)unused;
	begin_as_worker(0);
	check_take(MASTER_ARRIVED);
	leave();
}

static void once(void)
{
	library_measures();
	check_start(work_once, NULL);
	fork_and_join(0);
	check_join();
	EXPECT(library_visits(1) == 2);
}
HARNESS(pomp_teams_of_code_once, "a thread leaves a region's last barrier while it is joined") = {
    .run = once};

/* It begins, and of its arrival nothing is reported. */
static void work_unseen(void *unused)
{
	(void)unused;
	check_take(FORKED);
	EXPECT(pomp_code_begin(load_relaxed(&handle), 1, 2));
	check_give(WORKER_ARRIVED);
}

static void unseen(void)
{
	library_measures();
	check_start(work_unseen, NULL);
	fork_and_join(0);
	check_join();
}
HARNESS(pomp_teams_of_code_unseen, "or has not been seen in it") = {.run = unseen};

/* It leaves the first region only when the second one begins. */
static void work_late(void *unused)
{
	(void)unused;
	begin_as_worker(0);
	check_take(HAND_OVERS + FORKED); /* and so the first one's join has been */
	leave();
	begin(1);
	check_give(HAND_OVERS + WORKER_ARRIVED);
}

static void late(void)
{
	library_measures();
	check_start(work_late, NULL);
	fork_and_join(0);
	fork_and_join(1);
	check_join();
	EXPECT(library_visits(1) == 4);
}
HARNESS(pomp_teams_of_code_late, "or when the next region begins") = {.run = late};

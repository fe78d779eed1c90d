/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The orders that are forced on threads where OpenMP leaves them open: which thread enters a
 * critical region first, gets which chunk, executes which task.
 *
 * A pause yields the processor or sleeps for some time, so that a thread that was about to be first
 * becomes second. Programs pass such places millions of times, so a thread pauses often at first
 * and then more and more rarely: at half of the first FIRST places, then at one in 2^k, where k
 * grows with their number. A run takes some ten milliseconds and a few per cent longer this way.
 */
#include <sched.h>
#include <time.h>

#include "race-thread.h"
#include "race.h"
#include "shared/precondition.h"
#include "team.h"

enum { FIRST = 48, SHORT_NS = 20000, LONG_NS = 200000 };

/*
 * At these first places threads may just be being made, which takes longer; and for memory errors,
 * functions are to end.
 */
enum { EARLY = 8, EARLY_NS = 1000000 };

/*
 * Not nanosleep(), which ThreadSanitizer replaces: it then notes the clocks of all threads and
 * strands, to say of a race that only a sleep is between its accesses.
 */
void rt_race_sleep(long ns)
{
	struct timespec time = {0, ns};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Is it time for a pause? */
static bool is_due(struct rt_race_thread *thread)
{
	uint32_t passed = thread->passed++, order = 1;

	if (rt_race_seed() == 0)
		return false;
	for (uint32_t rest = passed / FIRST; rest > 0; rest /= 2)
		order++;
	return rt_race_random(thread) >> (32 - order) == 0;
}

void rt_race_pause_now(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_RACE), "race detection is on");

	struct rt_race_thread *thread = self->race;

	if (thread == NULL || !is_due(thread))
		return;
	switch (rt_race_random(thread) % 4) {
	case 0:
		rt_race_sleep(LONG_NS);
		break;
	case 1:
		rt_race_sleep(SHORT_NS);
		break;
	default:
		sched_yield();
	}
}

/* Lets the other threads of a team of this size go on. */
static void share(struct rt_race_thread *thread, uint32_t size)
{
	if (thread == NULL || rt_race_seed() == 0 || size < 2)
		return;
	if (thread->shared < EARLY &&
	    (load_relaxed(&rt_race_threads) < size || rt_race_is_for_memory()))
		rt_race_sleep(EARLY_NS);
	else if (thread->shared < FIRST || is_due(thread))
		rt_race_sleep(LONG_NS);
	thread->shared++;
}

void rt_race_share_now(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_RACE), "race detection is on");

	share(self->race, self->team->size);
}

void rt_race_begin_task_now(struct rt_thread *self)
{
	if (rt_race_is_for_memory())
		rt_race_share_now(self);
	else
		rt_race_pause_now(self);
}

void rt_race_let_workers_go_now(struct rt_thread *self, const struct rt_team *team)
{
	if (rt_race_seed() % 2 != 0)
		share(self->race, team->size);
}

bool rt_race_queues_for_all(struct rt_thread *self)
{
	return rt_race_seed() != 0 && self->race != NULL && rt_race_random(self->race) % 2 != 0;
}

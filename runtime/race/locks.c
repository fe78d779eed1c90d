/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of the program as race detection sees them: for ThreadSanitizer, what their holders are
 * ordered with; for the preloaded library, which locks a thread takes while it holds others.
 *
 * Locks and critical constructs exclude threads of one contention group. Each team of a league is a
 * contention group of its own, and so is a target region (OpenMP 5.2, 1.2.2, 15.2 and 18.9). On the
 * host the same lock serves them all; but it must not order them. So within a league or a target
 * region an address of its own stands for a lock, one for each team and region.
 */
#include "race-thread.h"
#include "race.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "team.h"
#include "tsan.h"

/* Two locks that share an address by chance seem to be one, which hides a race in this run. */
enum { TEAM_LOCKS = 1 << 16 };
static char team_locks[TEAM_LOCKS];

/* Relaxed: the thread that executes a target region has set it itself, or begun after that. */
static _Atomic bool has_groups;

void rt_race_begin_group(struct rt_thread *self)
{
	self->team->race_group = rt_race_new_number() + 1;
	store_relaxed(&has_groups, true);
}

const void *rt_race_lock_identity(const struct rt_thread *self, const void *lock)
{
	CHECK(rt_watched(RT_BY_RACE), "race detection is on");

	if (self == NULL || (self->teams_count <= 1 && !load_relaxed(&has_groups)))
		return lock;
	const struct rt_team *initial = self->team;

	while (initial != NULL && initial->parent != NULL)
		initial = initial->parent;
	if (initial == NULL || (self->teams_count <= 1 && initial->race_group == 0))
		return lock;
	uint64_t place = (uint64_t)(uintptr_t)lock * UINT64_C(0x9E3779B97F4A7C15) >> 32;
	if (self->teams_count > 1)
		place += self->teams_number;
	return &team_locks[(place + initial->race_group) % TEAM_LOCKS];
}

void rt_race_lock_wanted(const struct race_lock *lock)
{
	if (ompinst_race_lock_wanted != NULL)
		ompinst_race_lock_wanted(lock);
}

void rt_race_lock_taken(const struct race_lock *lock)
{
	rt_tsan_acquire_lock(lock->identity);
	if (ompinst_race_lock_taken != NULL)
		ompinst_race_lock_taken(lock);
}

void rt_race_lock_given(const void *identity)
{
	if (ompinst_race_lock_given != NULL)
		ompinst_race_lock_given(identity);
	rt_tsan_release_lock(identity);
}

void rt_race_lock_new(const volatile void *lock)
{
	if (rt_watched(RT_BY_RACE) && ompinst_race_lock_new != NULL)
		ompinst_race_lock_new((const void *)(uintptr_t)lock);
}

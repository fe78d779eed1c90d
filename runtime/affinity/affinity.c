/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding threads to places: initial threads when they first need it, and the members of a team.
 * Each member computes its own place from the forking thread's, which stays where it is; a thread
 * that is at its place already makes no system call.
 */
#include "affinity.h"

#include <sched.h>

#include "home.h"
#include "places.h"
#include "process.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"

/* If the system refuses, the thread runs where it ran before. */
static void bind_self(const struct rt_thread *self, uint32_t place)
{
	struct rt_processors set = rt_places_get(&rt_process.places, place);
	bool bound = sched_setaffinity(0, set.bytes, (cpu_set_t *)set.words) == 0;

	DEBUG_LOG(place, "thread %u at level %u is %s place %u", self->number, self->team->level,
	    bound ? "bound to" : "not bound, the system refuses:", place);
	(void)bound;
}

void rt_place_initial(struct rt_thread *self)
{
	const struct rt_task_icvs *icvs = self->task->icvs;

	if (likely(icvs->partition_length == 0 || self->place >= 0))
		return;
	self->place = (int32_t)icvs->partition_first;
	bind_self(self, icvs->partition_first);
}

static bool is_same(const struct rt_placement *one, const struct rt_placement *other)
{
	return one->place == other->place && one->partition_first == other->partition_first &&
	       one->partition_length == other->partition_length;
}

static const struct rt_placement *place_of(struct rt_member *member)
{
	struct rt_team *team = member->team;
	struct rt_binding *binding = &member->binding;
	struct rt_placement primary = {
	    team->primary_place, team->icvs->partition_first, team->icvs->partition_length};

	if (unlikely(binding->size != team->size || binding->bind != team->bind ||
		     !is_same(&binding->primary, &primary))) {
		binding->primary = primary;
		binding->size = team->size;
		binding->bind = team->bind;
		rt_place_member(
		    &binding->own, &primary, team->size, member->number, (enum rt_bind)team->bind);
	}
	return &binding->own;
}

/*
 * OpenMP 5.2, 21.2.4: all threads of a region show where they run if that, or their number, has
 * changed for any of them since regions of this team last did so. The members are between regions,
 * so the calling thread may use what they keep of their binding.
 */
static RT_COLD void decide_what_is_shown(struct rt_team *team)
{
	bool has_changed = team->shown_size != team->size;

	for (uint32_t i = 0; i < team->size; i++) {
		struct rt_member *member = rt_team_member(team, i);
		int32_t place = team->is_bound ? (int32_t)place_of(member)->place : -1;

		has_changed |= member->shown_place != place;
		member->shown_place = place;
	}
	team->shown_size = team->size;
	team->shows_affinity = has_changed;
}

void rt_affinity_begin_team(struct rt_thread *self, struct rt_team *team, uint32_t clause)
{
	CHECK(self == rt_current, "the calling thread forks the region");

	const struct rt_task_icvs *icvs = self->task->icvs;
	bool binds = icvs->partition_length != 0 && icvs->bind != RT_BIND_FALSE;

	RT_UPDATE(true, team->is_bound, binds);
	if (unlikely(binds)) {
		rt_place_initial(self);
		RT_UPDATE(true, team->bind, (uint8_t)(clause != 0 ? clause : icvs->bind));
		RT_UPDATE(true, team->primary_place, (uint32_t)self->place);
		RT_UPDATE(true, team->bind_passes_on,
		    clause != 0 && icvs->list_depth + (size_t)1 >= rt_process.bind_list.count);
	}
	if (rt_watched(RT_BY_DISPLAY))
		decide_what_is_shown(team);
}

void rt_affinity_enter(struct rt_thread *self, struct rt_member *member)
{
	CHECK(member->team->is_bound, "the team is bound to places");

	struct rt_team *team = member->team;
	const struct rt_placement *own = place_of(member);

	member->own_icvs = *team->icvs;
	member->own_icvs.partition_first = own->partition_first;
	member->own_icvs.partition_length = own->partition_length;
	/*
	 * As with libgomp, a clause also applies to the regions inside, unless OMP_PROC_BIND has a
	 * value for them.
	 */
	if (team->bind_passes_on)
		member->own_icvs.bind = team->bind;
	member->implicit.icvs = &member->own_icvs;
	member->implicit.icvs_shared = false;
	if (self->place == (int32_t)own->place)
		return;
	self->place = (int32_t)own->place;
	bind_self(self, own->place);
	if (member->has_pages)
		rt_home_bring(member, sizeof(*member));
}

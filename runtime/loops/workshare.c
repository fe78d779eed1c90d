/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slots of a team that hold what its members share in a construct. Members take them in turn,
 * each by its own count of constructs. With nowait members may be in different constructs, any
 * number apart: a member whose slot is still in use takes or makes an extra slot for the construct.
 *
 * All members have to agree on the slot. So `serial` changes in one step from serving construct k
 * to serving k + RT_WORKSHARES, unless a member that is ahead has set the flag EXTRAS before. In
 * that case the last member to leave construct k skips, under the mutex, the constructs that have
 * extra slots. (None of these can be over, because the last member has not been in them.)
 *
 * Who sees what:
 *   left      acq_rel: the last member to leave sees all that the others did with the slot. In a
 *             divided team they leave by the groups' nodes, unless the slot is an extra one
 *   serial    release by the last member, pairs with the acquire in enter: the slot is zero again.
 *             EXTRAS is set by relaxed compare-and-swap: the member that sets it does not use the
 *             slot; the last member that finds it set looks for extra slots under the mutex
 *   prepared  1 by relaxed compare-and-swap, as `serial` has ordered the 0 before it; 2 by
 *             sequential store when the maker is done, pairs with the acquire of members that wait
 *             for it
 */
#include "workshare.h"

#include <stdlib.h>

#include "chunk-stealing.h"
#include "extra-slots.h"
#include "loops.h"
#include "shared/precondition.h"
#include "team.h"
#include "tsan.h"

#define EXTRAS (UINT64_C(1) << 32)

static void clear(struct rt_workshare *share)
{
	free(share->memory);
	share->memory = NULL;
	free(share->posts);
	share->posts = NULL;
	share->reduction_base = 0;
	store_relaxed(&share->next_iteration, 0);
	store_relaxed(&share->turn, 0);
	store_relaxed(&share->cancelled, 0);
	store_relaxed(&share->left, 0);
	store_relaxed(&share->prepared, 0);
}

void rt_workshare_clear_all(struct rt_team *team, uint32_t serial)
{
	rt_extra_free_all(&team->extras);
	for (uint32_t i = 0; i < RT_WORKSHARES; i++) {
		clear(&team->workshares[i]);
		store_relaxed(
		    &team->workshares[i].serial, (uint32_t)(serial + (i - serial) % RT_WORKSHARES));
	}
}

/* The slot whose turn it is serves another construct or has skipped this one. */
static struct rt_workshare *enter_extra(
    struct rt_team *team, struct rt_workshare *share, uint32_t serial)
{
	uint64_t served;

	rt_mutex_lock_inside(&team->extras_mutex);
	served = load_acquire(&share->serial);
	while ((uint32_t)served != serial && !cas_relaxed(&share->serial, &served, served | EXTRAS))
		served = load_acquire(&share->serial);
	if ((uint32_t)served != serial) {
		share = rt_extra_find(&team->extras, serial);
		if (share == NULL)
			share = rt_extra_new(&team->extras, serial);
	}
	rt_mutex_unlock_inside(&team->extras_mutex);
	return share;
}

/*
 * An extra slot is in the ring before any member can wait at it, so a sleeper's slot is found here.
 * A member that announces itself after this look sees team->cancelled, which is set before it.
 */
void rt_workshare_wake_all(struct rt_team *team)
{
	for (int i = 0; i < RT_WORKSHARES; i++)
		rt_event_notify(&team->workshares[i].event);
	rt_mutex_lock_inside(&team->extras_mutex);
	for (uint32_t i = 0; i < team->extras.capacity; i++) {
		struct rt_workshare *extra = team->extras.places[i];
		if (extra != NULL)
			rt_event_notify(&extra->event);
	}
	rt_mutex_unlock_inside(&team->extras_mutex);
}

struct rt_workshare *rt_workshare_enter(struct rt_thread *self)
{
	CHECK(self == rt_current, "the calling member enters");

	struct rt_team *team = self->team;
	uint32_t serial = self->member->loop.serial++;
	struct rt_workshare *share = &team->workshares[serial % RT_WORKSHARES];

	if (unlikely((uint32_t)load_acquire(&share->serial) != serial))
		share = enter_extra(team, share, serial);
	self->member->loop.share = share;
	return share;
}

/* All members have left an extra slot, or a slot whose later constructs may have extra slots. */
static void leave_slowly(struct rt_team *team, struct rt_workshare *share, uint32_t serial)
{
	rt_mutex_lock_inside(&team->extras_mutex);
	if (share->is_extra) {
		rt_extra_free(&team->extras, serial);
	} else {
		do
			serial += RT_WORKSHARES;
		while (rt_extra_find(&team->extras, serial) != NULL);
		store_release(&share->serial, serial);
	}
	rt_mutex_unlock_inside(&team->extras_mutex);
}

/* Is the caller the last member to leave? */
static bool leave(struct rt_thread *self, struct rt_workshare *share, uint32_t serial)
{
	struct rt_team *team = self->team;
	const struct rt_groups *groups = load_relaxed(&team->groups);

	if (unlikely(groups != NULL) && !share->is_extra)
		return rt_group_arrive(
		    rt_group_leaf(groups, self->number, RT_GROUP_SLOT + serial % RT_WORKSHARES));
	return team->size == 1 || add_acq_rel(&share->left, 1) + 1 == team->size;
}

struct rt_workshare *rt_workshare_keep(struct rt_thread *self, uint32_t *serial)
{
	struct rt_loop *loop = &self->member->loop;
	struct rt_workshare *current = loop->share, *kept = rt_workshare_enter(self);

	loop->share = current;
	*serial = loop->serial - 1;
	return kept;
}

/* is_stealing: members had shares of a loop's chunks, which the slot's index identifies. */
static inline __attribute__((always_inline)) void leave_for(
    struct rt_thread *self, struct rt_workshare *share, uint32_t serial, bool is_stealing)
{
	struct rt_team *team = self->team;
	uint64_t served = serial;

	if (share->memory != NULL) /* only then: it must not hide races of the program */
		rt_tsan_release(&share->left);
	if (!leave(self, share, serial))
		return;
	if (share->memory != NULL)
		rt_tsan_acquire(&share->left);
	clear(share);
	if (is_stealing)
		rt_chunk_stealing_clear(team, self->member->loop.slot);
	if (share->is_extra ||
	    !cas_release(&share->serial, &served, (uint32_t)(serial + RT_WORKSHARES)))
		leave_slowly(team, share, serial);
}

void rt_workshare_leave(struct rt_thread *self)
{
	CHECK(self == rt_current, "the calling member leaves");

	struct rt_workshare *share = self->member->loop.share;

	if (share == NULL)
		return;
	self->member->loop.share = NULL;
	leave_for(self, share, self->member->loop.serial - 1, self->member->loop.is_stealing);
}

void rt_workshare_leave_kept(struct rt_thread *self, struct rt_workshare *share, uint32_t serial)
{
	CHECK(share != NULL, "the member has kept the slot");
	leave_for(self, share, serial, false);
}

bool rt_workshare_prepare(struct rt_thread *self, struct rt_workshare *share)
{
	uint32_t state = 0;
	struct rt_spin spin;

	if (cas_relaxed(&share->prepared, &state, 1))
		return true;
	spin = rt_spin_begin(load_relaxed(&self->team->shortage));
	while (load_acquire(&share->prepared) != 2) {
		uint32_t ticket;
		if (rt_spin_again(&spin))
			continue;
		ticket = rt_event_announce(&share->event);
		if (load_sequential(&share->prepared) == 2)
			rt_event_withdraw(&share->event);
		else
			rt_event_sleep(&share->event, ticket);
	}
	rt_tsan_acquire(&share->prepared);
	return false;
}

void rt_workshare_prepared(struct rt_workshare *share)
{
	CHECK(load_relaxed(&share->prepared) == 1, "the caller prepares the construct");
	rt_tsan_release(&share->prepared);
	store_sequential(&share->prepared, 2);
	rt_event_notify(&share->event);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* single: which member executes the block, and what it copies to the others. */
#ifndef RT_SINGLE_H
#define RT_SINGLE_H
#include "events.h"
#include "team.h"

/*
 * The member that moves the team's count from the number of constructs encountered before to the
 * next number executes the block. Relaxed, since the barrier at the end publishes.
 */
static inline bool rt_single_claim(struct rt_thread *self)
{
	struct rt_member *member = self->member;
	const struct rt_groups *groups;
	uint32_t turn;

	if (self->team->size == 1)
		return true;
	turn = member->single_turn++;
	groups = load_relaxed(&self->team->groups);
	if (unlikely(groups != NULL))
		return rt_group_claim(rt_group_leaf(groups, self->number, RT_GROUP_BARRIER),
		    &self->team->single_turn, self->team->single_base, turn);
	/*
	 * A member that is behind the others need not look again. A member that may be first does
	 * not load the count before it tries, which would fetch the line twice.
	 */
	if (turn != member->single_seen ||
	    !cas_relaxed(&self->team->single_turn, &member->single_seen, turn + 1))
		return false;
	member->single_seen = turn + 1;
	return true;
}

/* What the executing member copies to the others; called after a barrier that orders it. */
static inline void *rt_single_copied(const struct rt_thread *self)
{
	const struct rt_groups *groups = load_relaxed(&self->team->groups);

	return unlikely(groups != NULL)
		   ? load_relaxed(&groups->members[self->number].group->carried)
		   : load_relaxed(&self->team->copyprivate);
}

/*
 * The thread is new, a tool is attached or race detection is on: the claim and the end, with their
 * events. All members call the end, or only the one that has executed the block. caller: where the
 * program called.
 */
bool rt_single_claim_watched(const void *caller);
void rt_single_end_watched(const void *caller);

#endif

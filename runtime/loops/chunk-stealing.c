/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dynamic loops whose chunks may be executed in any order, the default since OpenMP 5.0. Each
 * member has a share of the chunks: chunk k belongs to member k % size. A member first claims the
 * chunks of its own share, then steals from the shares of the others, always the lowest chunk and
 * only one at a time. So each member counts in its own cache line until the end is near, no member
 * holds a chunk that it has not begun, a member that never arrives costs the others only the
 * search, and the chunks are begun nearly in the order of the loop.
 *
 * The numbers of a member's chunks may decrease when it steals, so loops with the monotonic
 * modifier, ordered loops and doacross loops share one counter instead. The loop's last chunk is
 * begun after all others, because of lastprivate: to find the thread that executed the loop's last
 * iteration, gcc's code looks only at the last chunk of each thread. `next_iteration` stands for
 * that chunk.
 *
 * `taken` counts the claimed chunks of a member's share in the construct that the slot serves. All
 * operations on it are relaxed, like those on `next_iteration`. It is zero when a construct begins:
 * the last member to leave the slot clears it, before the release of `serial`.
 */
#include "chunk-stealing.h"
#include "shared/precondition.h"

#include "team.h"

/* Shares must be worth the search at the end, and the clearing by the last member to leave. */
enum { LEAST_CHUNKS = 16 }; /* per member */

#define MOST_CHUNKS (UINT64_C(1) << 62) /* so that the counts do not overflow */

static _Atomic uint64_t *taken_of(struct rt_team *team, uint32_t number, uint32_t slot)
{
	return &rt_team_member(team, number)->taken[slot];
}

bool rt_chunk_stealing_begin(struct rt_thread *self, uint64_t chunks)
{
	CHECK(self->member->loop.share != NULL, "the loop has its slot");

	struct rt_loop *loop = &self->member->loop;
	struct rt_team *team = self->team;

	if (loop->share->is_extra || chunks < (uint64_t)LEAST_CHUNKS * team->size ||
	    chunks > MOST_CHUNKS)
		return false;
	loop->slot = (uint32_t)(loop->share - team->workshares);
	loop->share_owner = self->number;
	loop->taken = taken_of(team, self->number, loop->slot);
	return true;
}

/* Number of claims of a share that cannot give the loop's last chunk. */
static uint64_t sure_claims(const struct rt_loop *loop, uint32_t size)
{
	return (loop->chunks - 1 - loop->share_owner + size - 1) / size;
}

void rt_chunk_stealing_set_claims(struct rt_thread *self)
{
	CHECK(self->member->loop.is_stealing, "the loop is divided into shares");

	struct rt_loop *loop = &self->member->loop;
	uint32_t size = self->team->size;

	loop->sure = sure_claims(loop, size);
	loop->claim_start = loop->args.start + loop->share_owner * loop->chunk_step;
	loop->claim_step = size * loop->chunk_step;
	loop->last_claim = UINT64_MAX;
}

/* Moves on to the next member that has chunks left. False: there is none. */
static bool find_share(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;
	struct rt_team *team = self->team;

	do {
		loop->share_owner = loop->share_owner + 1 < team->size ? loop->share_owner + 1 : 0;
		if (loop->share_owner == self->number)
			return false;
		loop->taken = taken_of(team, loop->share_owner, loop->slot);
	} while (load_relaxed(loop->taken) * team->size + loop->share_owner >= loop->chunks - 1);
	if (loop->sure != 0)
		rt_chunk_stealing_set_claims(self);
	return true;
}

bool rt_chunk_stealing_next(struct rt_thread *self, uint64_t *chunk)
{
	CHECK(self->member->loop.is_stealing, "the loop is divided into shares");

	struct rt_loop *loop = &self->member->loop;

	do {
		*chunk = add_relaxed(loop->taken, 1) * self->team->size + loop->share_owner;
		if (likely(*chunk < loop->chunks - 1))
			return true;
	} while (find_share(self));
	/* If the program asks again: the own share is used up, too, and nothing is sure. */
	loop->taken = taken_of(self->team, self->number, loop->slot);
	loop->sure = 0;
	*chunk = loop->chunks - 1;
	return add_relaxed(&loop->share->next_iteration, 1) == 0;
}

void rt_chunk_stealing_clear(struct rt_team *team, uint32_t slot)
{
	CHECK(slot < RT_WORKSHARES, "the team has the slot");
	for (uint32_t i = 0; i < team->size; i++)
		store_relaxed(taken_of(team, i, slot), 0);
}

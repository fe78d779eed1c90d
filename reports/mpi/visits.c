/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of MPI from enter to leave, and until all their waits are known; and the sums over calls:
 * by site and thread, by the process that they waited for, and by thread alone.
 */
#include <stdlib.h>

#include "memory.h"
#include "mpi-state.h"
#include "record.h"

static uint32_t find_site(struct mpi *mpi, uint32_t call, uint32_t caller)
{
	struct map_key key = {call, caller};
	uint64_t index = pair_map_find(&mpi->state->site_of, key);

	if (index == MAP_NONE) {
		index = mpi->site_count++;
		MEMORY_GROW(mpi->sites, mpi->site_room, mpi->site_count);
		mpi->sites[index] = (struct mpi_site){call, caller};
		memory_pair_map_set(&mpi->state->site_of, key, index);
	}
	return (uint32_t)index;
}

static struct mpi_share *find_share(struct mpi *mpi, uint32_t site, uint32_t location)
{
	struct map_key key = {site, location};
	uint64_t index = pair_map_find(&mpi->state->share_of, key);

	if (index == MAP_NONE) {
		index = mpi->share_count++;
		MEMORY_GROW(mpi->shares, mpi->share_room, mpi->share_count);
		mpi->shares[index].site = site;
		mpi->shares[index].location = location;
		memory_pair_map_set(&mpi->state->share_of, key, index);
	}
	return &mpi->shares[index];
}

static void blame(struct mpi *mpi, uint32_t site, enum mpi_wait wait, uint32_t by, uint64_t time)
{
	uint32_t process = mpi_process_of(mpi, by);
	struct map_key key = {(uint64_t)site * MPI_WAITS + wait, process};
	uint64_t index = pair_map_find(&mpi->state->blame_of, key);

	if (index == MAP_NONE) {
		index = mpi->blame_count++;
		MEMORY_GROW(mpi->blames, mpi->blame_room, mpi->blame_count);
		mpi->blames[index] =
		    (struct mpi_blame){.site = site, .wait = wait, .process = process};
		memory_pair_map_set(&mpi->state->blame_of, key, index);
	}
	mpi->blames[index].time += time;
}

struct mpi_visit *mpi_enter(struct mpi *mpi, const struct mpi_enter *enter)
{
	struct mpi_visit *visit;

	if (mpi->record)
		return mpi_record_enter(mpi->record, enter);
	visit = memory_new(1, sizeof(*visit));
	*visit = (struct mpi_visit){
	    .location = enter->location,
	    .site = find_site(mpi, enter->call, enter->caller),
	    .entered = enter->time,
	    .left = UINT64_MAX,
	    .until = enter->time,
	    .by = PATH_NONE,
	    .ended = MPI_NO_END,
	    .counts = enter->counts,
	    .in_team = enter->in_team,
	};
	return visit;
}

/* For equal times, the choice does not depend on the order in which the waits become known. */
static bool is_later(const struct mpi_visit *visit, enum mpi_wait wait, uint64_t until, uint32_t by)
{
	if (until != visit->until || visit->by == PATH_NONE)
		return until > visit->until;
	return wait != visit->wait ? wait < visit->wait : by < visit->by;
}

void mpi_wait_until(struct mpi_visit *visit, enum mpi_wait wait, uint64_t until, uint32_t by)
{
	if (!visit || !is_later(visit, wait, until, by))
		return;
	visit->until = until;
	visit->by = by;
	visit->wait = wait;
}

static uint64_t clip(const struct mpi_state *state, uint64_t time)
{
	return time < state->clip_from ? state->clip_from
	       : time > state->clip_to ? state->clip_to
				       : time;
}

static void add_share(
    struct mpi *mpi, const struct mpi_visit *visit, uint64_t time, uint64_t waited)
{
	struct mpi_share *share = find_share(mpi, visit->site, visit->location);

	share->visits++;
	share->time += time;
	if (waited == 0)
		return;
	share->waits[visit->wait] += waited;
	share->counts[visit->wait]++;
	blame(mpi, visit->site, visit->wait, visit->by, waited);
}

/* The call was left and its waits are known: adds it to the results and frees it. */
static void finish_visit(struct mpi *mpi, struct mpi_visit *visit)
{
	const struct mpi_state *state = mpi->state;
	uint64_t until = visit->until < visit->left ? visit->until : visit->left;
	uint64_t from = clip(state, visit->entered);
	uint64_t time = clip(state, visit->left) - from, waited = clip(state, until) - from;
	struct mpi_thread *thread = &mpi->threads[visit->location];

	*(visit->in_team ? &thread->in_team : &thread->serial) += time;
	*(visit->in_team ? &thread->in_team_wait : &thread->serial_wait) += waited;
	thread->waits[visit->wait] += waited;
	if (visit->entered <= state->clip_to && visit->left >= state->clip_from) {
		thread->visits++;
		if (visit->counts)
			add_share(mpi, visit, time, waited);
	}
	if (visit->ended != MPI_NO_END)
		remote_ends_know(state->ends, visit->location, visit->end_number,
		    &(struct remote_end){visit->ended, clip(state, until), visit->by});
	if (mpi->observer && visit->by != PATH_NONE)
		mpi->observer->waited(
		    mpi->observer->context, &(struct mpi_waited){visit->location, visit->by,
						visit->entered, visit->left, visit->until});
	free(visit);
}

void mpi_release(struct mpi *mpi, struct mpi_visit *visit)
{
	if (visit && --visit->pending == 0 && visit->left != UINT64_MAX)
		finish_visit(mpi, visit);
}

void mpi_leave(struct mpi *mpi, struct mpi_visit *visit, uint64_t time, uint64_t ended)
{
	if (mpi->record) {
		mpi_record_leave(mpi->record, visit, time, ended);
		return;
	}
	visit->left = time > visit->entered ? time : visit->entered;
	if (mpi->state->ends && ended != MPI_NO_END) {
		visit->ended = ended;
		visit->end_number = remote_ends_open(mpi->state->ends, visit->location, ended);
	}
	if (visit->pending == 0)
		finish_visit(mpi, visit);
}

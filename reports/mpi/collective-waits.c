/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations. All members of a communicator call them in the same order, so the n-th
 * operation that each member ends is the same one. Nonblocking operations are numbered by kind of
 * operation, because only their end names the communicator, and they may end in another order than
 * they began. Waits are assigned when the last member has ended, because only then the enter times
 * of all members are known.
 */
#include <stdlib.h>

#include "memory.h"
#include "mpi-state.h"

/* Which members need data from, or the arrival of, which others. */
enum pattern {
	ALL,      /* all members need all */
	FROM_ONE, /* all members need the root */
	TO_ONE,   /* the root needs all members */
	PREFIX,   /* each member needs itself and those of lower rank */
};

static enum pattern pattern_of(OTF2_CollectiveOp operation)
{
	switch (operation) {
	case OTF2_COLLECTIVE_OP_BCAST:
	case OTF2_COLLECTIVE_OP_SCATTER:
	case OTF2_COLLECTIVE_OP_SCATTERV:
		return FROM_ONE;
	case OTF2_COLLECTIVE_OP_REDUCE:
	case OTF2_COLLECTIVE_OP_GATHER:
	case OTF2_COLLECTIVE_OP_GATHERV:
		return TO_ONE;
	case OTF2_COLLECTIVE_OP_SCAN:
	case OTF2_COLLECTIVE_OP_EXSCAN:
		return PREFIX;
	default:
		return ALL;
	}
}

struct collective_member {
	struct mpi_visit *visit; /* the call in which it ended; held, or NULL */
	uint64_t begun;          /* when it entered, or began the nonblocking operation */
	uint32_t location;
};

struct mpi_collective {
	uint32_t comm, size, count;
	OTF2_CollectiveOp operation;
	uint32_t root; /* rank in the communicator */
	struct collective_member *members;
	size_t room;
};

/* Blocking and nonblocking operations never match each other. */
static uint64_t kind_of(const struct archive_event *event)
{
	bool blocking = event->kind == EVENT_MPI_COLLECTIVE_END;

	return (uint64_t)event->subject << 32 | (blocking ? 0 : event->mpi->operation + 1);
}

static struct map_key find_key(struct mpi *mpi, const struct archive_event *event)
{
	struct map_key own = {kind_of(event), mpi_process_of(mpi, event->location)};
	uint64_t ordinal = pair_map_find(&mpi->state->ordinals, own);

	ordinal = ordinal == MAP_NONE ? 0 : ordinal + 1;
	memory_pair_map_set(&mpi->state->ordinals, own, ordinal);
	return (struct map_key){own.first, ordinal};
}

static struct mpi_collective *find_collective(
    struct mpi *mpi, struct map_key key, const struct archive_event *event, uint32_t size)
{
	uint64_t found = pair_map_find(&mpi->state->collectives, key);
	struct mpi_collective *collective = (struct mpi_collective *)(uintptr_t)found;

	if (found != MAP_NONE)
		return collective;
	collective = memory_new(1, sizeof(*collective));
	collective->comm = event->subject;
	collective->size = size;
	collective->operation = (OTF2_CollectiveOp)event->mpi->operation;
	collective->root = event->mpi->peer;
	memory_pair_map_set(&mpi->state->collectives, key, (uintptr_t)collective);
	return collective;
}

/* The last member to enter, except `without`; of equal times, the first in the order of threads. */
static const struct collective_member *find_last(
    const struct mpi_collective *collective, const struct collective_member *without)
{
	const struct collective_member *last = NULL;

	for (uint32_t i = 0; i < collective->count; i++) {
		const struct collective_member *member = &collective->members[i];

		if (member == without)
			continue;
		if (!last || member->begun > last->begun ||
		    (member->begun == last->begun && member->location < last->location))
			last = member;
	}
	return last;
}

static struct collective_member *find_root(struct mpi *mpi, const struct mpi_collective *collective)
{
	for (uint32_t i = 0; i < collective->count; i++) {
		uint32_t own = mpi_process_of(mpi, collective->members[i].location);

		if (archive_member_process(mpi->archive, collective->comm, collective->root, own) ==
		    own)
			return &collective->members[i];
	}
	return NULL;
}

/* The process's rank in the communicator. */
static uint64_t find_place(struct mpi *mpi, uint32_t comm, uint32_t process)
{
	struct pair_map *places = &mpi->state->places;

	if (pair_map_find(places, (struct map_key){comm, process}) == MAP_NONE) {
		for (uint32_t i = archive_comm_size(mpi->archive, comm); i-- > 0;)
			memory_pair_map_set(places,
			    (struct map_key){
				comm, archive_member_process(mpi->archive, comm, i, process)},
			    i);
	}
	return pair_map_find(places, (struct map_key){comm, process});
}

/* In the order of ranks, each member waits for the last to enter of those before it. */
static void wait_for_lower(struct mpi *mpi, const struct mpi_collective *collective)
{
	struct collective_member **by_rank = memory_new(collective->size, sizeof(by_rank[0]));
	const struct collective_member *last = NULL;

	for (uint32_t i = 0; i < collective->count; i++) {
		struct collective_member *member = &collective->members[i];
		uint64_t place =
		    find_place(mpi, collective->comm, mpi_process_of(mpi, member->location));

		if (place < collective->size)
			by_rank[place] = member;
	}
	for (uint32_t i = 0; i < collective->size; i++) {
		if (!by_rank[i])
			continue;
		if (last)
			mpi_wait_until(
			    by_rank[i]->visit, MPI_COLLECTIVE, last->begun, last->location);
		if (!last || by_rank[i]->begun > last->begun)
			last = by_rank[i];
	}
	free(by_rank);
}

static void wait_for(const struct mpi_collective *collective, enum mpi_wait wait,
    const struct collective_member *last)
{
	for (uint32_t i = 0; last && i < collective->count; i++) {
		if (&collective->members[i] != last)
			mpi_wait_until(
			    collective->members[i].visit, wait, last->begun, last->location);
	}
}

static void report_meeting(const struct mpi *mpi, const struct mpi_collective *collective)
{
	struct mpi_member *members = memory_new(collective->count, sizeof(members[0]));

	for (uint32_t i = 0; i < collective->count; i++) {
		const struct collective_member *member = &collective->members[i];

		members[i] = (struct mpi_member){member->location, member->begun,
		    member->visit ? member->visit->entered : UINT64_MAX};
	}
	mpi->observer->met(mpi->observer->context, members, collective->count);
	free(members);
}

/* All members have ended the operation: decides which members waited, and for which others. */
static void assign_waits(struct mpi *mpi, const struct mpi_collective *collective)
{
	struct collective_member *root;
	const struct collective_member *last;

	switch (pattern_of(collective->operation)) {
	case ALL:
		if (mpi->observer)
			report_meeting(mpi, collective);
		wait_for(collective,
		    collective->operation == OTF2_COLLECTIVE_OP_BARRIER ? MPI_BARRIER
									: MPI_COLLECTIVE,
		    find_last(collective, NULL));
		break;
	case FROM_ONE:
		wait_for(collective, MPI_LATE_ROOT, find_root(mpi, collective));
		break;
	case TO_ONE:
		root = find_root(mpi, collective);
		last = root ? find_last(collective, root) : NULL;
		if (last)
			mpi_wait_until(root->visit, MPI_EARLY_ROOT, last->begun, last->location);
		break;
	case PREFIX:
		wait_for_lower(mpi, collective);
		break;
	}
}

static void free_collective(struct mpi *mpi, struct mpi_collective *collective)
{
	for (uint32_t i = 0; i < collective->count; i++)
		mpi_release(mpi, collective->members[i].visit);
	free(collective->members);
	free(collective);
}

void mpi_collective(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	uint32_t size = archive_comm_size(mpi->archive, event->subject);
	uint64_t begun = visit ? visit->entered : mpi->state->begins[event->location];
	struct mpi_collective *collective;
	struct map_key key;

	mpi->knows_waits = true;
	if (event->kind == EVENT_MPI_COLLECTIVE_DONE)
		begun = mpi_take_begun(mpi, event, begun);
	if (mpi_counts_event(mpi, event)) {
		mpi->counts.collectives++;
		mpi->counts.unknown += size == 0;
	}
	if (size < 2)
		return;
	key = find_key(mpi, event);
	collective = find_collective(mpi, key, event, size);
	*MEMORY_ADD(collective->members, collective->room, collective->count) =
	    (struct collective_member){visit, begun, event->location};
	mpi_hold(visit);
	if (collective->count < size)
		return;
	assign_waits(mpi, collective);
	pair_map_erase(&mpi->state->collectives, key);
	free_collective(mpi, collective);
}

void mpi_finish_collectives(struct mpi *mpi)
{
	const struct pair_map *collectives = &mpi->state->collectives;

	for (size_t at = pair_map_used(collectives, 0); at != MAP_END;
	     at = pair_map_used(collectives, at + 1)) {
		mpi->counts.incomplete++;
		free_collective(
		    mpi, (struct mpi_collective *)(uintptr_t)pair_map_value(collectives, at));
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations: all members of a communicator make them in the same order, so the n-th
 * that each of them ends is one meeting. Nonblocking ones are numbered by operation, because only
 * their end tells the communicator, and they may end in another order than they began. A meeting is
 * judged when its last member has ended, for only then it is known when each had entered.
 */
#include <stdlib.h>

#include "memory.h"
#include "mpi-state.h"

/* Who needs whom. */
enum pattern {
	ALL,      /* everybody everybody */
	FROM_ONE, /* everybody the root */
	TO_ONE,   /* the root everybody */
	PREFIX,   /* everybody those of lower rank, and itself */
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

struct meeting_member {
	struct mpi_visit *visit; /* in which it ended; held, or NULL */
	uint64_t begun;          /* when it entered, or began what it completes later */
	uint32_t location;
};

struct mpi_meeting {
	uint32_t comm, size, count;
	OTF2_CollectiveOp operation;
	uint32_t root; /* rank in the communicator */
	struct meeting_member *members;
	size_t room;
};

/* Blocking and nonblocking ones never meet. */
static uint64_t kind_of(const struct archive_event *event)
{
	bool blocking = event->kind == EVENT_MPI_COLLECTIVE_END;

	return (uint64_t)event->subject << 32 | (blocking ? 0 : event->mpi->operation + 1);
}

static struct map_key find_key(struct mpi *mpi, const struct archive_event *event)
{
	struct map_key own = {kind_of(event), mpi_process_of(mpi, event->location)};
	uint64_t ordinal = map_find(&mpi->state->ordinals, own);

	ordinal = ordinal == MAP_NONE ? 0 : ordinal + 1;
	map_set(&mpi->state->ordinals, own, ordinal);
	return (struct map_key){own.first, ordinal};
}

static struct mpi_meeting *find_meeting(
    struct mpi *mpi, struct map_key key, const struct archive_event *event, uint32_t size)
{
	uint64_t found = map_find(&mpi->state->meetings, key);
	struct mpi_meeting *meeting = (struct mpi_meeting *)(uintptr_t)found;

	if (found != MAP_NONE)
		return meeting;
	meeting = memory_new(1, sizeof(*meeting));
	meeting->comm = event->subject;
	meeting->size = size;
	meeting->operation = (OTF2_CollectiveOp)event->mpi->operation;
	meeting->root = event->mpi->peer;
	map_set(&mpi->state->meetings, key, (uintptr_t)meeting);
	return meeting;
}

/* The last one to enter, of the same time the first in the order of threads; not `without`. */
static const struct meeting_member *find_last(
    const struct mpi_meeting *meeting, const struct meeting_member *without)
{
	const struct meeting_member *last = NULL;

	for (uint32_t i = 0; i < meeting->count; i++) {
		const struct meeting_member *member = &meeting->members[i];

		if (member == without)
			continue;
		if (!last || member->begun > last->begun ||
		    (member->begun == last->begun && member->location < last->location))
			last = member;
	}
	return last;
}

static struct meeting_member *find_root(struct mpi *mpi, const struct mpi_meeting *meeting)
{
	for (uint32_t i = 0; i < meeting->count; i++) {
		uint32_t own = mpi_process_of(mpi, meeting->members[i].location);

		if (archive_member_process(mpi->archive, meeting->comm, meeting->root, own) == own)
			return &meeting->members[i];
	}
	return NULL;
}

/* The process's rank in the communicator. */
static uint64_t find_place(struct mpi *mpi, uint32_t comm, uint32_t process)
{
	struct map *places = &mpi->state->places;

	if (map_find(places, (struct map_key){comm, process}) == MAP_NONE) {
		for (uint32_t i = archive_comm_size(mpi->archive, comm); i-- > 0;)
			map_set(places,
			    (struct map_key){
				comm, archive_member_process(mpi->archive, comm, i, process)},
			    i);
	}
	return map_find(places, (struct map_key){comm, process});
}

/* By rank, each waits for the last of those before it. */
static void wait_for_lower(struct mpi *mpi, const struct mpi_meeting *meeting)
{
	struct meeting_member **by_rank = memory_new(meeting->size, sizeof(by_rank[0]));
	const struct meeting_member *last = NULL;

	for (uint32_t i = 0; i < meeting->count; i++) {
		struct meeting_member *member = &meeting->members[i];
		uint64_t place =
		    find_place(mpi, meeting->comm, mpi_process_of(mpi, member->location));

		if (place < meeting->size)
			by_rank[place] = member;
	}
	for (uint32_t i = 0; i < meeting->size; i++) {
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

static void wait_for(
    const struct mpi_meeting *meeting, enum mpi_wait wait, const struct meeting_member *last)
{
	for (uint32_t i = 0; last && i < meeting->count; i++) {
		if (&meeting->members[i] != last)
			mpi_wait_until(
			    meeting->members[i].visit, wait, last->begun, last->location);
	}
}

/* All have been there: who waited for whom. */
static void judge(struct mpi *mpi, const struct mpi_meeting *meeting)
{
	struct meeting_member *root;
	const struct meeting_member *last;

	switch (pattern_of(meeting->operation)) {
	case ALL:
		wait_for(meeting,
		    meeting->operation == OTF2_COLLECTIVE_OP_BARRIER ? MPI_BARRIER : MPI_COLLECTIVE,
		    find_last(meeting, NULL));
		break;
	case FROM_ONE:
		wait_for(meeting, MPI_LATE_ROOT, find_root(mpi, meeting));
		break;
	case TO_ONE:
		root = find_root(mpi, meeting);
		last = root ? find_last(meeting, root) : NULL;
		if (last)
			mpi_wait_until(root->visit, MPI_EARLY_ROOT, last->begun, last->location);
		break;
	case PREFIX:
		wait_for_lower(mpi, meeting);
		break;
	}
}

static void free_meeting(struct mpi *mpi, struct mpi_meeting *meeting)
{
	for (uint32_t i = 0; i < meeting->count; i++)
		mpi_release(mpi, meeting->members[i].visit);
	free(meeting->members);
	free(meeting);
}

void mpi_collective(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	uint32_t size = archive_comm_size(mpi->archive, event->subject);
	uint64_t begun = visit ? visit->entered : mpi->state->begins[event->location];
	struct mpi_meeting *meeting;
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
	meeting = find_meeting(mpi, key, event, size);
	meeting->members = memory_grow(
	    meeting->members, &meeting->room, meeting->count + 1, sizeof(meeting->members[0]));
	meeting->members[meeting->count++] = (struct meeting_member){visit, begun, event->location};
	mpi_hold(visit);
	if (meeting->count < size)
		return;
	judge(mpi, meeting);
	map_erase(&mpi->state->meetings, key);
	free_meeting(mpi, meeting);
}

void mpi_finish_collectives(struct mpi *mpi)
{
	const struct map *meetings = &mpi->state->meetings;

	for (size_t i = 0; i < meetings->capacity; i++) {
		if (meetings->slots[i].value == MAP_NONE)
			continue;
		mpi->counts.incomplete++;
		free_meeting(mpi, (struct mpi_meeting *)(uintptr_t)meetings->slots[i].value);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replays recorded calls of MPI (record.h): a heap merges those of all processes in the order of
 * time. One piece of each process is in memory.
 */
#include <stdlib.h>

#include "memory.h"
#include "numbers.h"
#include "record.h"
#include "time-heap.h"

/* A process whose record is being read. */
struct replay {
	const struct mpi_record *record;
	size_t next; /* index of the next piece */
	unsigned char *bytes;
	const unsigned char *at, *end;
	/* The beginning of the next call. */
	unsigned call;
	uint64_t order, time, visit;
	uint32_t location;
	struct map visits; /* number to open visit */
};

/* Returns false if there are no more calls. */
static bool read_begin(struct replay *replay)
{
	const struct mpi_record *record = replay->record;

	if (replay->at == replay->end) {
		struct spill_piece piece;

		if (replay->next == record->piece_count)
			return false;
		piece = record->pieces[replay->next++];
		if (!replay->bytes)
			replay->bytes = memory_new(RECORD_PIECE, 1);
		spill_get(record->spill, piece, 0, replay->bytes, piece.size);
		replay->at = replay->bytes;
		replay->end = replay->bytes + piece.size;
	}
	replay->call = (unsigned)number_get(&replay->at);
	replay->order += number_get(&replay->at);
	replay->location = (uint32_t)number_get(&replay->at);
	replay->time = number_step(replay->time, number_get(&replay->at));
	replay->visit = number_get(&replay->at);
	return true;
}

static struct mpi_visit *find_visit(const struct replay *replay)
{
	uint64_t found = replay->visit ? map_find(&replay->visits, replay->visit) : MAP_NONE;

	return found == MAP_NONE ? NULL : (struct mpi_visit *)(uintptr_t)found;
}

static void replay_enter(struct mpi *mpi, struct replay *replay)
{
	uint32_t call = (uint32_t)number_get(&replay->at);
	struct mpi_visit *visit = mpi_enter(mpi, &(struct mpi_enter){
						     .location = replay->location,
						     .call = call,
						     .caller = (uint32_t)number_get(&replay->at),
						     .time = replay->time,
						     .counts = replay->call & FLAG_COUNTS,
						     .in_team = replay->call & FLAG_IN_TEAM,
						 });

	memory_map_set(&replay->visits, replay->visit, (uintptr_t)visit);
}

static void replay_event(struct mpi *mpi, struct replay *replay)
{
	struct archive_mpi values = {0};
	struct archive_event event = {
	    .time = replay->time, .location = replay->location, .mpi = &values};

	event.kind = (uint32_t)number_get(&replay->at);
	event.subject = (uint32_t)number_get(&replay->at);
	values.peer = (uint32_t)number_get(&replay->at);
	values.tag = (uint32_t)number_get(&replay->at);
	values.bytes = number_get(&replay->at);
	values.received = number_get(&replay->at);
	values.request = number_get(&replay->at);
	mpi_event(mpi, find_visit(replay), &event);
}

static uint64_t read_ended(struct replay *replay)
{
	if (!(replay->call & FLAG_ENDED))
		return MPI_NO_END;
	return number_step(replay->time, number_get(&replay->at));
}

static void replay_call(struct mpi *mpi, struct replay *replay)
{
	switch ((enum call)(replay->call & CALL_BITS)) {
	case CALL_ENTER:
		replay_enter(mpi, replay);
		break;
	case CALL_EVENT:
		replay_event(mpi, replay);
		break;
	case CALL_LEAVE:
		mpi_leave(mpi, find_visit(replay), replay->time, read_ended(replay));
		map_erase(&replay->visits, replay->visit);
		break;
	}
}

void mpi_replay(struct mpi *mpi, struct mpi_record *const *records, size_t count)
{
	struct replay *replays = memory_new(count, sizeof(replays[0]));
	struct time_head *heap = memory_new(count, sizeof(heap[0]));
	size_t started = 0;

	for (size_t i = 0; i < count; i++) {
		replays[i].record = records[i];
		if (read_begin(&replays[i]))
			heap[started++] =
			    (struct time_head){replays[i].order, replays[i].location, (uint32_t)i};
	}
	time_heap_order(heap, started);
	while (started > 0) {
		struct replay *first = &replays[heap[0].stream];

		replay_call(mpi, first);
		if (read_begin(first))
			heap[0] = (struct time_head){first->order, first->location, heap[0].stream};
		else
			heap[0] = heap[--started];
		if (started > 0)
			time_heap_sift(heap, started, 0);
	}
	for (size_t i = 0; i < count; i++) {
		free(replays[i].bytes);
		map_free(&replays[i].visits);
	}
	free(replays);
	free(heap);
}

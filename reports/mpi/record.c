/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records calls (record.h): each call is a few numbers in the format of numbers.h. Full pieces of
 * some kilobytes go to the spill. mpi-replay.c reads them.
 */
#include "record.h"

#include <stdlib.h>

#include "memory.h"
#include "mpi-state.h"
#include "numbers.h"

struct mpi_record *mpi_record_new(struct spill *spill)
{
	struct mpi_record *record = memory_new(1, sizeof(*record));

	record->spill = spill;
	return record;
}

void mpi_record_free(struct mpi_record *record)
{
	if (!record)
		return;
	free(record->pieces);
	free(record->bytes);
	free(record);
}

void mpi_record_at(struct mpi_record *record, uint64_t order)
{
	record->order = order;
}

static void put_away(struct mpi_record *record)
{
	*MEMORY_ADD(record->pieces, record->piece_room, record->piece_count) =
	    spill_put(record->spill, record->bytes, record->used);
	record->used = 0;
}

/* Writes what all calls begin with; returns where the rest goes. */
static unsigned char *begin_call(struct mpi_record *record, enum call call, unsigned flags,
    uint32_t location, uint64_t time, uint64_t visit)
{
	unsigned char *at;

	if (!record->bytes)
		record->bytes = memory_new(RECORD_PIECE, 1);
	if (record->used + RECORD_LONGEST > RECORD_PIECE)
		put_away(record);
	at = number_put(record->bytes + record->used, (unsigned)call | flags);
	at = number_put(at, record->order - record->last_order);
	at = number_put(at, location);
	at = number_put(at, number_of_step(record->last_time, time));
	at = number_put(at, visit);
	record->last_order = record->order;
	record->last_time = time;
	return at;
}

static void end_call(struct mpi_record *record, const unsigned char *at)
{
	record->used = (size_t)(at - record->bytes);
}

struct mpi_visit *mpi_record_enter(struct mpi_record *record, const struct mpi_enter *enter)
{
	struct mpi_visit *visit = memory_new(1, sizeof(*visit));
	unsigned char *at;

	visit->location = enter->location;
	visit->number = ++record->visits;
	at = begin_call(record, CALL_ENTER,
	    (enter->counts ? FLAG_COUNTS : 0) | (enter->in_team ? FLAG_IN_TEAM : 0),
	    enter->location, enter->time, visit->number);
	at = number_put(at, enter->call);
	at = number_put(at, enter->caller);
	end_call(record, at);
	return visit;
}

void mpi_record_event(
    struct mpi_record *record, const struct mpi_visit *visit, const struct archive_event *event)
{
	unsigned char *at = begin_call(
	    record, CALL_EVENT, 0, event->location, event->time, visit ? visit->number : 0);

	at = number_put(at, event->kind);
	at = number_put(at, event->subject);
	at = number_put(at, event->mpi->peer);
	at = number_put(at, event->mpi->tag);
	at = number_put(at, event->mpi->bytes);
	at = number_put(at, event->mpi->received);
	at = number_put(at, event->mpi->request);
	end_call(record, at);
}

void mpi_record_leave(
    struct mpi_record *record, struct mpi_visit *visit, uint64_t time, uint64_t ended)
{
	bool is_end = ended != MPI_NO_END;
	unsigned char *at = begin_call(
	    record, CALL_LEAVE, is_end ? FLAG_ENDED : 0, visit->location, time, visit->number);

	if (is_end)
		at = number_put(at, number_of_step(time, ended));
	end_call(record, at);
	free(visit);
}

void mpi_record_end(struct mpi_record *record)
{
	if (record->used > 0)
		put_away(record);
	free(record->bytes);
	record->bytes = NULL;
}

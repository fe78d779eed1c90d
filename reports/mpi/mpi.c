/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes and frees the account of MPI, and passes each of MPI's events to the file for its kind.
 */
#include <stdlib.h>

#include "memory.h"
#include "mpi-state.h"
#include "record.h"

const struct mpi_wait_name mpi_wait_names[MPI_WAITS] = {
    [MPI_LATE_SENDER] = {"late_sender", "late sender"},
    [MPI_LATE_RECEIVER] = {"late_receiver", "late receiver"},
    [MPI_BARRIER] = {"barrier", "wait at barrier"},
    [MPI_COLLECTIVE] = {"collective", "wait at collective"},
    [MPI_LATE_ROOT] = {"late_root", "late root"},
    [MPI_EARLY_ROOT] = {"early_root", "early root"},
};

struct mpi *mpi_new(
    const struct archive *archive, uint64_t clip_from, uint64_t clip_to, struct remote_ends *ends)
{
	struct mpi *mpi = memory_new(1, sizeof(*mpi));

	mpi->archive = archive;
	mpi->threads = memory_new(archive->thread_count, sizeof(mpi->threads[0]));
	mpi->state = memory_new(1, sizeof(*mpi->state));
	mpi->state->clip_from = clip_from;
	mpi->state->clip_to = clip_to;
	mpi->state->ends = ends;
	mpi->state->begins = memory_new(archive->thread_count, sizeof(mpi->state->begins[0]));
	return mpi;
}

struct mpi *mpi_new_recorder(const struct archive *archive)
{
	struct mpi *mpi = memory_new(1, sizeof(*mpi));

	mpi->archive = archive;
	return mpi;
}

static void free_state(struct mpi_state *state)
{
	if (!state)
		return;
	pair_map_free(&state->site_of);
	pair_map_free(&state->share_of);
	pair_map_free(&state->blame_of);
	pair_map_free(&state->pair_of);
	pair_map_free(&state->requests);
	pair_map_free(&state->begun);
	pair_map_free(&state->ordinals);
	pair_map_free(&state->collectives);
	pair_map_free(&state->places);
	free(state->begins);
	free(state);
}

void mpi_free(struct mpi *mpi)
{
	if (!mpi)
		return;
	free_state(mpi->state);
	free(mpi->sites);
	free(mpi->shares);
	free(mpi->blames);
	free(mpi->pairs);
	free(mpi->arrows);
	free(mpi->threads);
	free(mpi);
}

void mpi_finish(struct mpi *mpi)
{
	mpi_finish_messages(mpi);
	mpi_finish_collectives(mpi);
	if (mpi->state->ends)
		remote_ends_finish(mpi->state->ends);
	free_state(mpi->state);
	mpi->state = NULL;
}

void mpi_event(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	if (mpi->record) {
		mpi_record_event(mpi->record, visit, event);
		return;
	}
	switch ((enum archive_event_kind)event->kind) {
	case EVENT_MPI_SEND:
	case EVENT_MPI_ISEND:
		mpi_send(mpi, visit, event);
		break;
	case EVENT_MPI_ISEND_COMPLETE:
		mpi_send_completes(mpi, visit, event);
		break;
	case EVENT_MPI_RECV:
	case EVENT_MPI_IRECV:
		mpi_receive(mpi, visit, event);
		break;
	case EVENT_MPI_IRECV_REQUEST:
	case EVENT_MPI_COLLECTIVE_REQUEST:
		mpi_request_begins(mpi, visit, event);
		break;
	case EVENT_MPI_REQUEST_CANCELLED:
		mpi_request_cancelled(mpi, event);
		break;
	case EVENT_MPI_COLLECTIVE_BEGIN:
		mpi->state->begins[event->location] = event->time;
		break;
	case EVENT_MPI_COLLECTIVE_END:
	case EVENT_MPI_COLLECTIVE_DONE:
		mpi_collective(mpi, visit, event);
		break;
	default:
		break;
	}
}

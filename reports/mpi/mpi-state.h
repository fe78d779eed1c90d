/* SPDX-License-Identifier: BSD-3-Clause */
/* What is open between events, shared by visits, messages and collective operations. */
#ifndef MPI_STATE_H
#define MPI_STATE_H

#include "keyed-queues.h"
#include "mpi.h"

/*
 * A call that was entered. How long it waited is known when it was left and nothing that it depends
 * on is pending: a message that it sent may be received much later.
 */
struct mpi_visit {
	uint32_t location, site;
	uint64_t number;        /* in a record, where only this and `location` are set */
	uint64_t entered, left; /* left: UINT64_MAX while it lasts */
	uint64_t until;         /* it waited at least until then */
	uint32_t by;            /* for this location; PATH_NONE: it did not wait */
	enum mpi_wait wait;
	uint32_t pending;
	uint64_t ended, end_number; /* for remote_ends_know(), or MPI_NO_END */
	bool counts, in_team;
};

/* Open operations, and the maps for looking up results. */
struct mpi_state {
	uint64_t clip_from, clip_to;
	struct remote_ends *ends; /* or NULL */
	struct pair_map site_of;  /* (call, caller) to index */
	struct pair_map share_of; /* (site, location) to index */
	struct pair_map blame_of; /* (site and wait, process) to index */
	struct pair_map pair_of;  /* (sender, receiver) to index */
	struct pair_map requests; /* (process, request) to mpi_message: sends not completed */
	/* (process, request) to when its receive or collective was entered. */
	struct pair_map begun;
	struct channels sends;       /* sent and not received */
	struct channels receives;    /* received before sent, as clocks differ slightly */
	struct pair_map ordinals;    /* (comm and kind, process) to number of ended collectives */
	struct pair_map collectives; /* (comm and kind, ordinal) to struct mpi_collective */
	struct pair_map places; /* (comm, process) to its rank there; filled when a scan needs it */
	uint64_t *begins;       /* by location: when its last collective began */
};

/* The visit waited until that time because of what this location did. */
void mpi_wait_until(struct mpi_visit *visit, enum mpi_wait wait, uint64_t until, uint32_t by);

/* The visit's wait depends on something not known yet. Does nothing for NULL. */
static inline void mpi_hold(struct mpi_visit *visit)
{
	if (visit)
		visit->pending++;
}

/* What the visit was held for is known now; this may free the visit. */
void mpi_release(struct mpi *mpi, struct mpi_visit *visit);

/* Messages and requests. */
void mpi_send(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);
void mpi_send_completes(
    struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);
void mpi_receive(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);
void mpi_request_begins(
    struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);
void mpi_request_cancelled(struct mpi *mpi, const struct archive_event *event);
void mpi_finish_messages(struct mpi *mpi);

/* When the event's request was begun, or `otherwise` if unknown. Forgets the request. */
uint64_t mpi_take_begun(struct mpi *mpi, const struct archive_event *event, uint64_t otherwise);

/* Collective operations. */
void mpi_collective(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);
void mpi_finish_collectives(struct mpi *mpi);

static inline uint32_t mpi_process_of(const struct mpi *mpi, uint32_t location)
{
	return mpi->archive->locations[location].group;
}

static inline bool mpi_counts_event(const struct mpi *mpi, const struct archive_event *event)
{
	return event->time >= mpi->state->clip_from && event->time <= mpi->state->clip_to;
}

#endif

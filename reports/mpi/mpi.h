/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where ranks wait for each other: the calls of MPI by what they waited for, gathered in the pass
 * over the events, with memory for what is open at a time (calls, messages on their way, collective
 * operations that not all members have left).
 *
 * A call waits from its enter until what it needs has begun elsewhere, but no longer than it lasts;
 * of several things that it needs, for the one that began last. The rest of its time is transfer.
 * doc/reports.md has the definitions. All times are ticks.
 */
#ifndef MPI_H
#define MPI_H

#include "archive.h"
#include "path.h"

enum mpi_wait {
	MPI_LATE_SENDER,   /* a receive, until the send is entered */
	MPI_LATE_RECEIVER, /* a send that does not return, until the receive is entered */
	MPI_BARRIER,       /* until the last one has entered */
	MPI_COLLECTIVE,    /* the same, where all need data of all; of a scan, of those before */
	MPI_LATE_ROOT,     /* from one to all: until the root has entered */
	MPI_EARLY_ROOT,    /* from all to one: the root, until the last one has entered */
	MPI_WAITS
};

/* One row per wait: for machines and for people. */
struct mpi_wait_name {
	const char *key, *title;
};
extern const struct mpi_wait_name mpi_wait_names[MPI_WAITS];

/* A function of MPI in the construct that it was called in. Constructs of the analysis. */
struct mpi_site {
	uint32_t call, caller; /* caller: NO_CONSTRUCT outside of all */
};

/* What a thread spent at a site. */
struct mpi_share {
	uint32_t site, location;
	uint64_t visits, time;
	uint64_t waits[MPI_WAITS], counts[MPI_WAITS]; /* time, and how many visits waited */
};

/* Which process another one waited for at a site. */
struct mpi_blame {
	uint32_t site;
	enum mpi_wait wait;
	uint32_t process; /* that was late */
	uint64_t time;
};

/* What one process sent to another. */
struct mpi_pair {
	uint32_t sender, receiver; /* processes */
	uint64_t messages, bytes;
};

/* All that a thread spent in MPI, whichever threads were chosen. */
struct mpi_thread {
	uint64_t visits;                    /* calls */
	uint64_t serial, in_team;           /* time outside and inside of teams */
	uint64_t serial_wait, in_team_wait; /* what of it is waits */
	uint64_t waits[MPI_WAITS];
};

/* One message, from the enter of its send to where it was received; locations. */
struct mpi_arrow {
	uint64_t sent_at, received_at;
	uint32_t sender, receiver;
};

struct mpi_counts {
	uint64_t messages, bytes;
	uint64_t collectives; /* by their members: an MPI_Barrier of four ranks is four */
	uint64_t unknown;     /* messages and collectives of which the members are not known */
	uint64_t unreceived, unsent, incomplete; /* sends, receives, collectives without partners */
};

/* A call from its enter to its leave, and until when it waited for what another one did. */
struct mpi_waited {
	uint32_t location, by; /* by: location */
	uint64_t entered, left, until;
};

/* A member of a collective operation that all members wait for. */
struct mpi_member {
	uint32_t location;
	uint64_t begun;   /* when it entered the call that began it */
	uint64_t entered; /* ... and the one that it ended in; UINT64_MAX: not known */
};

/* For those who want to know each wait, not only their sums. Times are not clipped. */
struct mpi_observer {
	void (*waited)(void *context, const struct mpi_waited *waited);
	void (*met)(void *context, const struct mpi_member *members, size_t count);
	void *context;
};

struct mpi_state;  /* what is open */
struct mpi_record; /* what one process did, for later */
struct mpi_visit;

/* Arrays with their counts. */
struct mpi {
	const struct archive *archive;
	struct mpi_site *sites;
	struct mpi_share *shares;
	struct mpi_blame *blames;
	struct mpi_pair *pairs;
	struct mpi_thread *threads; /* by location */
	size_t site_count, share_count, blame_count, pair_count;
	size_t site_room, share_room, blame_room, pair_room;
	/*
	 * Those that lie in the part of time, in the order of their ends, when there are at most
	 * arrows_max; of more none. 0, as mpi_new() has it: none are kept.
	 */
	struct mpi_arrow *arrows;
	size_t arrow_count, arrow_room, arrows_max;
	struct mpi_counts counts;
	bool knows_waits; /* there were messages or collectives, and not only calls */
	const struct mpi_observer *observer; /* NULL, as mpi_new() has it: there is none */
	struct mpi_state *state;
	/* Or NULL: calls are recorded, and nothing else happens until they are replayed. */
	struct mpi_record *record;
};

/* An archive may define functions of MPI that were not called. */
static inline bool mpi_was_called(const struct mpi *mpi)
{
	return mpi && mpi->site_count > 0;
}

/* clip_from, clip_to: the part of time that counts. path: or NULL. Both outlive mpi_finish(). */
struct mpi *mpi_new(
    const struct archive *archive, uint64_t clip_from, uint64_t clip_to, struct path *path);
/* One that only records; with `record` set by the caller, who owns it. */
struct mpi *mpi_new_recorder(const struct archive *archive);
void mpi_free(struct mpi *mpi);

/* How a call is entered. */
struct mpi_enter {
	uint32_t location, call, caller; /* constructs */
	uint64_t time;                   /* not clipped */
	bool counts;                     /* the thread was chosen */
	bool in_team;
};

/* The call lasts until mpi_leave(), which is all that the visit may still be used for. */
struct mpi_visit *mpi_enter(struct mpi *mpi, const struct mpi_enter *enter);

/* One of MPI's events, within the visit or NULL; its time is not clipped. */
void mpi_event(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);

/* time: not clipped; now: the same, clipped, as the path has it. */
void mpi_leave(struct mpi *mpi, struct mpi_visit *visit, uint64_t time, uint64_t now);

/*
 * To be called once, after the last event: what still waits for a partner has none. The results are
 * complete then.
 */
void mpi_finish(struct mpi *mpi);

#endif

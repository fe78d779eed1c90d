/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where ranks wait for each other: calls of MPI and what they waited for, collected in the pass
 * over the events. Memory is bounded by what is open at a time (calls, messages in flight,
 * collective operations that not all members have left).
 *
 * A call waits from its enter until what it needs has begun elsewhere, but at most until its own
 * end. If it needs several things, it waits for the one that begins last. The rest of its time is
 * transfer. doc/reports.md has the definitions. All times are ticks.
 */
#ifndef MPI_H
#define MPI_H

#include "archive.h"
#include "path.h"

enum mpi_wait {
	MPI_LATE_SENDER,   /* a receive, until the send is entered */
	MPI_LATE_RECEIVER, /* a send that does not return, until the receive is entered */
	MPI_BARRIER,       /* until the last member has entered */
	/* The same if all need data of all; for a scan: until the lower ranks have. */
	MPI_COLLECTIVE,
	MPI_LATE_ROOT,  /* from one to all: until the root has entered */
	MPI_EARLY_ROOT, /* from all to one: the root, until the last one has entered */
	MPI_WAITS
};

/* The names of a wait, for programs and for people. */
struct mpi_wait_name {
	const char *key, *title;
};
extern const struct mpi_wait_name mpi_wait_names[MPI_WAITS];

/* An MPI function in the construct that called it, both as constructs of the analysis. */
struct mpi_site {
	uint32_t call, caller; /* caller: NO_CONSTRUCT outside of all constructs */
};

/* A thread's time at a site. */
struct mpi_share {
	uint32_t site, location;
	uint64_t visits, time;
	uint64_t waits[MPI_WAITS], counts[MPI_WAITS]; /* time; number of visits that waited */
};

/* The process that others waited for at a site. */
struct mpi_blame {
	uint32_t site;
	enum mpi_wait wait;
	uint32_t process; /* the late process */
	uint64_t time;
};

/* What one process sent to another. */
struct mpi_pair {
	uint32_t sender, receiver; /* processes */
	uint64_t messages, bytes;
};

/* A thread's total time in MPI, whichever threads were chosen. */
struct mpi_thread {
	uint64_t visits;                    /* calls */
	uint64_t serial, in_team;           /* time outside and inside of teams */
	uint64_t serial_wait, in_team_wait; /* the part of it that is waits */
	uint64_t waits[MPI_WAITS];
};

/* One message, from the enter of its send to its receive; sender and receiver are locations. */
struct mpi_arrow {
	uint64_t sent_at, received_at;
	uint32_t sender, receiver;
};

struct mpi_counts {
	uint64_t messages, bytes;
	uint64_t collectives; /* counted per member: an MPI_Barrier of four ranks counts four */
	uint64_t unknown;     /* messages and collectives whose members are not known */
	uint64_t unreceived, unsent, incomplete; /* sends, receives, collectives without partners */
};

/* A call from enter to leave, and until when it waited for another location. */
struct mpi_waited {
	uint32_t location, by; /* by: location */
	uint64_t entered, left, until;
};

/* A member of a collective operation in which all wait for all. */
struct mpi_member {
	uint32_t location;
	uint64_t begun;   /* when it entered the call that began the operation */
	uint64_t entered; /* ... and the call that ended it; UINT64_MAX: unknown */
};

/* Gets each single wait rather than sums. Times are not clipped. */
struct mpi_observer {
	void (*waited)(void *context, const struct mpi_waited *waited);
	void (*met)(void *context, const struct mpi_member *members, size_t count);
	void *context;
};

struct mpi_state;  /* what is open */
struct mpi_record; /* what one process did, for a later replay */
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
	 * Messages in the chosen part of time, in the order of their ends; empty if there are more
	 * than arrows_max. 0, which mpi_new() sets, keeps none.
	 */
	struct mpi_arrow *arrows;
	size_t arrow_count, arrow_room, arrows_max;
	struct mpi_counts counts;
	bool knows_waits; /* there were messages or collectives, not only calls */
	const struct mpi_observer *observer; /* NULL, which mpi_new() sets: no observer */
	struct mpi_state *state;
	/* If not NULL, calls are only recorded; everything else happens when they are replayed. */
	struct mpi_record *record;
};

/* An archive may define functions of MPI that were not called. */
static inline bool mpi_was_called(const struct mpi *mpi)
{
	return mpi && mpi->site_count > 0;
}

/*
 * clip_from, clip_to: the part of time that counts. ends: gets what ended calls' waits; may be
 * NULL; it must outlive mpi_finish().
 */
struct mpi *mpi_new(
    const struct archive *archive, uint64_t clip_from, uint64_t clip_to, struct remote_ends *ends);
/* An account that only records; the caller sets and owns `record`. */
struct mpi *mpi_new_recorder(const struct archive *archive);
void mpi_free(struct mpi *mpi);

/* How a call was entered. */
struct mpi_enter {
	uint32_t location, call, caller; /* constructs */
	uint64_t time;                   /* not clipped */
	bool counts;                     /* the thread was chosen */
	bool in_team;
};

/* The call lasts until mpi_leave(). After that, the caller must not use the visit. */
struct mpi_visit *mpi_enter(struct mpi *mpi, const struct mpi_enter *enter);

/* Handles one MPI event, within the visit or NULL; the event's time is not clipped. */
void mpi_event(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event);

#define MPI_NO_END UINT64_MAX
/*
 * time: not clipped. ended: if the call ends a segment of the path that something may have ended,
 * the segment's end, which is clipped; else MPI_NO_END.
 */
void mpi_leave(struct mpi *mpi, struct mpi_visit *visit, uint64_t time, uint64_t ended);

/*
 * Call once, after the last event: everything that still waits for a partner has none. Completes
 * the results.
 */
void mpi_finish(struct mpi *mpi);

#endif

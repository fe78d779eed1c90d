/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One execution of a parallel region. The forking thread makes the team and hands its address to
 * the other threads as the fork handle. Each thread that begins adds a member record of its own.
 *
 * Who sees what:
 *
 *   number     the fork stores it again as its last step (release, pomp_team_publish()): a thread
 *              that begins (acquire) sees the complete team
 *   members    a thread that begins pushes its record (release); the master at the join, and
 *              members that compare executions, walk the list (acquire) and see complete records
 *   execution  the owner writes the values, then the tag (release). A reader that finds the
 *              expected tag (acquire) both before and after it reads the values has values that
 *              belong together. It never reads a later body (release, acquire) together with an
 *              earlier tag. It may read a later region (relaxed), which then differs from the
 *              region of the other members.
 *   size       relaxed: grows while threads begin; a comparison waits until that many have entered
 *   arrived    relaxed: only gives each member its turn
 *   returned   a free record goes back to the list of the thread that made it: the joining thread
 *              pushes it (release) and the owner takes the whole list (acquire); nobody takes a
 *              single record, so there is no ABA problem
 *   ended      set last at the end (release); after that the thread touches neither team nor
 *              member. The master at the join (acquire) counts the members that have ended and
 *              leaves the others alone.
 *
 * The runtime's own barriers order all this too, but not every checker can see that.
 */
#ifndef MEASURED_TEAM_H
#define MEASURED_TEAM_H

#include "thread-block.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How many work-sharing constructs a thread may be ahead before values are lost. */
enum { POMP_EXECUTIONS = 32 };

/* A thread's share of one execution of a work-sharing construct. */
struct pomp_execution {
	_Atomic uint64_t tag; /* 1 + how many work-sharing constructs the thread executed before */
	_Atomic uint64_t region;
	_Atomic uint64_t body;
};

struct pomp_member {
	struct pomp_member *next; /* in the team's list, or in the owner's list of spare records */
	struct pomp_thread *owner;
	uint32_t number;    /* thread number in the team */
	_Atomic bool ended; /* the end event was seen: the values below are valid */
	uint64_t begin, end;
	uint64_t useful, body;
	uint64_t waits, mpi; /* within the member's stay; waits: for OpenMP alone */
	uint64_t away;       /* the thread's time without a processor or blocked, at begin */
	/*
	 * Both are used only in a team that a runtime reports. `arrived`: the member is in its last
	 * barrier, and the values above are up to date (release). `joined`: when the member left
	 * that barrier, as the join determined (relaxed, because only the time itself is read; 0:
	 * not joined). It serves members that leave later or not at all.
	 */
	_Atomic bool arrived;
	_Atomic uint64_t joined;
	_Atomic uint64_t left; /* the same as the member itself saw it, before the join; 0: not */
	uint64_t executed;     /* work-sharing constructs so far */
	uint64_t compared;     /* the next execution that this member compares */
	struct pomp_execution execution[POMP_EXECUTIONS];
};

struct pomp_team {
	struct pomp_team *next;     /* among the master's spare ones */
	struct pomp_thread *master; /* never changes: a thread that leaves late still reads it */
	_Atomic uint64_t number;    /* unique in the process, from 1 */
	uint64_t fork;              /* ticks */
	_Atomic uint32_t size;
	_Atomic uint32_t arrived;
	bool alone;  /* made by a begin without a fork: ends when its only thread ends */
	bool silent; /* forked while measurement was off: it is off for the team's threads within
			the region */
	const struct pomp_origin *origin; /* NULL: the path there is not known */
	double scale;                     /* the delay factor if no rule names the region */
	_Atomic(struct pomp_member *) members;
	/* Only for a team that a runtime reports; written by the master. */
	uint64_t region, place;     /* place: the master's, see pomp_team_place() */
	const void *entry, *caller; /* as in struct code_address; NULL: unknown */
	uint64_t left;              /* when the master left the last barrier; 0: not yet */
};

/* A member's number and the size of its team, as a runtime reports them. */
struct pomp_numbers {
	uint32_t number, size;
};

struct pomp_teams {
	_Atomic uint64_t made;         /* numbers given to teams so far */
	_Atomic uint64_t most_threads; /* of any team */
};

extern struct pomp_teams pomp_teams __attribute__((visibility("hidden")));

/* Makes a team for the thread; NULL when memory ran out. */
struct pomp_team *pomp_team_new(struct pomp_thread *thread, uint64_t now);

/* The last step of the fork, when everything that the team's threads read in it is stored. */
static inline void pomp_team_publish(struct pomp_team *team)
{
	store_release(&team->number, load_relaxed(&team->number));
}

/*
 * The thread begins in the team: makes its member record and pushes its PARALLEL frame. Returns
 * false when memory ran out. `numbers` is NULL if the runtime must be asked for them.
 */
bool pomp_team_enter(struct pomp_team *team, struct pomp_thread *thread,
    struct pomp_accumulator *region, uint64_t now, const struct pomp_numbers *numbers);

/*
 * Records that the thread waits in the last barrier of its team (the frame on top of its stack),
 * and that it has left this barrier.
 */
void pomp_team_arrive(struct pomp_thread *thread, uint64_t now);
void pomp_team_depart(struct pomp_thread *thread, uint64_t now);

/* Records that a task has ended, which the thread may have executed within that barrier. */
void pomp_team_work_on(struct pomp_thread *thread, uint64_t now);

/* At the join: counts members that are still in the last barrier as having left it. */
void pomp_team_release(struct pomp_team *team, uint64_t now);

/* Returns the place, among all OpenMP threads, of the thread with this number in the team. */
static inline uint64_t pomp_team_place(const struct pomp_team *team, uint32_t number)
{
	return team->place * 1000003 + number + 1;
}

/*
 * The thread ends in the team: records the member's times and closes its frame, which is on top of
 * the stack.
 */
void pomp_team_leave(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now);

/* Closes that frame, also in the other ways to leave a team. */
void pomp_team_close(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now);

/*
 * At the join: accounts imbalance and management time to the thread and to the region's
 * accumulator. `outer` is true if the region is not nested in another one.
 */
void pomp_team_settle(struct pomp_team *team, struct pomp_thread *thread,
    struct pomp_accumulator *region, uint64_t now, bool outer);

/* Returns the team and its members to the lists of free ones. */
void pomp_team_free(struct pomp_team *team);

/* Records the thread's share of a work-sharing construct that it has just left. */
void pomp_team_executed(struct pomp_thread *thread, uint64_t region, uint64_t body);

/* The same as the last step of an event: also ends the event. */
void pomp_team_executed_last(struct pomp_thread *thread, uint64_t region, uint64_t body);

#endif

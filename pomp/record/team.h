/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One execution of a parallel region. The forking thread makes the team and hands its address to
 * the others as the fork handle; each thread that begins enters itself with a member record of its
 * own.
 *
 * Who sees what:
 *
 *   number     stored again as the last thing of the fork (release, pomp_team_publish()): a thread
 *              that begins (acquire) sees the team whole
 *   members    a begin pushes (release): the master at join, and members that compare executions,
 *              walk the list (acquire) and see the records whole
 *   execution  its owner writes the values, then the tag (release): a thread that finds the
 *              expected tag (acquire) before and after reading them has values that belong
 *              together: a later body (release, acquire) is never read with an earlier tag behind
 *              it; a later region may be (relaxed), and then differs from that of the others
 *   size       relaxed: grows while threads begin; a comparison waits until as many have entered
 *   arrived    relaxed: gives each its turn, no more
 *   returned   a free record goes back to the list of the thread that made it: the joining thread
 *              pushes (release), its owner takes the whole list (acquire); no one takes single
 *              ones, so no record can come back unseen
 *   ended      set last at the end (release), after which the thread touches neither team nor
 *              member: the master at join (acquire) takes what ended and leaves alone what did not
 *
 * The runtime's own barriers order all this too, but not in a way that every checker can see.
 */
#ifndef TEAM_H
#define TEAM_H

#include "thread.h"

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
	struct pomp_member *next; /* in the team, or among the owner's spare ones */
	struct pomp_thread *owner;
	uint32_t number;    /* thread number in the team */
	_Atomic bool ended; /* end was seen; the following are then valid */
	uint64_t begin, end;
	uint64_t useful, body;
	uint64_t waits, mpi; /* in its stay; waits: without MPI */
	/*
	 * Of a team that a runtime reports: the member is in its last barrier (release, when the
	 * values above are what they are by then); and when it left that, as the join says
	 * (relaxed, 0: not joined; the time is all that is read), for a member that leaves later
	 * or not at all.
	 */
	_Atomic bool arrived;
	_Atomic uint64_t joined;
	uint64_t executed; /* work-sharing constructs so far */
	uint64_t compared; /* the next execution that this member compares */
	struct pomp_execution execution[POMP_EXECUTIONS];
};

struct pomp_team {
	struct pomp_team *next;     /* among the master's spare ones */
	struct pomp_thread *master; /* for ever: a thread that leaves late looks at it */
	_Atomic uint64_t number;    /* unique in the process, from 1 */
	uint64_t fork;              /* ticks */
	_Atomic uint32_t size;
	_Atomic uint32_t arrived;
	bool alone;   /* made by a begin without a fork: ends with its one thread's end */
	bool silent;  /* forked while off: its threads are off for the region */
	double scale; /* the factor by which it is delayed where no rule names its region */
	_Atomic(struct pomp_member *) members;
	/* Of a team that a runtime reports; written by the master. */
	uint64_t region, place; /* place: of the master in its own team, see pomp_team_place() */
	const void *entry, *caller; /* as struct code_address has them; NULL: unknown */
	uint64_t left;              /* when the master left the last barrier; 0: not yet */
};

/* A member's number and its team's size, where a runtime reports them. */
struct pomp_numbers {
	uint32_t number, size;
};

struct pomp_teams {
	_Atomic uint64_t made;         /* numbers given to teams so far */
	_Atomic uint64_t most_threads; /* of any team */
};

extern struct pomp_teams pomp_teams __attribute__((visibility("hidden")));

/* A new team of the thread, or NULL when memory ran out. */
struct pomp_team *pomp_team_new(struct pomp_thread *thread, uint64_t now);

/* The fork's last step, when all that the team's threads read of it is there. */
static inline void pomp_team_publish(struct pomp_team *team)
{
	store_release(&team->number, load_relaxed(&team->number));
}

/*
 * Begin: enters the thread and pushes its PARALLEL frame; false when memory ran out. `numbers`:
 * NULL where the runtime is to be asked for them.
 */
bool pomp_team_enter(struct pomp_team *team, struct pomp_thread *thread,
    struct pomp_accumulator *region, uint64_t now, const struct pomp_numbers *numbers);

/* Notes that the thread is in the last barrier of its team, on top of its stack; and leaves it. */
void pomp_team_arrive(struct pomp_thread *thread, uint64_t now);
void pomp_team_depart(struct pomp_thread *thread, uint64_t now);

/* Notes that a task ended, which the thread may have executed in that barrier. */
void pomp_team_work_on(struct pomp_thread *thread, uint64_t now);

/* At the join: members that are still in the last barrier have left it. */
void pomp_team_release(struct pomp_team *team, uint64_t now);

/* The place among all OpenMP threads of the thread with that number in the team. */
static inline uint64_t pomp_team_place(const struct pomp_team *team, uint32_t number)
{
	return team->place * 1000003 + number + 1;
}

/* End: notes the member's times and closes its frame, which is on top of the stack. */
void pomp_team_leave(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now);

/*
 * At the join: accounts imbalance and management to the thread and to the region's accumulator.
 * `outer`: the region is not nested in another.
 */
void pomp_team_settle(struct pomp_team *team, struct pomp_thread *thread,
    struct pomp_accumulator *region, uint64_t now, bool outer);

/* Gives team and members back. */
void pomp_team_free(struct pomp_team *team);

/* Notes the thread's share of a work-sharing construct that it just left. */
void pomp_team_executed(struct pomp_thread *thread, uint64_t region, uint64_t body);

/* The same as the last thing of an event, which it ends. */
void pomp_team_executed_last(struct pomp_thread *thread, uint64_t region, uint64_t body);

#endif

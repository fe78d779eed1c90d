/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How threads, teams and tasks are connected, for several functions of the interface. Addresses are
 * those of the runtime's records; 0 means that there is none, or an error (reader->rc).
 */
#ifndef OMPD_WALK_H
#define OMPD_WALK_H

#include "target.h"

/* Limits for the nesting of regions and of suspended tasks, whatever a target contains. */
enum { WALK_DEPTH = 4096 };

/* The list of all threads: first, then next until 0. A circular list is an error. */
struct thread_walk {
	struct reader *reader;
	ompd_addr_t thread; /* current */
	ompd_addr_t mark;   /* an earlier one, and when to replace it (Brent's algorithm) */
	uint32_t steps, limit;
};

ompd_addr_t walk_threads(struct thread_walk *walk, struct reader *reader);
ompd_addr_t walk_next_thread(struct thread_walk *walk);

/*
 * Returns whether `to` is the record `from`, or one that is reached from it through the members
 * `next`.
 */
bool walk_leads_to(
    struct reader *reader, ompd_addr_t from, ompd_addr_t to, enum target_field_id next);

/* Returns member `number` of a team, after a check; 0 and ompd_rc_error when it is not one. */
ompd_addr_t walk_member(struct reader *reader, ompd_addr_t team, uint64_t number);

/*
 * Returns whether the team's region is active. A team is kept for the next region, so its region is
 * active if its number 0 is in it, or in a region below.
 */
bool walk_team_is_active(struct reader *reader, ompd_addr_t team);

/* Returns the team whose region a thread is in; 0: a worker between two regions. */
ompd_addr_t walk_current_team(struct reader *reader, ompd_addr_t thread);

/* An implicit task is a part of its member. */
bool walk_task_is_implicit(struct reader *reader, ompd_addr_t task);
ompd_addr_t walk_member_of_implicit(struct reader *reader, ompd_addr_t task);

/*
 * Tasks of a taskloop that have not begun are queued as ranges: a task of the runtime executes
 * those of one range. It is not a task of the program, for which it represents several.
 * walk_range() returns how many, as long as it is queued; 0 when it is not a range.
 */
bool walk_is_range(struct reader *reader, ompd_addr_t task);
uint64_t walk_range(struct reader *reader, ompd_addr_t task);

/*
 * Returns the number, in the task's team, of the thread that executes the task or has suspended it.
 * ompd_rc_unavailable: there is none.
 */
uint64_t walk_task_number(struct reader *reader, ompd_addr_t task);

/* Returns whether the task's code has run but its event is not fulfilled. */
bool walk_awaits_event(struct reader *reader, ompd_addr_t task);

/* Returns the task that generated it, skipping ranges; 0: an initial task. */
ompd_addr_t walk_generating(struct reader *reader, ompd_addr_t task);

/*
 * Returns the outlined function with its code: for an implicit task that of its region, for a range
 * that of its tasks; 0: an initial task.
 */
ompd_addr_t walk_function(struct reader *reader, ompd_addr_t task);

/* How a task came to be executed by its thread: what is below it on the thread's stack. */
struct suspension {
	ompd_addr_t task;  /* the suspended task; 0: there is none */
	ompd_addr_t frame; /* of the runtime's function between the two; 0: unknown */
};

struct suspension walk_below(struct reader *reader, ompd_addr_t task);

#endif

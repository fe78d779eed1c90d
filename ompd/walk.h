/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How threads, teams and tasks are connected, for several of the interface's functions. Addresses
 * are those of the runtime's records; 0 means that there is none, also after an error (reader->rc).
 */
#ifndef OMPD_WALK_H
#define OMPD_WALK_H

#include "target.h"

/* Limits of the nesting of regions and of suspended tasks, whatever a target contains. */
enum { WALK_DEPTH = 4096 };

/* The list of all threads: first, then next until 0. A list that is a circle is an error. */
struct thread_walk {
	struct reader *reader;
	ompd_addr_t thread; /* current */
	ompd_addr_t mark;   /* an earlier one, and when to take a new one (Brent's algorithm) */
	uint32_t steps, limit;
};

ompd_addr_t walk_threads(struct thread_walk *walk, struct reader *reader);
ompd_addr_t walk_next_thread(struct thread_walk *walk);

/* Is `to` the record `from` or one that its chain of members `next` comes to? */
bool walk_leads_to(
    struct reader *reader, ompd_addr_t from, ompd_addr_t to, enum target_field_id next);

/* Member `number` of a team, checked to be one; 0 and ompd_rc_error when it is not. */
ompd_addr_t walk_member(struct reader *reader, ompd_addr_t team, uint64_t number);

/*
 * Is the region of a team going on? A team is kept for its place's next region, so it is when its
 * number 0 is in it, or in a region below.
 */
bool walk_team_is_active(struct reader *reader, ompd_addr_t team);

/* The team in whose region a thread is; 0: a worker between two regions. */
ompd_addr_t walk_current_team(struct reader *reader, ompd_addr_t thread);

/* An implicit task is a part of its member. */
bool walk_task_is_implicit(struct reader *reader, ompd_addr_t task);
ompd_addr_t walk_member_of_implicit(struct reader *reader, ompd_addr_t task);

/*
 * A taskloop's tasks that are not begun are queued as ranges: a task of the runtime's executes
 * those of one. Such a task is not one of the program's, for whom it stands for several. How many
 * they are as long as it is queued: 0 when it is no range.
 */
bool walk_is_range(struct reader *reader, ompd_addr_t task);
uint64_t walk_range(struct reader *reader, ompd_addr_t task);

/*
 * The number of the thread that executes the task, or has suspended it, in the task's team.
 * ompd_rc_unavailable: none does.
 */
uint64_t walk_task_number(struct reader *reader, ompd_addr_t task);

/* Has the task's code run, and its event not been fulfilled? */
bool walk_awaits_event(struct reader *reader, ompd_addr_t task);

/* The task that generated it, ranges apart; 0: an initial task. */
ompd_addr_t walk_generating(struct reader *reader, ompd_addr_t task);

/* The outlined function with its code, of a region for implicit tasks, of a range for its tasks; 0:
 * an initial task. */
ompd_addr_t walk_function(struct reader *reader, ompd_addr_t task);

/* How a task came to be executed by its thread: what lies below it on the thread's stack. */
struct suspension {
	ompd_addr_t task;  /* the suspended task, 0: there is none */
	ompd_addr_t frame; /* of the runtime's function between the two, 0: not known */
};

struct suspension walk_below(struct reader *reader, ompd_addr_t task);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of parallel regions on the master's stack, whatever reports the region. */
#ifndef FORK_JOIN_H
#define FORK_JOIN_H

#include "thread-block.h"
#include "thread-origins.h"

/*
 * Returns where the thread forks a team; NULL: that is not known. It belongs into the event's own
 * function. caller: see struct pomp_event_place.
 */
#define POMP_EVENT_ORIGIN(thread, caller, id, now)                                                 \
	((now) < (thread)->origin_due                                                              \
		? NULL                                                                             \
		: pomp_thread_origin(thread,                                                       \
		      (struct pomp_event_place){__builtin_frame_address(0), (uintptr_t)(caller)},  \
		      id, now))

/*
 * Forks a team: makes it, pushes the FORK frame for the whole execution, and logs it. NULL when
 * memory ran out.
 */
struct pomp_team *pomp_event_fork(
    struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t id, uint64_t now);

/* Joins a team, whose FORK frame is on top of the stack. */
void pomp_event_join(struct pomp_thread *thread, uint64_t id, uint64_t now);

/*
 * Returns the team's FORK frame on the thread's stack, or the bottom of the stack if there is none.
 */
struct pomp_frame *pomp_frame_of_team(
    const struct pomp_thread *thread, const struct pomp_team *team);

/*
 * Returns the frame below the team. When the thread begins in the team, frames above this one were
 * left open by an earlier region, which the thread has left since.
 */
struct pomp_frame *pomp_frame_below_team(
    const struct pomp_thread *thread, const struct pomp_team *team);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends what ends without an event of its own, or before it. */
#ifndef IMPLIED_ENDS_H
#define IMPLIED_ENDS_H

#include "thread-block.h"

/*
 * Ends whatever is pending on the thread (see struct pomp_thread), within an event or after the
 * stop. `may_wait`: the call may make room in a full log, which takes the process lock.
 */
void pomp_event_settle(struct pomp_thread *thread, bool may_wait);

/* Leaves the construct on top of the stack, within an event. */
void pomp_event_close_construct(struct pomp_thread *thread, uint64_t now);

/*
 * Ends the thread's regions whose teams were joined without it, as of the time of the join.
 * `may_wait`: see pomp_event_settle().
 */
void pomp_event_close_joined(struct pomp_thread *thread, bool may_wait);

/* Leaves the team whose PARALLEL frame is on top of the stack, within an event. */
void pomp_event_leave_team(struct pomp_thread *thread, uint64_t now, bool may_wait);

/*
 * Finds the frame for a leaving event when it is not on top, and closes whatever was left open
 * above it (cancellation, exceptions, longjmp). Returns false when there is none: the event is
 * counted as lost. A task that is closed this way was cancelled, and its end is logged.
 */
bool pomp_frame_unwind(struct pomp_thread *thread, const struct pomp_accumulator *accumulator,
    enum pomp_role role, uint64_t now);

/*
 * Called before a task begins, within an event. If tasks can be cancelled, tasks on top of the
 * stack that wait for nothing have ended without a call; ends them.
 */
void pomp_frame_end_cancelled(struct pomp_thread *thread, uint64_t now);

#endif

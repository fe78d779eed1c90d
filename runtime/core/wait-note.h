/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread waits for, noted in its record where a debugger finds it. Nothing in the runtime
 * reads it. Called only when a wait does begin, so what does not wait pays nothing.
 *
 * The note names the task that waits: a thread that executes another task meanwhile is not waiting,
 * and the note needs not be removed for that time. A wait within that task keeps the outer note, on
 * its stack and chained to its own, and puts it back.
 *
 * A debugger may stop the thread between any two instructions. So it finds state 0, "does not
 * wait", while the other members change. It also finds threads whose wait is over and that have not
 * noticed yet: `until` is there to distinguish these.
 */
#ifndef RT_WAIT_NOTE_H
#define RT_WAIT_NOTE_H
#include "thread.h"

/* The values of the ompt_state_t of the same names. gcc has one entry for all barriers but ends. */
enum rt_waiting_state {
	/*
	 * id: the team, while it waits for the task's descendants to be released. Then the team's
	 * barrier, until others have arrived as often as it (two: by its `pair_arrived`), or the
	 * barrier has another generation.
	 */
	RT_WAITING_BARRIER = 0x010,
	/*
	 * The forking thread. id: the team's region, until all members have joined that (two: its
	 * `pair_joined` is that); or the team's join, until it has another generation.
	 */
	RT_WAITING_REGION_END = 0x011,
	RT_WAITING_TASKWAIT = 0x020, /* id: the waiting task; until: 0, or the node with blockers */
	RT_WAITING_TASKGROUP = 0x021, /* id: the group */
	/* Locks. until: the word when the wait began. MUTEX: that of reductions */
	RT_WAITING_MUTEX = 0x040,
	RT_WAITING_LOCK = 0x041,     /* id: the program's lock */
	RT_WAITING_CRITICAL = 0x042, /* id: the construct's symbol */
	RT_WAITING_ATOMIC = 0x043,
	RT_WAITING_ORDERED = 0x044, /* id: the word that counts iterations, also of doacross; until
				       it is that at least */
	RT_WAITING_IDLE = 0x100     /* a worker between two regions; id: its team */
};

/* Keeps the compiler from moving stores across: the thread itself is what a debugger stops. */
#define RT_WAITING_STEP() __asm__ volatile("" ::: "memory")

/* Most waits are none within another: then only the state of the outer note is kept, which is 0. */
static inline void rt_waiting_begin(struct rt_thread *self, struct rt_waiting *outer,
    enum rt_waiting_state state, const volatile void *id, uint64_t until, uint64_t iteration)
{
	struct rt_waiting *note = &self->waiting;

	outer->state = note->state;
	if (unlikely(outer->state != 0)) {
		*outer = *note;
		note->state = 0;
		RT_WAITING_STEP();
	}
	note->id = (uintptr_t)id;
	note->until = until;
	note->iteration = iteration;
	note->task = self->task;
	note->outer = outer->state != 0 ? outer : NULL;
	RT_WAITING_STEP();
	note->state = state;
}

static inline void rt_waiting_end(struct rt_thread *self, const struct rt_waiting *outer)
{
	struct rt_waiting *note = &self->waiting;

	note->state = 0;
	if (likely(outer->state == 0))
		return;
	RT_WAITING_STEP();
	note->id = outer->id;
	note->until = outer->until;
	note->iteration = outer->iteration;
	note->task = outer->task;
	note->outer = outer->outer;
	RT_WAITING_STEP();
	note->state = outer->state;
}

#endif

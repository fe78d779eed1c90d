/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes what a thread waits for in its record, where a debugger finds it. Nothing in the runtime
 * reads the note. These functions are called only when a wait really begins, so other paths pay
 * nothing.
 *
 * The note names the task that waits: a thread that executes another task meanwhile is not waiting,
 * and the note need not be removed for that time. A wait within that other task saves the outer
 * note on its stack, chains it to its own note, and restores it at the end.
 *
 * A debugger may stop the thread between any two instructions. So the state is 0, "does not wait",
 * while the other members change. A debugger also finds threads whose wait is over but that have
 * not noticed yet; `until` tells them apart.
 */
#ifndef RT_WAIT_NOTE_H
#define RT_WAIT_NOTE_H
#include "thread.h"

/*
 * The values are those of the ompt_state_t constants of the same names. gcc has one entry point for
 * all barriers except those at the end of a region.
 */
enum rt_waiting_state {
	/*
	 * id: first the team, while it waits until the task's descendants are released. Then the
	 * team's barrier, until the others have arrived as often as this member (team of two: by
	 * its `pair_arrived`) or the barrier has another generation.
	 */
	RT_WAITING_BARRIER = 0x010,
	/*
	 * The forking thread. id: the team's region, until all members have joined it (team of two:
	 * until its `pair_joined` equals the region); or the team's join, until that has another
	 * generation.
	 */
	RT_WAITING_REGION_END = 0x011,
	RT_WAITING_TASKWAIT = 0x020, /* id: the waiting task; until: 0, or the node with blockers */
	RT_WAITING_TASKGROUP = 0x021, /* id: the group */
	/* Locks. until: the lock's word when the wait began. MUTEX: the mutex of reductions */
	RT_WAITING_MUTEX = 0x040,
	RT_WAITING_LOCK = 0x041,     /* id: the program's lock */
	RT_WAITING_CRITICAL = 0x042, /* id: the construct's symbol */
	RT_WAITING_ATOMIC = 0x043,
	RT_WAITING_ORDERED = 0x044, /* id: the word that counts iterations, also of doacross; until:
				       its least value */
	RT_WAITING_IDLE = 0x100     /* a worker between two regions; id: its team */
};

/*
 * Keeps the compiler from moving stores across this point. That suffices because a debugger stops
 * the thread itself.
 */
#define RT_WAITING_STEP() __asm__ volatile("" ::: "memory")

/* Most waits are not nested: then only the state of the outer note is kept, which is 0. */
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

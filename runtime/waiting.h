/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread waits for, noted in its record where a debugger finds it. Nothing in the runtime
 * reads it. Called only when a wait does begin, so what does not wait pays nothing.
 *
 * The note names the task that waits: a thread that executes another task meanwhile is not waiting,
 * and nobody has to take the note away for that time. A wait within that task keeps the outer note
 * and puts it back.
 */
#ifndef RT_WAITING_H
#define RT_WAITING_H

#include "thread.h"

/* The values of the ompt_state_t of the same names. gcc calls one entry for all barriers but ends.
 */
enum rt_waiting_state {
	RT_WAITING_BARRIER = 0x010,
	RT_WAITING_REGION_END = 0x011, /* id: the team's join */
	RT_WAITING_TASKWAIT = 0x020,   /* id: the waiting task */
	RT_WAITING_TASKGROUP = 0x021,  /* id: the group */
	RT_WAITING_MUTEX = 0x040,
	RT_WAITING_LOCK = 0x041,     /* id: the program's lock */
	RT_WAITING_CRITICAL = 0x042, /* id: the construct's symbol */
	RT_WAITING_ATOMIC = 0x043,
	RT_WAITING_ORDERED = 0x044, /* id: the word that counts iterations, also of doacross */
	RT_WAITING_IDLE = 0x100     /* a worker between two regions; id: its team */
};

static inline struct rt_waiting rt_waiting_begin(
    struct rt_thread *self, enum rt_waiting_state state, const volatile void *id)
{
	struct rt_waiting outer = self->waiting;

	self->waiting = (struct rt_waiting){(uintptr_t)id, self->task, state};
	return outer;
}

static inline void rt_waiting_end(struct rt_thread *self, struct rt_waiting outer)
{
	self->waiting = outer;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Races are looked for: the program was built with -fsanitize=thread and `ompinst race run` started
 * it. See include/shared/race-log.h for what it says, rt_process.race for whether it did.
 */
#ifndef RT_RACE_H
#define RT_RACE_H
#include <stdbool.h>
#include <stdint.h>

#include "atomics.h"
#include "process.h"
#include "thread.h"

/* From the environment, before there is a second thread. */
void rt_race_begin(void);

/*
 * The calling thread is called by its number in reports; its record is new. Memory that is short
 * makes it a thread without strands.
 */
void rt_race_thread_begin(struct rt_thread *self);
void rt_race_thread_end(struct rt_thread *self);

/*
 * Tasks, and teams of a league, that the thread executes are strands of their own; false: the order
 * in which it executes them orders them.
 */
bool rt_race_has_strands(const struct rt_thread *self);

/*
 * A strand: code that its thread executes on a stack of its own, and that in ThreadSanitizer is
 * another thread.
 */
typedef void rt_strand_fn(void *argument);

/*
 * Calls fn(argument) on a strand and returns when it has returned. What orders it with what comes
 * before and after is what rt_tsan_release() and rt_tsan_acquire() say, no more. name: what reports
 * call it, one of the words of race-log.h. Where there is no strand left, or none at all, it is a
 * plain call.
 */
void rt_strand_call(struct rt_thread *self, rt_strand_fn *fn, void *argument, const char *name);

/*
 * What is done until rt_race_show() is no code of the program's: memory that is allocated, copied
 * and freed is the runtime's own, and what was there before is forgotten. Acquire and release have
 * no effect meanwhile, so it is for a few lines. rt_race_hide() returns what rt_race_show() is
 * given; while no races are looked for both do nothing.
 */
void *rt_race_hide_now(struct rt_thread *self);
void rt_race_show_now(void *hidden);

static inline void *rt_race_hide(struct rt_thread *self)
{
	return unlikely(rt_process.race) ? rt_race_hide_now(self) : NULL;
}

static inline void rt_race_show(void *hidden)
{
	if (unlikely(rt_process.race))
		rt_race_show_now(hidden);
}

/*
 * Calls fn(argument) for each team of a league, on a strand each; self->teams_count of them, with
 * self->teams_number set. For a thread with strands.
 */
void rt_race_call_league(struct rt_thread *self, rt_strand_fn *fn, void *argument);

/*
 * The same for a target region, which may turn out to have teams: then its function is called for
 * each team. rt_race_begin_teams(), within the call, is that turn: it sets the thread's team, and
 * there is no next one within the call.
 */
void rt_race_call_target(struct rt_thread *self, rt_strand_fn *fn, void *argument);
bool rt_race_is_in_target(const struct rt_thread *self);
void rt_race_begin_teams(struct rt_thread *self, uint32_t teams);

/*
 * Where threads take turns that OpenMP leaves open: the calling thread lets others go first, or
 * not, as the seed has it. A millisecond at most, and the more seldom the more often it was called
 * before.
 */
void rt_race_pause_now(struct rt_thread *self);

/* The same for a thread that has taken one piece of work of a construct, for others to take some.
 */
void rt_race_share_now(struct rt_thread *self);

/* For a forking thread: it is nearly always the first in a region unless it waits, in some runs. */
void rt_race_let_workers_go_now(struct rt_thread *self);

static inline void rt_race_let_workers_go(struct rt_thread *self)
{
	if (unlikely(rt_process.race))
		rt_race_let_workers_go_now(self);
}

static inline void rt_race_pause(struct rt_thread *self)
{
	if (unlikely(rt_process.race) && self != NULL)
		rt_race_pause_now(self);
}

static inline void rt_race_share(struct rt_thread *self)
{
	if (unlikely(rt_process.race))
		rt_race_share_now(self);
}

/* A new task is queued for all threads of the team, not by the one that generates it: by the seed.
 */
bool rt_race_queues_for_all(struct rt_thread *self);

#endif

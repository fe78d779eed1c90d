/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Race detection: the program was built with -fsanitize=thread and `ompinst race run` started it;
 * or with another sanitizer, for memory errors, where each task has its own memory from the heap.
 * For the report see include/shared/race-log.h; RT_BY_RACE tells whether race detection is on.
 */
#ifndef RT_RACE_H
#define RT_RACE_H
#include <stdbool.h>
#include <stdint.h>

#include "atomics.h"
#include "thread.h"
#include "watch.h"

/* Reads the settings from the environment, before there is a second thread. */
void rt_race_begin(void);

/*
 * Names the calling thread by its number in reports; its record is new. Without memory it is a
 * thread without strands.
 */
void rt_race_thread_begin(struct rt_thread *self);
void rt_race_thread_end(struct rt_thread *self);

/*
 * Does the thread execute tasks, and teams of a league, as separate strands? If not, they are
 * ordered as it executes them.
 */
bool rt_race_has_strands(const struct rt_thread *self);

/* The chunk of loops that may be divided otherwise (shared/loop-schedule.h); 0: none. */
uint32_t rt_race_loop_chunk(void);

/*
 * A strand: code that its thread executes on a separate stack, and that is another thread for
 * ThreadSanitizer.
 */
typedef void rt_strand_fn(void *argument);

/*
 * Calls fn(argument) on a strand and returns when fn has returned. Only rt_tsan_release() and
 * rt_tsan_acquire() order it with what comes before and after. name: its name in reports, one of
 * the words of race-log.h. It is a plain call if no strand is left or there are none at all.
 */
void rt_strand_call(struct rt_thread *self, rt_strand_fn *fn, void *argument, const char *name);

/*
 * A simd loop: calls fn(argument), which contains the loop and nothing else, on several strands,
 * which take turns with its iterations in the order of the loop. It is one call, without strands,
 * if the loop is not to be divided. loop: the program's code, which tells loops apart.
 */
void rt_race_call_lanes(struct rt_thread *self, const void *loop, rt_strand_fn *fn, void *argument);

/* The loop in it. low and high: at first 0. */
struct rt_lane_loop {
	uint64_t count, safelen; /* iterations; safelen 0: none is given */
	uint64_t low, high;      /* those that the strand has */
};

/* The strand's next iterations; false: there are none. */
bool rt_race_next_lane(struct rt_thread *self, struct rt_lane_loop *loop);

/* A barrier in such a function, and the ends of an ordered region; outside they do nothing. */
void rt_race_lane_barrier(struct rt_thread *self);
void rt_race_lane_ordered(struct rt_thread *self, bool begins);

/*
 * Code until rt_race_show() does not count as the program's: memory that is allocated, copied and
 * freed belongs to the runtime, and what was there before is forgotten. Acquire and release have no
 * effect meanwhile, so it should be only a few lines. Pass the result of rt_race_hide() to
 * rt_race_show(); without race detection both do nothing.
 */
void *rt_race_hide_now(struct rt_thread *self);
void rt_race_show_now(void *hidden);

static inline void *rt_race_hide(struct rt_thread *self)
{
	return rt_watched(RT_BY_RACE) ? rt_race_hide_now(self) : NULL;
}

static inline void rt_race_show(void *hidden)
{
	if (rt_watched(RT_BY_RACE))
		rt_race_show_now(hidden);
}

/*
 * Calls fn(argument) for each of the self->teams_count teams of a league, each on a strand, with
 * self->teams_number set.
 */
void rt_race_call_league(struct rt_thread *self, rt_strand_fn *fn, void *argument);

/*
 * The same for a target region, which may turn out to contain teams: then its function is called
 * for each team. Within the call, rt_race_begin_teams() takes the turn of one team: it sets the
 * thread's team, and there is no further team within the call.
 */
void rt_race_call_target(struct rt_thread *self, rt_strand_fn *fn, void *argument);
bool rt_race_is_in_target(const struct rt_thread *self);
void rt_race_begin_teams(struct rt_thread *self, uint32_t teams);

/*
 * What stands for a lock of the program, or its critical construct, when the thread uses it. Before
 * a thread waits for the lock, when it has it, and before it gives it back, call the following.
 */
struct race_lock;
const void *rt_race_lock_identity(const struct rt_thread *self, const void *lock);
void rt_race_lock_wanted(const struct race_lock *lock);
void rt_race_lock_taken(const struct race_lock *lock);
void rt_race_lock_given(const void *identity);

/* A lock is initialized or destroyed: what was known of the one at its address is not its. */
void rt_race_lock_new(const volatile void *lock);

/*
 * Where threads are in the structure of the program, for locks; see struct team_position. A forking
 * thread calls rt_race_fork(), and each member of the team, which has several, the next two. A task
 * that counts has memory for its position, from rt_race_task_made() to rt_race_task_begin().
 */
struct team_position;
void rt_race_fork(struct rt_team *team, const void *code);
void rt_race_enter_region(const struct rt_thread *self);
void rt_race_leave_region(void);
void rt_race_pass_barrier(void);
void rt_race_take_single(bool executes); /* at the begin of sections: false */
void rt_race_take_section(unsigned number);
void rt_race_task_made(struct team_position *position);
void rt_race_task_begin(const struct team_position *position);
void rt_race_task_end(void);

/*
 * Called where OpenMP leaves open which thread comes first: depending on the seed, the calling
 * thread lets others go first. It takes at most a millisecond, and becomes rarer with each call.
 */
void rt_race_pause_now(struct rt_thread *self);

/*
 * The same for a thread that has taken one piece of work of a construct, so that others take some.
 */
void rt_race_share_now(struct rt_thread *self);

/*
 * The same for a thread that is going to execute a task. For memory errors it waits longer, so that
 * functions that do not wait for their tasks end first.
 */
void rt_race_begin_task_now(struct rt_thread *self);

/*
 * For a thread that has forked the team, which is nearly always the first in a region: in some runs
 * it waits here.
 */
void rt_race_let_workers_go_now(struct rt_thread *self, const struct rt_team *team);

static inline void rt_race_let_workers_go(struct rt_thread *self, const struct rt_team *team)
{
	if (rt_watched(RT_BY_RACE))
		rt_race_let_workers_go_now(self, team);
}

static inline void rt_race_pause(struct rt_thread *self)
{
	if (rt_watched(RT_BY_RACE) && self != NULL)
		rt_race_pause_now(self);
}

static inline void rt_race_begin_task(struct rt_thread *self)
{
	if (rt_watched(RT_BY_RACE))
		rt_race_begin_task_now(self);
}

static inline void rt_race_share(struct rt_thread *self)
{
	if (rt_watched(RT_BY_RACE))
		rt_race_share_now(self);
}

/*
 * Is a new task queued for all threads of the team, and not by the thread that generates it? The
 * seed decides.
 */
bool rt_race_queues_for_all(struct rt_thread *self);

#endif

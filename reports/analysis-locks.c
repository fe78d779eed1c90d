/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks and criticals: how often each was taken, how long threads waited for it and held it. The
 * wait is the time since the thread entered the critical or the lock routine. It was contended when
 * another thread held the lock at the moment of the enter, which is what libpomp sees at run time.
 * A lock that somebody takes and releases between this thread's enter and its turn makes it wait,
 * but contended it was not.
 *
 * At the enter the events do not yet say which lock it is about. So the thread remembers all locks
 * that others hold then (as many as threads hold locks: few), and looks its own up among them when
 * it has got it.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis-parts.h"
#include "memory.h"
#include "shared/summary-figures.h"

/* A critical is known by its construct, a lock only by its number. */
static char *name_of(const struct analysis *analysis, const struct frame *frame, uint32_t lock)
{
	const struct construct *construct;

	if (!frame || frame->part.part != PART_WHOLE)
		return memory_print("lock %u", lock);
	construct = &analysis->constructs[frame->part.construct];
	return memory_print(construct->sub_name[0] ? "%s(%s) %s:%d" : "%s%s %s:%d", construct->name,
	    construct->sub_name, summary_base_name(construct->file), construct->begin_line);
}

/* The frame that the thread waits in, if any. */
static struct frame *waiting_frame(struct analysis *analysis, uint32_t thread)
{
	struct frame *top = analysis_top_frame(&analysis->threads[thread]);

	return top && top->wait == ACTIVITY_LOCK ? top : NULL;
}

static struct lock *find_lock(
    struct analysis *analysis, uint32_t thread, uint32_t number, const struct frame *frame)
{
	/* Numbers are given by each process. */
	struct map_key key = {number, analysis->archive->locations[thread].group};
	uint64_t index = map_find(&analysis->lock_of, key);

	if (index == MAP_NONE) {
		index = analysis->lock_count++;
		analysis->locks = memory_grow(analysis->locks, &analysis->lock_room,
		    analysis->lock_count, sizeof(analysis->locks[0]));
		analysis->locks[index].name = name_of(analysis, frame, number);
		map_set(&analysis->lock_of, key, index);
	}
	return &analysis->locks[index];
}

void analysis_begin_lock_wait(struct analysis *analysis, uint32_t thread)
{
	struct thread *state = &analysis->threads[thread];

	state->obstacle_count = 0;
	state->obstacles = memory_grow(state->obstacles, &state->obstacle_room,
	    analysis->held_count, sizeof(state->obstacles[0]));
	for (size_t i = 0; i < analysis->held_count; i++) {
		if (analysis->locks[analysis->held[i]].holder != thread)
			state->obstacles[state->obstacle_count++] = analysis->held[i];
	}
}

static bool was_held(const struct thread *thread, uint32_t lock)
{
	for (size_t i = 0; i < thread->obstacle_count; i++) {
		if (thread->obstacles[i] == lock)
			return true;
	}
	return false;
}

static void hold(struct analysis *analysis, struct lock *lock, uint32_t thread, uint64_t now)
{
	lock->acquired_at = now;
	lock->holder = thread;
	lock->held = analysis->held_count++;
	analysis->held = memory_grow(
	    analysis->held, &analysis->held_room, analysis->held_count, sizeof(analysis->held[0]));
	analysis->held[lock->held] = (uint32_t)(lock - analysis->locks);
}

/* The last one of the list takes its place there. */
static void let_go(struct analysis *analysis, struct lock *lock, uint64_t now)
{
	uint32_t last = analysis->held[--analysis->held_count];

	lock->hold += now - lock->acquired_at;
	lock->depth = 0;
	analysis->held[lock->held] = last;
	analysis->locks[last].held = lock->held;
}

void analysis_acquire(struct analysis *analysis, uint32_t thread, uint32_t number, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct frame *frame = waiting_frame(analysis, thread);
	struct lock *lock = find_lock(analysis, thread, number, frame);

	lock->acquisitions++;
	if (frame) {
		if (frame->part.part == PART_WHOLE)
			analysis_end_enter_wait(analysis, thread, frame, now);
		lock->wait += now - frame->entered_at;
		lock->contended += was_held(state, (uint32_t)(lock - analysis->locks));
	}
	state->obstacle_count = 0;
	/* The release has the same time, or a clock that is a little ahead: it is handed over. */
	if (lock->depth > 0 && lock->holder != thread)
		let_go(analysis, lock, now);
	if (lock->depth++ == 0)
		hold(analysis, lock, thread, now);
}

void analysis_release(struct analysis *analysis, uint32_t thread, uint32_t number, uint64_t now)
{
	struct lock *lock = find_lock(analysis, thread, number, NULL);

	if (lock->depth == 0 || lock->holder != thread)
		return; /* handed over before, or taken before the trace began */
	if (lock->depth > 1)
		lock->depth--;
	else
		let_go(analysis, lock, now);
}

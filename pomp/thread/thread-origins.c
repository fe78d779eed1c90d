/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for origins as often as it may, and finds those of tasks, which other threads execute.
 *
 * Who sees what:
 *   origins_of   the creator stores its origins (release); a thread that executes a task loads them
 *                (acquire), perhaps in its signal handler, and sees them complete
 *   task         the creator clears the number, stores the origin, then the number (both release).
 * A reader that finds the number it looks for (acquire) before and after it reads the origin has
 * the one that belongs to it
 *   latest_task  the creator stores it (release) after the origin; any value that a reader loads
 *                (acquire) is an origin of the creator's
 *
 * Where tasks are created so often that not each is noted, one that was not is taken to have been
 * created like the latest noted one of the same creator, if that was of the same construct.
 */
#include "thread-origins.h"

enum {
	APART = 6144,           /* ticks from one search to the next, in the long run ... */
	SAVED = 4096 * APART,   /* ... and how far a thread may be behind */
	TASK_APART = 4 * APART, /* as APART, after a task: each is noted again */
	LOCATIONS = 4096,       /* of threads whose tasks are found */
	MOST_FRAMES = 64,       /* searched for a task */
};

/* By the creator's location, which is in the number of its tasks. */
static _Atomic(struct pomp_origins *) origins_of[LOCATIONS];

/* Set by the tool before the runtime reports the first task. Relaxed: only the address is read. */
static _Atomic(pomp_code_task_frame *) task_frame;

void pomp_thread_find_task_frames_by(pomp_code_task_frame *find)
{
	store_relaxed(&task_frame, find);
}

/*
 * Returns from which stack pointer on frames are outside of the task, which has its own function's
 * frame in the path; 0: it is not known.
 */
static uint64_t limit_of_task(const struct pomp_frame *frame)
{
	pomp_code_task_frame *find = load_relaxed(&task_frame);

	if (frame->task.stack != 0)
		return frame->task.stack + 1;
	return find != NULL ? find(frame->task.number) : 0;
}

const struct pomp_origin *pomp_thread_origin(
    struct pomp_thread *thread, struct pomp_event_place place, uint64_t region, uint64_t now)
{
	uint64_t due = thread->origin_due;

	thread->origin_due = (now - due > SAVED ? now - SAVED : due) + APART;
	if (thread->origins == NULL)
		thread->origins = pomp_origins_new();
	if (thread->origins == NULL)
		return NULL;
	return pomp_origin_find(
	    thread->origins, thread->native_stack, place, pomp_thread_base(thread), region);
}

void pomp_thread_note_task(struct pomp_thread *thread, struct pomp_event_place place,
    uint64_t region, uint64_t task, uint64_t now)
{
	const struct pomp_origin *origin = pomp_thread_origin(thread, place, region, now);

	thread->origin_due += TASK_APART - APART;
	if (origin == NULL)
		return;
	struct pomp_task_origin *slot = &thread->origins->task[task % POMP_ORIGIN_TASKS];
	store_relaxed(&slot->number, 0);
	store_release(&slot->origin, origin);
	store_release(&slot->number, task);
	store_release(&thread->origins->latest_task, origin);
	if (load_relaxed(&origins_of[thread->location % LOCATIONS]) != thread->origins)
		store_release(&origins_of[thread->location % LOCATIONS], thread->origins);
}

/* Returns the origin of a task of that construct. */
static const struct pomp_origin *origin_of_task(uint64_t task, const struct pomp_region *region)
{
	uint64_t creator = (task >> TRACE_LOG_TASK_SHIFT) - 1;
	struct pomp_origins *origins = load_acquire(&origins_of[creator % LOCATIONS]);

	if (origins == NULL)
		return NULL;
	struct pomp_task_origin *slot = &origins->task[task % POMP_ORIGIN_TASKS];
	if (load_acquire(&slot->number) == task) {
		const struct pomp_origin *origin = load_acquire(&slot->origin);
		if (load_relaxed(&slot->number) == task)
			return origin;
	}
	const struct pomp_origin *latest = load_acquire(&origins->latest_task);
	return latest != NULL && region != NULL && latest->region == region->id ? latest : NULL;
}

struct pomp_path_base pomp_thread_base_in_team(const struct pomp_thread *thread)
{
	const struct pomp_origin *origin = thread->origin;
	bool is_own = origin != NULL && origin->owner == thread->origins;

	return (struct pomp_path_base){origin, is_own ? origin->stack_pointer : UINT64_MAX};
}

struct pomp_path_base pomp_thread_base(const struct pomp_thread *thread)
{
	const struct pomp_frame *frame = thread->top;

	for (int i = 0; i < MOST_FRAMES && frame > thread->stack; i++, frame--) {
		if (frame->role == POMP_ROLE_PARALLEL)
			break;
		if (frame->role != POMP_ROLE_TASK)
			continue;
		const struct pomp_origin *origin =
		    origin_of_task(frame->task.number, frame->accumulator->region);
		uint64_t limit = origin != NULL ? limit_of_task(frame) : 0;
		if (limit == 0)
			break;
		return (struct pomp_path_base){origin, limit};
	}
	return pomp_thread_base_in_team(thread);
}

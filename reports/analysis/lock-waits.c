/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks and criticals: how often each was taken, and how long threads waited for it and held it.
 * The wait is the time since the thread entered the critical or the lock routine. An acquisition
 * was contended if another thread held the lock during the wait, that is, if the previous release
 * was later than the enter. libpomp applies the same rule to the same times: events of equal time,
 * which are frequent if a processor's counter advances in large steps, have no order.
 */
#include <stdlib.h>
#include <string.h>

#include "common/summary-figures.h"
#include "memory.h"
#include "pass.h"

/* A critical is named by its construct, a lock by its name in the archive or by its number. */
static char *name_of(const struct analysis *analysis, const struct frame *frame, uint32_t lock)
{
	const struct construct *construct;

	if (!frame || frame->part.part != PART_WHOLE) {
		const char *name = archive_lock_name(analysis->archive, lock);
		return name ? memory_copy_text(name) : memory_print("lock %u", lock);
	}
	construct = &analysis->constructs[frame->part.construct];
	if (construct->begin_line <= 0 && construct->code != SUMMARY_INSTRUMENTED)
		return memory_print("%s %s", construct->name, summary_base_name(construct->file));
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
	/* Each process numbers its own locks. */
	struct map_key key = {number, analysis->archive->locations[thread].group};
	uint64_t index = pair_map_find(&analysis->lock_of, key);

	if (index == MAP_NONE) {
		index = analysis->lock_count++;
		MEMORY_GROW(analysis->locks, analysis->lock_room, analysis->lock_count);
		analysis->locks[index].name = name_of(analysis, frame, number);
		analysis->locks[index].has_name = (frame && frame->part.part == PART_WHOLE) ||
						  archive_lock_name(analysis->archive, number);
		memory_pair_map_set(&analysis->lock_of, key, index);
	}
	return &analysis->locks[index];
}

void analysis_begin_lock_wait(struct analysis *analysis, uint32_t thread)
{
	analysis->threads[thread].lock_wait_since = ++analysis->lock_events;
}

static void end_hold(struct analysis *analysis, struct lock *lock, uint64_t now)
{
	if (analysis_counts_thread(analysis, lock->holder))
		lock->hold += now - lock->acquired_at;
	lock->depth = 0;
	lock->released_since = ++analysis->lock_events;
	lock->released_at = now;
	lock->released_real = analysis->real_time;
}

void analysis_acquire(struct analysis *analysis, uint32_t thread, uint32_t number, uint64_t now)
{
	struct frame *frame = waiting_frame(analysis, thread);
	struct lock *lock = find_lock(analysis, thread, number, frame);

	/*
	 * The holder's release follows later in the stream, at the same time or by a clock that is
	 * slightly ahead: its hold ends here.
	 */
	if (lock->depth > 0 && lock->holder != thread)
		end_hold(analysis, lock, now);
	if (frame)
		analysis_path_acquire(analysis, thread, lock, now);
	if (frame && frame->part.part == PART_WHOLE)
		analysis_end_enter_wait(analysis, thread, frame, now);
	if (analysis_counts_now(analysis, thread)) {
		lock->acquisitions++;
		lock->contended +=
		    frame && lock->released_since > analysis->threads[thread].lock_wait_since &&
		    lock->released_real > frame->entered_real;
	}
	if (frame && analysis_counts_thread(analysis, thread))
		lock->wait += now - frame->entered_at;
	if (lock->depth++ == 0) {
		lock->acquired_at = now;
		lock->holder = thread;
	}
}

void analysis_release(struct analysis *analysis, uint32_t thread, uint32_t number, uint64_t now)
{
	struct lock *lock = find_lock(analysis, thread, number, NULL);

	if (lock->depth == 0 || lock->holder != thread)
		return; /* ended by the next acquisition, or acquired before the trace */
	if (lock->depth > 1)
		lock->depth--;
	else
		end_hold(analysis, lock, now);
}

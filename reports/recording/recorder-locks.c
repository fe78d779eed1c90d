/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks, criticals, and the turns of ordered. The replay determines anew which thread holds a lock
 * when: the first that wants it when it is free. Turns keep their recorded order.
 */
#include "memory.h"
#include "recorder-state.h"

/* NULL if the analysis does not know the lock. */
static struct open_lock *find_lock(struct recorder *recorder, const struct analysis *analysis,
    uint32_t thread, uint32_t number, uint32_t *index)
{
	struct map_key key = {number, analysis->archive->locations[thread].group};
	uint64_t found = pair_map_find(&analysis->lock_of, key);

	if (found == MAP_NONE)
		return NULL;
	*index = (uint32_t)found;
	MEMORY_GROW(recorder->locks, recorder->lock_room, found + 1);
	return &recorder->locks[found];
}

void recorder_acquire(struct recorder *recorder, const struct analysis *analysis, uint32_t thread,
    const struct archive_event *event)
{
	struct place *place = &recorder->places[thread];
	uint32_t index;
	struct open_lock *lock = find_lock(recorder, analysis, thread, event->subject, &index);
	uint64_t wanted = event->time - place->lock_wait;
	bool is_late;

	if (!lock)
		return;
	if (lock->depth > 0 && lock->holder == thread) {
		lock->depth++;
		return;
	}
	is_late = lock->depth > 0 || lock->released_at > wanted;
	if (lock->depth > 0) /* its release follows, at the same time */
		wanted = event->time;
	else if (is_late)
		wanted = lock->released_at;
	strand_add(recorder->recording, place->strand, is_late ? ACTION_LOCK_LATE : ACTION_LOCK,
	    index, event->time - wanted);
	*(is_late ? &lock->late_sum : &lock->free_sum) += event->time - wanted;
	*(is_late ? &lock->late_count : &lock->free_count) += 1;
	lock->holder = thread;
	lock->depth = 1;
	lock->construct = place->construct;
	place->lock_wait = 0;
}

void recorder_finish_locks(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	recording->locks = memory_new(recording->lock_count, sizeof(recording->locks[0]));
	for (size_t i = 0; i < recording->lock_count; i++) {
		struct recorded_lock *lock = &recording->locks[i];
		const struct open_lock *open = &recorder->locks[i];

		lock->construct = RECORDED_NONE;
		if (i >= recorder->lock_room)
			continue;
		lock->construct = open->construct;
		if (open->free_count > 0)
			lock->free_cost = open->free_sum / open->free_count;
		lock->late_cost =
		    open->late_count > 0 ? open->late_sum / open->late_count : lock->free_cost;
		if (open->free_count == 0)
			lock->free_cost = 0;
	}
}

void recorder_release(struct recorder *recorder, const struct analysis *analysis, uint32_t thread,
    const struct archive_event *event)
{
	struct place *place = &recorder->places[thread];
	uint32_t index;
	struct open_lock *lock = find_lock(recorder, analysis, thread, event->subject, &index);

	if (!lock)
		return;
	if (lock->depth > 0 && lock->holder == thread) {
		if (--lock->depth > 0)
			return;
		lock->released_at = event->time;
	}
	strand_add(recorder->recording, place->strand, ACTION_UNLOCK, index, 0);
}

static struct map_key turns_of(
    const struct recorder *recorder, const struct place *place, uint32_t construct)
{
	return (struct map_key){construct, recorder->strands[place->strand].team};
}

void recorder_enter_turn(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now)
{
	struct map_key key = turns_of(recorder, place, construct);
	uint64_t signal = pair_map_find(&recorder->turn_of, key), given;

	if (signal == MAP_NONE)
		return;
	given = pair_map_find(&recorder->turned_at, key);
	if (given < now - place->lock_wait)
		given = now - place->lock_wait;
	strand_add(recorder->recording, place->strand, ACTION_AWAIT, (uint32_t)signal,
	    now > given ? now - given : 0);
	place->lock_wait = 0;
}

void recorder_leave_turn(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now)
{
	struct map_key key = turns_of(recorder, place, construct);
	uint32_t signal = recorder_new_signal(recorder, 1);

	strand_add(recorder->recording, place->strand, ACTION_SIGNAL, signal, 0);
	memory_pair_map_set(&recorder->turn_of, key, signal);
	memory_pair_map_set(&recorder->turned_at, key, now);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's accumulators, found by the region's number. They are in chunks. The first chunks are
 * part of the thread's block; a later chunk is allocated at the first event in one of its regions.
 * A chunk never moves, so events need no lock. The array of chunks does move, but only under the
 * process lock, which other threads hold to read it.
 */
#include "accumulator.h"

#include "lasting-memory.h"
#include "process-state.h"
#include "region-filter.h"
#include "shared/precondition.h"

#include <string.h>

static bool give_figures(struct pomp_accumulator *chunk)
{
	size_t count = POMP_FIGURES + pomp_metrics.count;
	_Atomic uint64_t *figures = pomp_lasting_memory(POMP_CHUNK_SIZE * count * sizeof(*figures));

	for (size_t i = 0; figures != NULL && i < POMP_CHUNK_SIZE; i++)
		chunk[i].figures = figures + i * count;
	return figures != NULL;
}

/*
 * Returns a chunk: the first ones are in the thread's block, a later one is allocated. NULL when
 * memory ran out.
 */
static struct pomp_accumulator *chunk_new(struct pomp_thread *thread, size_t number)
{
	bool first = number < POMP_FIRST_REGIONS / POMP_CHUNK_SIZE;
	struct pomp_accumulator *chunk =
	    first ? thread->first + number * POMP_CHUNK_SIZE
		  : pomp_lasting_memory(POMP_CHUNK_SIZE * sizeof(*chunk));

	return chunk != NULL && give_figures(chunk) ? chunk : NULL;
}

/* The array's room is a power of two: the least that is not below its length. */
static size_t room_for(size_t count)
{
	size_t room = 1;

	while (room < count)
		room *= 2;
	return room;
}

/* Makes room for `count` chunks where `old` are; events compare only region_limit. */
static bool make_room(struct pomp_thread *thread, size_t old, size_t count)
{
	size_t room = room_for(count);
	struct pomp_accumulator **chunk;

	if (thread->chunk != NULL && room == room_for(old))
		return true;
	chunk = pomp_lasting_memory(room * sizeof(struct pomp_accumulator *));
	if (chunk == NULL)
		return false;
	if (thread->chunk != NULL)
		memcpy(chunk, thread->chunk, old * sizeof(struct pomp_accumulator *));
	thread->chunk = chunk;
	return true;
}

/* Gives the thread chunks for all ids up to `id`. */
static bool grow_chunks(struct pomp_thread *thread, uint64_t id)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	size_t old = thread->region_limit >> POMP_CHUNK_SHIFT;
	size_t count = (id >> POMP_CHUNK_SHIFT) + 1;

	if (!make_room(thread, old, count))
		return false;
	struct pomp_accumulator **chunk = thread->chunk;
	for (; old < count; old++) {
		chunk[old] = chunk_new(thread, old);
		if (chunk[old] == NULL)
			return false;
		thread->region_limit = (old + 1) << POMP_CHUNK_SHIFT;
	}
	return true;
}

/*
 * Tasks of a region that was left out at some time are never plain again: one that was created then
 * may still wait to begin.
 */
void pomp_accumulator_filter(struct pomp_accumulator *sums)
{
	CHECK(sums->depth == 0, "the region is not open");

	const struct pomp_region *region = sums->region;
	uint64_t filter = load_relaxed(&region->filter);

	sums->filtered = filter == 0                 ? POMP_FILTERED_NOTHING
			 : filter == POMP_FILTER_ALL ? POMP_FILTERED_ALL
						     : POMP_FILTERED_BRIEF;
	sums->is_stale = false;
	sums->plain = filter == 0 &&
		      !(region->kind == CONSTRUCT_KIND_TASK && load_relaxed(&region->was_left_out));
}

void pomp_accumulators_are_stale(struct pomp_thread *thread)
{
	for (uint64_t id = 1; id < thread->region_limit; id++) {
		struct pomp_accumulator *sums =
		    &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
		/* What is never left out stays on the fast path. */
		if (sums->region == NULL || sums->kind == CONSTRUCT_KIND_PARALLEL)
			continue;
		sums->plain = false;
		sums->is_stale = true;
	}
}

struct pomp_accumulator *pomp_thread_accumulator_slow(struct pomp_thread *thread, uint64_t id)
{
	CHECK(thread == pomp_self, "only the owner takes an accumulator");

	struct pomp_accumulator *found = &thread->none;

	pomp_lock_process();
	struct pomp_region *region = pomp_region_find(id);
	bool has_chunk = id < thread->region_limit || grow_chunks(thread, id);
	if (!has_chunk)
		pomp_out_of_memory("a thread's sums");
	if (region != NULL && has_chunk) {
		found = &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
		found->lock = region->lock;
		found->kind = region->kind;
		found->region = region;
		pomp_accumulator_filter(found);
	}
	pomp_unlock_process();
	return found;
}

struct pomp_accumulator *pomp_thread_find(const struct pomp_thread *thread, uint64_t id)
{
	if (id >= thread->region_limit)
		return NULL;
	struct pomp_accumulator *found =
	    &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
	return found->region != NULL ? found : NULL;
}

void pomp_thread_clear(struct pomp_thread *thread)
{
	for (uint64_t id = 1; id < thread->region_limit; id++) {
		struct pomp_accumulator *sums =
		    &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
		struct pomp_region *region = sums->region;
		if (region == NULL) /* never used */
			continue;
		_Atomic uint64_t *figures = sums->figures;
		uint64_t depth = sums->depth;
		uint8_t filtered = sums->filtered;
		memset(sums, 0, sizeof(*sums));
		sums->region = region;
		sums->lock = region->lock;
		sums->kind = region->kind;
		sums->figures = figures;
		sums->depth = depth;
		sums->filtered = filtered;
		sums->is_stale = true;
		if (depth == 0)
			pomp_accumulator_filter(sums);
		for (unsigned i = 0; figures != NULL && i < POMP_FIGURES + pomp_metrics.count; i++)
			store_relaxed(&figures[i], 0);
	}
	thread->calls = 0;
	thread->lost_events = 0;
	thread->untraced_events = 0;
	thread->more_events = 0;
	thread->waited = 0;
	thread->managed = 0;
	thread->management = 0;
	thread->useful = 0;
	thread->mpi = 0;
	thread->in_parallel = 0;
	thread->serial_mpi = 0;
	thread->imbalance = 0;
	thread->held = 0;
	memset(thread->figures, 0, sizeof(thread->figures));
	memset(thread->serial, 0, sizeof(thread->serial));
}

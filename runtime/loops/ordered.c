/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ordered regions and doacross loops: waiting for iterations that other members execute.
 *
 * Who sees what:
 *   turn      the first iteration of the chunk whose ordered regions may execute. Sequential store
 *             by the member that has the turn, pairs with the acquire of the next one, which
 *             thereby sees all that the earlier ordered regions wrote
 *   posts     by chunk, how many of its iterations have been posted. Sequential store by the member
 *             that executes the chunk, pairs with the acquire of members that wait for one of them
 * Both stores are sequential because a look for sleepers follows. In a cancelled region all waits
 * end.
 */
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "message.h"
#include "shared/array.h"
#include "shared/precondition.h"
#include "team.h"
#include "tsan.h"
#include "wait-note.h"

/* Waits until *word is at least `value`, which is the case after that iteration. */
static void wait_for(struct rt_thread *self, struct rt_workshare *share, _Atomic uint64_t *word,
    uint64_t value, uint64_t iteration)
{
	struct rt_spin spin;

	if (load_acquire(word) < value) {
		struct rt_waiting outer;
		rt_waiting_begin(self, &outer, RT_WAITING_ORDERED, word, value, iteration);
		spin = rt_spin_begin(load_relaxed(&self->team->shortage));
		while (load_acquire(word) < value && load_acquire(&self->team->cancelled) == 0) {
			uint32_t ticket;
			if (rt_spin_again(&spin))
				continue;
			ticket = rt_event_announce(&share->event);
			if (load_sequential(word) >= value ||
			    load_sequential(&self->team->cancelled) != 0)
				rt_event_withdraw(&share->event);
			else
				rt_event_sleep(&share->event, ticket);
		}
		rt_waiting_end(self, &outer);
	}
	rt_tsan_acquire(word);
}

static void advance(struct rt_workshare *share, _Atomic uint64_t *word, uint64_t value)
{
	rt_tsan_release(word);
	store_sequential(word, value);
	rt_event_notify(&share->event);
}

void rt_ordered_begin(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if ((loop->unusual & RT_LOOP_ORDERED) && loop->share != NULL && loop->ordered_done == 0)
		wait_for(self, loop->share, &loop->share->turn, loop->low, loop->low - 1);
}

/*
 * After as many ordered regions as the chunk has iterations, no more can follow, so the next chunk
 * may begin its own.
 */
void rt_ordered_end(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (!(loop->unusual & RT_LOOP_ORDERED) || loop->share == NULL)
		return;
	if (++loop->ordered_done != loop->high - loop->low || loop->turn_passed)
		return;
	advance(loop->share, &loop->share->turn, loop->high);
	loop->turn_passed = true;
}

uintptr_t rt_ordered_wait_id(const struct rt_thread *self)
{
	const struct rt_loop *loop = &self->member->loop;

	return loop->share != NULL ? (uintptr_t)&loop->share->turn : (uintptr_t)loop;
}

void rt_ordered_leave_chunk(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (loop->turn_passed || loop->share == NULL)
		return;
	if (loop->ordered_done == 0)
		wait_for(self, loop->share, &loop->share->turn, loop->low, loop->low - 1);
	advance(loop->share, &loop->share->turn, loop->high);
	loop->turn_passed = true;
}

/*
 * Returns the word of `posts` to which an outer iteration belongs, and the first iteration of that
 * word. Guided chunks have no fixed bounds, so each iteration has its own word.
 */
static uint64_t post_index(
    const struct rt_loop *loop, uint32_t size, uint64_t outer, uint64_t *first)
{
	uint64_t chunk = loop->args.chunk, each, rest, index;

	if (loop->args.kind == RT_LOOP_GUIDED)
		chunk = 1;
	if (chunk != 0) {
		*first = outer / chunk * chunk;
		return outer / chunk;
	}
	each = loop->args.count / size;
	rest = loop->args.count % size;
	index = outer < rest * (each + 1) ? outer / (each + 1)
					  : rest + (outer - rest * (each + 1)) / each;
	*first = index * each + (index < rest ? index : rest);
	return index;
}

static uint64_t post_words(const struct rt_loop *loop, uint32_t size)
{
	uint64_t chunk = loop->args.kind == RT_LOOP_GUIDED ? 1 : loop->args.chunk;

	return chunk == 0 ? size : loop->args.count / chunk + 1;
}

static _Noreturn void out_of_memory(const struct rt_loop *loop)
{
	rt_fatal("no memory for an ordered loop of %lu iterations; the program ends here",
	    (unsigned long)loop->args.count);
}

void rt_doacross_begin(struct rt_thread *self, uint32_t dimensions, const uint64_t *extents)
{
	struct rt_loop *loop = &self->member->loop;

	if (!ARRAY_ROOM(loop->extents, 0, loop->extents_room, dimensions))
		out_of_memory(loop);
	memcpy(loop->extents, extents, dimensions * sizeof(*extents));
	loop->sure = 0; /* keeps loop.low and loop.high right for debuggers */
	loop->dimensions = dimensions;
}

void rt_doacross_prepare(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (self->team->size == 1 || loop->dimensions == 0)
		return;
	CHECK(loop->share != NULL, "the loop has its slot");
	loop->share->posts =
	    calloc(post_words(loop, self->team->size), sizeof(*loop->share->posts));
	if (loop->share->posts == NULL)
		out_of_memory(loop);
}

/* Returns the word, and the value that it has once the iteration is posted. */
static _Atomic uint64_t *find_post(
    struct rt_thread *self, const uint64_t *iteration, uint64_t *value)
{
	const struct rt_loop *loop = &self->member->loop;
	uint64_t first, index = post_index(loop, self->team->size, iteration[0], &first);
	uint64_t linear = iteration[0] - first;

	for (uint32_t i = 1; i < loop->dimensions; i++)
		linear = linear * loop->extents[i] + iteration[i];
	*value = linear + 1;
	return &loop->share->posts[index];
}

void rt_doacross_post(struct rt_thread *self, const uint64_t *iteration)
{
	struct rt_loop *loop = &self->member->loop;
	uint64_t value;

	if (self->team->size > 1 && loop->dimensions != 0) {
		_Atomic uint64_t *word = find_post(self, iteration, &value);
		advance(loop->share, word, value);
	}
}

void rt_doacross_wait(struct rt_thread *self, const uint64_t *iteration)
{
	struct rt_loop *loop = &self->member->loop;
	uint64_t value;

	if (self->team->size > 1 && loop->dimensions != 0) {
		_Atomic uint64_t *word = find_post(self, iteration, &value);
		wait_for(self, loop->share, word, value, iteration[0]);
	}
}

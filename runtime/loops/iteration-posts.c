/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One bit for each iteration, in the order in which one thread would execute them.
 *
 * Who sees what:
 *   posts     the member that has executed an iteration sets its bit by a sequential operation,
 *             because it then looks for sleepers; pairs with the acquire of the members that wait
 *             for it, which see all that the member wrote. In a cancelled region all waits end
 */
#include "iteration-posts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "message.h"
#include "shared/array.h"
#include "team.h"
#include "tsan.h"
#include "wait-note.h"

enum { BITS = 64 };

static _Noreturn void out_of_memory(void)
{
	rt_fatal("no memory for what the iterations of an ordered loop wait for; the program ends "
		 "here");
}

static uint64_t count_of(const struct rt_range *range)
{
	uint64_t lower = (uint64_t)range->lower, upper = (uint64_t)range->upper;
	uint64_t step = (uint64_t)range->step;

	if (range->step > 0)
		return range->upper < range->lower ? 0 : (upper - lower) / step + 1;
	return range->upper > range->lower ? 0 : (lower - upper) / -step + 1;
}

/* Makes the posts of all iterations; called by the first member. */
static void make_posts(struct rt_workshare *share, const struct rt_iteration_posts *posts)
{
	uint64_t bits = 1;

	for (uint32_t i = 0; i < posts->dimensions; i++) {
		if (__builtin_mul_overflow(bits, posts->extents[i].count, &bits))
			out_of_memory();
	}
	/* For ThreadSanitizer each iteration has an address of its own. */
	if (rt_tsan_is_present() && __builtin_mul_overflow(bits, CHAR_BIT, &bits))
		out_of_memory();
	share->posts = calloc(bits / BITS + 1, sizeof(*share->posts));
	if (share->posts == NULL)
		out_of_memory();
}

void rt_iteration_posts_begin(
    struct rt_thread *self, uint32_t dimensions, const struct rt_range *ranges)
{
	struct rt_iteration_posts *posts = &self->member->loop.iteration_posts;

	if (!ARRAY_ROOM(posts->extents, 0, posts->room, dimensions))
		out_of_memory();
	for (uint32_t i = 0; i < dimensions; i++)
		posts->extents[i] = (struct rt_extent){
		    ranges[i].lower, ranges[i].step, count_of(&ranges[i]), count_of(&ranges[i])};
	posts->dimensions = dimensions;
	posts->share = NULL;
	if (self->team->size == 1)
		return;
	posts->share = rt_workshare_keep(self, &posts->serial);
	if (rt_workshare_prepare(self, posts->share)) {
		make_posts(posts->share, posts);
		rt_workshare_prepared(posts->share);
	}
}

/* Is `count` the product of the outermost dimensions (one or more), each reduced by `less`? */
static bool is_product(const struct rt_iteration_posts *posts, uint64_t less, uint64_t count)
{
	uint64_t product = 1;

	for (uint32_t i = 0; i < posts->dimensions && product < count; i++)
		product *= posts->extents[i].count - less;
	return product == count;
}

void rt_iteration_posts_count(struct rt_thread *self, uint64_t count)
{
	struct rt_iteration_posts *posts = &self->member->loop.iteration_posts;

	if (count == 0 || is_product(posts, 0, count) || !is_product(posts, 1, count))
		return;
	for (uint32_t i = 0; i < posts->dimensions; i++)
		posts->extents[i].used = posts->extents[i].count - 1;
}

/* Finds the iteration's number. False: the loop does not have this iteration. */
static inline bool find(
    const struct rt_iteration_posts *posts, const int64_t *iteration, uint64_t *number)
{
	*number = 0;
	for (uint32_t i = 0; i < posts->dimensions; i++) {
		const struct rt_extent *extent = &posts->extents[i];
		uint64_t distance = (uint64_t)iteration[i] - (uint64_t)extent->lower;
		if (extent->step != 1) {
			if (extent->step < 0 ? iteration[i] > extent->lower
					     : iteration[i] < extent->lower)
				return false;
			distance = extent->step < 0 ? -distance / -(uint64_t)extent->step
						    : distance / (uint64_t)extent->step;
		}
		if (distance >= extent->used)
			return false;
		*number = *number * extent->count + distance;
	}
	return true;
}

/* The iteration's address for ThreadSanitizer. */
static void *place_of(struct rt_workshare *share, uint64_t number)
{
	return (char *)share->posts + number;
}

void rt_iteration_posts_post(struct rt_thread *self, const int64_t *iteration)
{
	const struct rt_iteration_posts *posts = &self->member->loop.iteration_posts;
	struct rt_workshare *share = posts->share;
	uint64_t number;

	if (share == NULL || !find(posts, iteration, &number))
		return;
	rt_tsan_release(place_of(share, number));
	or_sequential(&share->posts[number / BITS], UINT64_C(1) << number % BITS);
	rt_event_notify(&share->event);
}

/*
 * For debuggers the wait lasts until all bits of the word are set, since one bit is no number to
 * wait for.
 */
static void wait_for(struct rt_thread *self, struct rt_workshare *share, _Atomic uint64_t *word,
    uint64_t bit, uint64_t iteration)
{
	struct rt_waiting outer;
	struct rt_spin spin;

	rt_waiting_begin(self, &outer, RT_WAITING_ORDERED, word, UINT64_MAX, iteration);
	spin = rt_spin_begin(load_relaxed(&self->team->shortage));
	while ((load_acquire(word) & bit) == 0 && load_acquire(&self->team->cancelled) == 0) {
		uint32_t ticket;
		if (rt_spin_again(&spin))
			continue;
		ticket = rt_event_announce(&share->event);
		if ((load_sequential(word) & bit) != 0 ||
		    load_sequential(&self->team->cancelled) != 0)
			rt_event_withdraw(&share->event);
		else
			rt_event_sleep(&share->event, ticket);
	}
	rt_waiting_end(self, &outer);
}

void rt_iteration_posts_wait(struct rt_thread *self, const int64_t *iteration)
{
	const struct rt_iteration_posts *posts = &self->member->loop.iteration_posts;
	struct rt_workshare *share = posts->share;
	_Atomic uint64_t *word;
	uint64_t number, bit;

	if (share == NULL || !find(posts, iteration, &number))
		return;
	word = &share->posts[number / BITS];
	bit = UINT64_C(1) << number % BITS;
	if ((load_acquire(word) & bit) == 0)
		wait_for(self, share, word, bit, (uint64_t)iteration[0]);
	rt_tsan_acquire(place_of(share, number));
}

void rt_iteration_posts_end(struct rt_thread *self)
{
	struct rt_iteration_posts *posts = &self->member->loop.iteration_posts;

	posts->dimensions = 0;
	if (posts->share != NULL)
		rt_workshare_leave_kept(self, posts->share, posts->serial);
	posts->share = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three tables that only grow: calls with their paths, places, and how often a call was seen at a
 * place. A thread adds to them at most once in a long interval in which it was blocked, so they are
 * searched from one end to the other. They are not allocated: memory that is allocated in the
 * middle of a run stays on top of the program's heap, which then no longer shrinks and grows as it
 * did.
 */
#include "blocked-calls.h"

#include "thread-log.h"

#include <pthread.h>
#include <string.h>

/* More are not distinguished: they count as not seen. */
enum { MOST_SITES = 4096, MOST_PLACES = 4096, MOST_COUNTS = 8192 };

static struct {
	pthread_mutex_t lock;
	struct pomp_blocked_call sites[MOST_SITES];
	struct pomp_blocked_place places[MOST_PLACES];
	struct pomp_blocked_count counts[MOST_COUNTS];
	size_t site_count, place_count, count_count;
	bool observed;
} blocked = {.lock = PTHREAD_MUTEX_INITIALIZER};

void pomp_blocked_begin(struct pomp_thread *thread)
{
	thread->observed = pomp_observer_join(thread->observed_before);
	if (thread->observed == NULL)
		return;
	thread->observed_before = thread->observed;
	blocked.observed = true;
}

void pomp_blocked_end(struct pomp_thread *thread)
{
	pomp_observer_leave(thread->observed);
	thread->observed = NULL;
}

void pomp_blocked_forget(struct pomp_thread *thread)
{
	struct pomp_blocked_call calls[POMP_BLOCKED_CALLS];

	pomp_observer_take(thread->observed, calls);
}

/* Returns the index, SIZE_MAX: there is no room. Lock held. */
static size_t find_place(uint64_t region, bool is_serial)
{
	for (size_t i = 0; i < blocked.place_count; i++)
		if (blocked.places[i].region == region && blocked.places[i].is_serial == is_serial)
			return i;
	if (blocked.place_count == MOST_PLACES)
		return SIZE_MAX;
	blocked.places[blocked.place_count] =
	    (struct pomp_blocked_place){.region = region, .is_serial = is_serial};
	return blocked.place_count++;
}

/* The same for a call. Lock held. */
static size_t find_site(const struct pomp_blocked_call *call)
{
	size_t bytes = call->depth * sizeof(call->address[0]);

	for (size_t i = 0; i < blocked.site_count; i++) {
		const struct pomp_blocked_call *known = &blocked.sites[i];
		if (known->number == call->number && known->depth == call->depth &&
		    memcmp(known->address, call->address, bytes) == 0)
			return i;
	}
	if (blocked.site_count == MOST_SITES)
		return SIZE_MAX;
	blocked.sites[blocked.site_count] = *call;
	return blocked.site_count++;
}

/* The same for a call at a place. Lock held. */
static size_t find_count(uint32_t site, uint32_t place)
{
	for (size_t i = 0; i < blocked.count_count; i++)
		if (blocked.counts[i].site == site && blocked.counts[i].place == place)
			return i;
	if (blocked.count_count == MOST_COUNTS)
		return SIZE_MAX;
	blocked.counts[blocked.count_count] =
	    (struct pomp_blocked_count){.site = site, .place = place};
	return blocked.count_count++;
}

/* Counts a call at a place. Returns its number in the log, 0: there is no room. Lock held. */
static size_t count_call(size_t place, const struct pomp_blocked_call *call)
{
	size_t site = find_site(call);
	size_t count = site != SIZE_MAX ? find_count((uint32_t)site, (uint32_t)place) : SIZE_MAX;

	if (count == SIZE_MAX)
		return 0;
	blocked.counts[count].looks += call->looks;
	blocked.places[place].looks += call->looks;
	return site + 1;
}

void pomp_blocked_add(
    struct pomp_thread *thread, const struct pomp_frame *frame, uint64_t ticks, uint64_t begin)
{
	struct pomp_blocked_call calls[POMP_BLOCKED_CALLS];
	size_t numbers[POMP_BLOCKED_CALLS] = {0};
	size_t count = pomp_observer_take(thread->observed, calls);
	const struct pomp_region *region = frame->accumulator->region;

	pthread_mutex_lock(&blocked.lock);
	size_t place = find_place(region != NULL ? region->id : 0, thread->team == NULL);
	if (place != SIZE_MAX)
		blocked.places[place].ticks += ticks;
	for (size_t i = 0; place != SIZE_MAX && i < count; i++)
		if (calls[i].last >= begin)
			numbers[i] = count_call(place, &calls[i]);
	pthread_mutex_unlock(&blocked.lock);
	for (size_t i = 0; i < count; i++)
		if (numbers[i] != 0)
			pomp_event_log_blocked(thread, thread->time, numbers[i], calls[i].looks);
}

void pomp_blocked_after_fork(void)
{
	/* Another thread of the parent may have held the lock, with the tables half changed. */
	blocked.site_count = blocked.place_count = blocked.count_count = 0;
	blocked.observed = false;
	pthread_mutex_init(&blocked.lock, NULL);
}

struct pomp_blocked pomp_blocked(void)
{
	return (struct pomp_blocked){.sites = blocked.sites,
	    .site_count = blocked.site_count,
	    .places = blocked.places,
	    .place_count = blocked.place_count,
	    .counts = blocked.counts,
	    .count_count = blocked.count_count,
	    .observed = blocked.observed};
}

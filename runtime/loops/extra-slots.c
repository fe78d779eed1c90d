/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The constructs that members are in have consecutive numbers, so a ring as long as the distance
 * between the first and the last member holds each at the position of its number.
 */
#include "extra-slots.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "shared/precondition.h"

enum {
	FIRST_CAPACITY = 16,
	KEPT_CAPACITY = 1024, /* a longer ring is freed when it is empty */
};

static struct rt_workshare **place_of(const struct rt_extra_slots *extras, uint32_t serial)
{
	return &extras->places[serial & (extras->capacity - 1)];
}

struct rt_workshare *rt_extra_find(const struct rt_extra_slots *extras, uint32_t serial)
{
	struct rt_workshare *slot = extras->capacity != 0 ? *place_of(extras, serial) : NULL;

	return slot != NULL && load_relaxed(&slot->serial) == serial ? slot : NULL;
}

/* False: two of the slots would have the same position. */
static bool move_to(const struct rt_extra_slots *old, struct rt_extra_slots *wider)
{
	for (uint32_t i = 0; i < old->capacity; i++) {
		struct rt_workshare *slot = old->places[i], **place;
		if (slot == NULL)
			continue;
		place = place_of(wider, (uint32_t)load_relaxed(&slot->serial));
		if (*place != NULL)
			return false;
		*place = slot;
	}
	return true;
}

static _Noreturn void no_memory(void)
{
	rt_fatal("no memory for a work-sharing construct; the program ends here");
}

/*
 * Widens the ring until the position of `serial` is free. Numbers are 32 bits wide, so a ring of
 * 2^32 would always do.
 */
static void widen(struct rt_extra_slots *extras, uint32_t serial)
{
	struct rt_extra_slots wider = *extras;

	do {
		if (wider.places != extras->places)
			free(wider.places);
		wider.capacity = wider.capacity != 0 ? wider.capacity * 2 : FIRST_CAPACITY;
		wider.places = calloc(wider.capacity, sizeof(*wider.places));
		if (wider.capacity == 0 || wider.places == NULL)
			no_memory();
	} while (!move_to(extras, &wider) || *place_of(&wider, serial) != NULL);
	free(extras->places);
	*extras = wider;
}

struct rt_workshare *rt_extra_new(struct rt_extra_slots *extras, uint32_t serial)
{
	CHECK(rt_extra_find(extras, serial) == NULL, "the construct has no slot");

	struct rt_workshare *slot = aligned_alloc(PROCESSOR_APART, sizeof(*slot));

	if (slot == NULL)
		no_memory();
	memset(slot, 0, sizeof(*slot));
	store_relaxed(&slot->serial, serial);
	slot->is_extra = true;
	if (extras->capacity == 0 || *place_of(extras, serial) != NULL)
		widen(extras, serial);
	*place_of(extras, serial) = slot;
	extras->count++;
	return slot;
}

static void free_ring(struct rt_extra_slots *extras)
{
	free(extras->places);
	*extras = (struct rt_extra_slots){0};
}

void rt_extra_free(struct rt_extra_slots *extras, uint32_t serial)
{
	CHECK(rt_extra_find(extras, serial) != NULL, "the construct has a slot");

	struct rt_workshare **place = place_of(extras, serial);

	free(*place);
	*place = NULL;
	extras->count--;
	if (extras->count == 0 && extras->capacity > KEPT_CAPACITY)
		free_ring(extras);
}

void rt_extra_free_all(struct rt_extra_slots *extras)
{
	for (uint32_t i = 0; i < extras->capacity; i++) {
		struct rt_workshare *slot = extras->places[i];
		if (slot == NULL)
			continue;
		free(slot->memory);
		free(slot->posts);
		free(slot);
	}
	free_ring(extras);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Circular lists by key. Empty queues are removed from the map: there may be as many tags as
 * messages.
 */
#include "keyed-queues.h"
#include "memory.h"

void channels_put(struct channels *channels, struct map_key key, struct channel_item *item)
{
	uint64_t found = pair_map_find(&channels->last, key);
	struct channel_item *last = (struct channel_item *)(uintptr_t)found;

	if (found == MAP_NONE) {
		item->next = item;
	} else {
		item->next = last->next;
		last->next = item;
	}
	memory_pair_map_set(&channels->last, key, (uintptr_t)item);
}

static struct channel_item *last_of(const struct channels *channels, struct map_key key)
{
	uint64_t found = pair_map_find(&channels->last, key);

	return found == MAP_NONE ? NULL : (struct channel_item *)(uintptr_t)found;
}

/* Takes out the item after `before`, which may be the same item. */
static struct channel_item *take_behind(struct channels *channels, struct map_key key,
    const struct channel_item *last, struct channel_item *before)
{
	struct channel_item *item = before->next;

	if (item == before)
		pair_map_erase(&channels->last, key);
	else if (item == last)
		memory_pair_map_set(&channels->last, key, (uintptr_t)before);
	before->next = item->next;
	return item;
}

struct channel_item *channels_take(struct channels *channels, struct map_key key)
{
	struct channel_item *last = last_of(channels, key);

	return last ? take_behind(channels, key, last, last) : NULL;
}

struct channel_item *channels_take_fitting(struct channels *channels, struct map_key key,
    bool (*fits)(const struct channel_item *item, const void *wanted), const void *wanted)
{
	struct channel_item *last = last_of(channels, key), *before = last;

	if (!last)
		return NULL;
	do {
		if (fits(before->next, wanted))
			return take_behind(channels, key, last, before);
		before = before->next;
	} while (before != last);
	return take_behind(channels, key, last, last);
}

void channels_drain(struct channels *channels,
    void (*consume)(void *context, struct channel_item *item), void *context)
{
	const struct pair_map *all = &channels->last;

	for (size_t at = pair_map_used(all, 0); at != MAP_END; at = pair_map_used(all, at + 1)) {
		struct channel_item *last =
		    (struct channel_item *)(uintptr_t)pair_map_value(all, at);
		struct channel_item *item = last->next, *next;

		do {
			next = item->next;
			consume(context, item);
		} while (item != last && (item = next));
	}
	pair_map_free(&channels->last);
}

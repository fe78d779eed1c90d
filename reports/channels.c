/* SPDX-License-Identifier: BSD-3-Clause */
/* See channels.h. A queue that runs empty leaves the map: tags may be as many as messages. */
#include "channels.h"

void channels_put(struct channels *channels, struct map_key key, struct channel_item *item)
{
	uint64_t found = map_find(&channels->last, key);
	struct channel_item *last = (struct channel_item *)(uintptr_t)found;

	if (found == MAP_NONE) {
		item->next = item;
	} else {
		item->next = last->next;
		last->next = item;
	}
	map_set(&channels->last, key, (uintptr_t)item);
}

struct channel_item *channels_take(struct channels *channels, struct map_key key)
{
	uint64_t found = map_find(&channels->last, key);
	struct channel_item *last, *first;

	if (found == MAP_NONE)
		return NULL;
	last = (struct channel_item *)(uintptr_t)found;
	first = last->next;
	if (first == last)
		map_erase(&channels->last, key);
	else
		last->next = first->next;
	return first;
}

void channels_drain(struct channels *channels,
    void (*consume)(void *context, struct channel_item *item), void *context)
{
	for (size_t i = 0; i < channels->last.capacity; i++) {
		struct channel_item *last, *item, *next;

		if (channels->last.slots[i].value == MAP_NONE)
			continue;
		last = (struct channel_item *)(uintptr_t)channels->last.slots[i].value;
		item = last->next;
		do {
			next = item->next;
			consume(context, item);
		} while (item != last && (item = next));
	}
	map_free(&channels->last);
}

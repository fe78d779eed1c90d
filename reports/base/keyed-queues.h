/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages in transit: queues of sends or receives whose counterpart has not been seen yet, one
 * queue for each communicator, sender, receiver and tag. MPI keeps the order within a queue: the
 * first message sent is the first received. The caller owns the items; each begins with a struct
 * channel_item.
 */
#ifndef KEYED_QUEUES_H
#define KEYED_QUEUES_H

#include "shared/hash-map.h"

struct channel_item {
	struct channel_item *next; /* circular: the first follows the last */
};

struct channels {
	struct pair_map last; /* for each queue that is not empty, its last item */
};

/* Indices of the communicator and of the two processes. */
static inline struct map_key channel_key(
    uint32_t comm, uint32_t sender, uint32_t receiver, uint32_t tag)
{
	return (struct map_key){(uint64_t)comm << 32 | tag, (uint64_t)sender << 32 | receiver};
}

void channels_put(struct channels *channels, struct map_key key, struct channel_item *item);

/* Takes the first item; NULL if the queue is empty. */
struct channel_item *channels_take(struct channels *channels, struct map_key key);

/* Takes the first item that fits, or else the first one; NULL if the queue is empty. */
struct channel_item *channels_take_fitting(struct channels *channels, struct map_key key,
    bool (*fits)(const struct channel_item *item, const void *wanted), const void *wanted);

/* Takes out all remaining items, in no particular order, and frees the queues' memory. */
void channels_drain(struct channels *channels,
    void (*consume)(void *context, struct channel_item *item), void *context);

#endif

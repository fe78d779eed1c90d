/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages in transit: queues of sends or receives whose other half was not seen yet, one for each
 * communicator, sender, receiver and tag. MPI keeps the order within one, so the first to be sent
 * is the first to be received. The caller owns the items, which have a struct channel_item as first
 * member.
 */
#ifndef CHANNELS_H
#define CHANNELS_H

#include "shared/hash-map.h"

struct channel_item {
	struct channel_item *next; /* circular: the first follows the last */
};

struct channels {
	struct pair_map last; /* of each queue that is not empty: its last item */
};

/* Indices of the communicator and of the two processes. */
static inline struct map_key channel_key(
    uint32_t comm, uint32_t sender, uint32_t receiver, uint32_t tag)
{
	return (struct map_key){(uint64_t)comm << 32 | tag, (uint64_t)sender << 32 | receiver};
}

void channels_put(struct channels *channels, struct map_key key, struct channel_item *item);

/* The first one, which leaves the queue; NULL when it is empty. */
struct channel_item *channels_take(struct channels *channels, struct map_key key);

/* Takes the first one that fits, or else the first one; NULL when it is empty. */
struct channel_item *channels_take_fitting(struct channels *channels, struct map_key key,
    bool (*fits)(const struct channel_item *item, const void *wanted), const void *wanted);

/* Takes out all that is left, in no particular order, and frees the memory of the queues. */
void channels_drain(struct channels *channels,
    void (*consume)(void *context, struct channel_item *item), void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A message's number consists of its channel's number, from 1, and its number within the channel.
 */
#include "message-numbers.h"

#include <stdlib.h>

#include "keyed-queues.h"
#include "memory.h"

#define CHANNEL_SHIFT 40

static struct map_key request_key(const struct archive *archive, const struct archive_event *event)
{
	return (struct map_key){archive->locations[event->location].group, event->mpi->request};
}

/*
 * The event's channel, or NULL if a side is unknown; *first: the number before its first message.
 */
static struct message_channel *find_channel(struct message_numbers *numbers,
    const struct archive *archive, const struct archive_event *event, uint64_t *first)
{
	uint32_t own = archive->locations[event->location].group;
	uint32_t peer = archive_member_process(archive, event->subject, event->mpi->peer, own);
	struct map_key key;
	uint64_t index;

	if (own == ARCHIVE_NO_INDEX || peer == ARCHIVE_NO_INDEX)
		return NULL;
	key = message_is_sent(event) ? channel_key(event->subject, own, peer, event->mpi->tag)
				     : channel_key(event->subject, peer, own, event->mpi->tag);
	index = pair_map_find(&numbers->channel_of, key);
	if (index == MAP_NONE) {
		index = numbers->count++;
		MEMORY_GROW(numbers->channels, numbers->room, numbers->count);
		memory_pair_map_set(&numbers->channel_of, key, index);
	}
	*first = (index + 1) << CHANNEL_SHIFT;
	return &numbers->channels[index];
}

static uint64_t number_sent(struct message_numbers *numbers, const struct archive *archive,
    const struct archive_event *event)
{
	uint64_t first;
	struct message_channel *channel = find_channel(numbers, archive, event, &first);

	if (!channel)
		return 0;
	first += ++channel->sent;
	if (event->kind == EVENT_MPI_ISEND)
		memory_pair_map_set(&numbers->open, request_key(archive, event), first);
	return first;
}

static uint64_t number_received(struct message_numbers *numbers, const struct archive *archive,
    const struct archive_event *event)
{
	uint64_t first;
	struct message_channel *channel = find_channel(numbers, archive, event, &first);

	if (!channel)
		return 0;
	do
		channel->received++;
	while (map_find(&numbers->cancelled, first + channel->received) != MAP_NONE);
	return first + channel->received;
}

static void end_request(struct message_numbers *numbers, const struct archive *archive,
    const struct archive_event *event)
{
	struct map_key key = request_key(archive, event);
	uint64_t number = pair_map_find(&numbers->open, key);

	if (number == MAP_NONE)
		return;
	pair_map_erase(&numbers->open, key);
	if (event->kind == EVENT_MPI_REQUEST_CANCELLED)
		memory_map_set(&numbers->cancelled, number, 1);
}

uint64_t message_number(struct message_numbers *numbers, const struct archive *archive,
    const struct archive_event *event)
{
	switch (event->kind) {
	case EVENT_MPI_SEND:
	case EVENT_MPI_ISEND:
		return number_sent(numbers, archive, event);
	case EVENT_MPI_RECV:
	case EVENT_MPI_IRECV:
		return number_received(numbers, archive, event);
	case EVENT_MPI_ISEND_COMPLETE:
	case EVENT_MPI_REQUEST_CANCELLED:
		end_request(numbers, archive, event);
		return 0;
	default:
		return 0;
	}
}

void message_numbers_free(struct message_numbers *numbers)
{
	pair_map_free(&numbers->channel_of);
	pair_map_free(&numbers->open);
	map_free(&numbers->cancelled);
	free(numbers->channels);
	*numbers = (struct message_numbers){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same number for a message where it was sent and where it was received, found in one pass over
 * the events: messages of one communicator, sender, receiver and tag keep their order, so both
 * sides count. Memory is bounded by the number of such channels and of open nonblocking sends.
 */
#ifndef MESSAGE_NUMBERS_H
#define MESSAGE_NUMBERS_H

#include "archive.h"

struct message_numbers {
	struct pair_map channel_of; /* (comm and tag, sender and receiver) to index */
	struct message_channel {
		uint64_t sent, received;
	} * channels;
	size_t count, room;
	struct pair_map open; /* (process, request) to number: sends not completed */
	struct map cancelled; /* number to 1: these are not received */
};

/* All zero bytes is the initial state. */
void message_numbers_free(struct message_numbers *numbers);

/*
 * The number of the event's message; to be called with all events of MPI. 0: no message begins or
 * ends here, or its sides are unknown.
 */
uint64_t message_number(struct message_numbers *numbers, const struct archive *archive,
    const struct archive_event *event);

/* Whether the event, which has a number, is where the message is sent. */
static inline bool message_is_sent(const struct archive_event *event)
{
	return event->kind == EVENT_MPI_SEND || event->kind == EVENT_MPI_ISEND;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives a message the same number where it is sent and where it is received, in one pass over the
 * events. Messages with the same communicator, sender, receiver and tag keep their order, so it
 * suffices to count them on both sides. Memory is bounded by the number of such channels and of
 * open nonblocking sends.
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
	struct map cancelled; /* number to 1: these messages are never received */
};

/* Initially all zero bytes. */
void message_numbers_free(struct message_numbers *numbers);

/*
 * The number of the event's message; 0 if no message begins or ends here, or a side is unknown.
 * Call it with all MPI events.
 */
uint64_t message_number(struct message_numbers *numbers, const struct archive *archive,
    const struct archive_event *event);

/* Whether the event, which has a number, is the send of its message. */
static inline bool message_is_sent(const struct archive_event *event)
{
	return event->kind == EVENT_MPI_SEND || event->kind == EVENT_MPI_ISEND;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of one rank with ranks of other machines, and what they show about the machines'
 * clocks.
 */
#ifndef MESSAGE_LIST_H
#define MESSAGE_LIST_H

#include "clock-shift.h"
#include "number-table.h"
#include "rank.h"

#define MESSAGE_NO_MACHINE UINT32_MAX

/* How ranks, communicators and moments are numbered here; the same at all ranks. */
struct convert_scale {
	const uint32_t *machine; /* by number in MPI_COMM_WORLD; MESSAGE_NO_MACHINE: no logs */
	uint32_t rank_count;
	const struct convert_set *common; /* its communicators have their members */
	const uint64_t *comm_place;       /* by this rank's own number: index in `common` */
	size_t comm_count;
	uint64_t start, window; /* times; windows are counted from 0 */
	uint32_t windows;
	uint64_t longest; /* a message that took longer than this is not used */
};

/* What a receiver must know about a message. Messages with the same key match in order. */
struct convert_message {
	uint64_t key; /* communicator, tag */
	uint64_t time;
};

struct convert_messages {
	struct message_entry *sent, *received; /* by peer, key and order */
	size_t sent_count, received_count, sent_capacity, received_capacity;
	struct convert_numbers posted; /* times by request number */
	struct convert_bound *bounds;
	size_t bound_count, bound_capacity;
	uint64_t early; /* messages that seem to arrive before they were sent */
	bool failed;    /* memory ran out: messages are missing */
};

void convert_messages_collect(struct convert_messages *messages, const struct convert_rank *rank,
    const struct convert_scale *scale);
void convert_messages_free(struct convert_messages *messages);

/*
 * Returns the messages that were sent to the rank, in matching order; heap, NULL if there were
 * none.
 */
struct convert_message *convert_messages_to(
    const struct convert_messages *messages, uint32_t peer, uint64_t *count);

/* Matches the messages that the peer has sent, and notes the bounds. */
void convert_messages_match(struct convert_messages *messages, uint32_t own, uint32_t peer,
    const struct convert_message *sent, uint64_t count, const struct convert_scale *scale);

/* Keeps only the worst bound for each pair of windows. */
void convert_bounds_compact(struct convert_messages *messages);

#endif

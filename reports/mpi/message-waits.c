/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages. A send is matched with its receive by communicator, sender, receiver and tag, in order.
 * The receive waited until the send was entered. The send waited until the receive was entered, if
 * it had not returned before. For a nonblocking operation, the call that completes it waits.
 *
 * A send is kept until it is received and completed, so that memory is bounded by the number of
 * messages in flight.
 */
#include <stdlib.h>

#include "memory.h"
#include "mpi-state.h"

struct mpi_message {
	struct channel_item item;
	struct mpi_visit *completing; /* the call that completes the send, once entered; held */
	uint64_t sent_at;
	uint64_t posted_at;        /* when the receive was entered; set once received */
	uint32_t sender, receiver; /* locations */
	bool open;                 /* nonblocking and not completed: found by its request */
	bool received, cancelled;
};

/* A receive whose send has not been seen yet. */
struct early_receive {
	struct channel_item item;
	struct mpi_visit *visit; /* held, or NULL */
	uint64_t posted_at;
	uint32_t receiver;
};

/* When the event's call was entered. */
static uint64_t entered_at(const struct mpi_visit *visit, const struct archive_event *event)
{
	return visit ? visit->entered : event->time;
}

static struct map_key request_key(const struct mpi *mpi, const struct archive_event *event)
{
	return (struct map_key){mpi_process_of(mpi, event->location), event->mpi->request};
}

static void count_message(
    struct mpi *mpi, const struct archive_event *event, uint32_t sender, uint32_t receiver)
{
	struct map_key key = {sender, receiver};
	uint64_t index = pair_map_find(&mpi->state->pair_of, key);

	if (index == MAP_NONE) {
		index = mpi->pair_count++;
		MEMORY_GROW(mpi->pairs, mpi->pair_room, mpi->pair_count);
		mpi->pairs[index].sender = sender;
		mpi->pairs[index].receiver = receiver;
		memory_pair_map_set(&mpi->state->pair_of, key, index);
	}
	mpi->pairs[index].messages++;
	mpi->pairs[index].bytes += event->mpi->bytes;
}

/*
 * If the call that sent or completes the message lasted until the receive was entered, it waited
 * for that.
 */
static void end_send(const struct mpi_message *message, struct mpi_visit *visit)
{
	if (visit && message->posted_at < visit->left)
		mpi_wait_until(visit, MPI_LATE_RECEIVER, message->posted_at, message->receiver);
}

static void keep_arrow(struct mpi *mpi, const struct mpi_arrow *arrow)
{
	if (arrow->received_at < mpi->state->clip_from || arrow->sent_at > mpi->state->clip_to ||
	    arrow->received_at < arrow->sent_at)
		return;
	if (mpi->arrow_count == mpi->arrows_max) {
		mpi->arrow_count = mpi->arrows_max = 0;
		return;
	}
	*MEMORY_ADD(mpi->arrows, mpi->arrow_room, mpi->arrow_count) = *arrow;
}

/*
 * Both the send and the receive are known. Frees the message unless its request still refers to it.
 */
static void receive_message(struct mpi *mpi, struct mpi_message *message,
    struct mpi_visit *receiving, uint64_t posted_at, uint32_t receiver)
{
	message->received = true;
	message->posted_at = posted_at;
	message->receiver = receiver;
	mpi_wait_until(receiving, MPI_LATE_SENDER, message->sent_at, message->sender);
	if (message->open)
		return;
	end_send(message, message->completing);
	mpi_release(mpi, message->completing);
	free(message);
}

/* Finds the message's channel; false if the other side is not known. */
static bool find_sides(struct mpi *mpi, const struct archive_event *event, struct map_key *key)
{
	uint32_t own = mpi_process_of(mpi, event->location);
	uint32_t peer = archive_member_process(mpi->archive, event->subject, event->mpi->peer, own);
	bool sends = event->kind == EVENT_MPI_SEND || event->kind == EVENT_MPI_ISEND;

	if (own == ARCHIVE_NO_INDEX || peer == ARCHIVE_NO_INDEX)
		return false;
	*key = sends ? channel_key(event->subject, own, peer, event->mpi->tag)
		     : channel_key(event->subject, peer, own, event->mpi->tag);
	return true;
}

static struct mpi_message *take_request(struct mpi *mpi, const struct archive_event *event)
{
	struct map_key key = request_key(mpi, event);
	uint64_t found = pair_map_find(&mpi->state->requests, key);

	if (found == MAP_NONE)
		return NULL;
	pair_map_erase(&mpi->state->requests, key);
	return (struct mpi_message *)(uintptr_t)found;
}

/* The message will not be looked up by its request any more. */
static void close_message(struct mpi_message *message)
{
	if (!message)
		return;
	message->open = false;
	if (message->received)
		free(message);
}

static struct mpi_message *new_message(
    struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	struct mpi_message *message = memory_new(1, sizeof(*message));

	message->sender = event->location;
	message->sent_at = entered_at(visit, event);
	message->open = event->kind == EVENT_MPI_ISEND;
	if (message->open) {
		close_message(take_request(mpi, event)); /* a request that was never completed */
		memory_pair_map_set(
		    &mpi->state->requests, request_key(mpi, event), (uintptr_t)message);
	} else {
		message->completing = visit;
		mpi_hold(visit);
	}
	return message;
}

void mpi_send(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	struct early_receive *early;
	struct mpi_message *message;
	struct map_key key;
	bool known = find_sides(mpi, event, &key);

	mpi->knows_waits = true;
	if (mpi_counts_event(mpi, event)) {
		mpi->counts.messages++;
		mpi->counts.bytes += event->mpi->bytes;
		mpi->counts.unknown += !known;
		if (known && (!visit || visit->counts))
			count_message(
			    mpi, event, (uint32_t)(key.second >> 32), (uint32_t)key.second);
	}
	if (!known)
		return;
	message = new_message(mpi, visit, event);
	early = (struct early_receive *)channels_take(&mpi->state->receives, key);
	if (!early) {
		channels_put(&mpi->state->sends, key, &message->item);
		return;
	}
	receive_message(mpi, message, early->visit, early->posted_at, early->receiver);
	mpi_release(mpi, early->visit);
	free(early);
}

void mpi_send_completes(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	struct mpi_message *message = take_request(mpi, event);

	if (!message)
		return;
	if (message->received) {
		end_send(message, visit);
	} else {
		message->completing = visit;
		mpi_hold(visit);
	}
	close_message(message);
}

/* Takes the next sent message and skips cancelled ones, which are still in their queues. */
static struct mpi_message *take_sent(struct mpi *mpi, struct map_key key)
{
	for (;;) {
		struct mpi_message *message =
		    (struct mpi_message *)channels_take(&mpi->state->sends, key);

		if (!message || !message->cancelled)
			return message;
		free(message);
	}
}

void mpi_receive(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	uint64_t posted_at = entered_at(visit, event);
	struct mpi_message *message;
	struct early_receive *early;
	struct map_key key;

	mpi->knows_waits = true;
	if (event->kind == EVENT_MPI_IRECV)
		posted_at = mpi_take_begun(mpi, event, posted_at);
	if (!find_sides(mpi, event, &key))
		return;
	message = take_sent(mpi, key);
	if (message) {
		keep_arrow(mpi, &(struct mpi_arrow){message->sent_at, event->time, message->sender,
				    event->location});
		receive_message(mpi, message, visit, posted_at, event->location);
		return;
	}
	early = memory_new(1, sizeof(*early));
	*early = (struct early_receive){
	    .visit = visit, .posted_at = posted_at, .receiver = event->location};
	mpi_hold(visit);
	channels_put(&mpi->state->receives, key, &early->item);
}

void mpi_request_begins(struct mpi *mpi, struct mpi_visit *visit, const struct archive_event *event)
{
	memory_pair_map_set(&mpi->state->begun, request_key(mpi, event), entered_at(visit, event));
}

uint64_t mpi_take_begun(struct mpi *mpi, const struct archive_event *event, uint64_t otherwise)
{
	struct map_key key = request_key(mpi, event);
	uint64_t begun = pair_map_find(&mpi->state->begun, key);

	if (begun == MAP_NONE)
		return otherwise;
	pair_map_erase(&mpi->state->begun, key);
	return begun;
}

void mpi_request_cancelled(struct mpi *mpi, const struct archive_event *event)
{
	struct mpi_message *message = take_request(mpi, event);

	mpi_take_begun(mpi, event, 0);
	if (message)
		message->cancelled = true;
	close_message(message);
}

static void drop_sent(void *context, struct channel_item *item)
{
	struct mpi_message *message = (struct mpi_message *)item;
	struct mpi *mpi = context;

	mpi->counts.unreceived += !message->cancelled;
	mpi_release(mpi, message->completing);
	free(message);
}

static void drop_early(void *context, struct channel_item *item)
{
	struct early_receive *early = (struct early_receive *)item;
	struct mpi *mpi = context;

	mpi->counts.unsent++;
	mpi_release(mpi, early->visit);
	free(early);
}

/* Sends that were received but never completed can only be found by their requests. */
void mpi_finish_messages(struct mpi *mpi)
{
	const struct pair_map *requests = &mpi->state->requests;

	for (size_t at = pair_map_used(requests, 0); at != MAP_END;
	     at = pair_map_used(requests, at + 1)) {
		struct mpi_message *message =
		    (struct mpi_message *)(uintptr_t)pair_map_value(requests, at);

		if (message->received)
			free(message);
	}
	channels_drain(&mpi->state->sends, drop_sent, mpi);
	channels_drain(&mpi->state->receives, drop_early, mpi);
}

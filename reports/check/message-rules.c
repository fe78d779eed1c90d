/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of `ompreport check` about MPI: every receive has a send, with the same number of bytes
 * and not later; the members of a communicator call the same operations; every request that is
 * begun is completed once. What is unfinished when the events end (because a rank was killed) is a
 * warning.
 */
#include <stdlib.h>

#include "keyed-queues.h"
#include "archive-check.h"
#include "memory.h"

struct message {
	struct channel_item item;
	uint64_t time, bytes;
	uint32_t location;
	bool open; /* its request is open and still refers to it */
	bool received, cancelled;
};

/* A nonblocking operation that is not completed. */
struct request {
	struct message *message; /* of a send, or NULL */
	uint32_t location;
	uint64_t time;
};

/* The n-th operation of a communicator's members. */
struct collective {
	uint32_t ended, operation, root;
	uint32_t location; /* of the first member that ended it; time: when */
	uint64_t time;
};

struct check_mpi {
	struct channels sends, receives; /* receives: their sends have not been seen yet */
	struct pair_map requests;        /* (process, request) to struct request */
	struct pair_map ordinals;        /* (comm and kind, process) to operations ended */
	struct pair_map collectives;     /* (comm and kind, ordinal) to struct collective */
	uint64_t *begun;                 /* by location: blocking collectives that have not ended */
};

struct check_mpi *check_mpi_new(const struct archive *archive)
{
	struct check_mpi *mpi = memory_new(1, sizeof(*mpi));

	mpi->begun = memory_new(archive->location_count, sizeof(mpi->begun[0]));
	return mpi;
}

static uint32_t process_of(const struct check *check, const struct archive_event *event)
{
	return check->archive->locations[event->location].group;
}

static bool is_send(const struct archive_event *event)
{
	return event->kind == EVENT_MPI_SEND || event->kind == EVENT_MPI_ISEND;
}

/*
 * Returns false if the other side is not known. A peer that is not a member of the communicator is
 * an error.
 */
static bool find_channel(
    struct check *check, const struct archive_event *event, struct map_key *key)
{
	const struct archive *archive = check->archive;
	uint32_t own = process_of(check, event), comm = event->subject;
	uint32_t peer = archive_member_process(archive, comm, event->mpi->peer, own);

	if (comm != ARCHIVE_NO_INDEX && !archive->comms[comm].is_inter &&
	    event->mpi->peer >= archive_comm_size(archive, comm))
		check_add_finding_at(check, RULE_REFERENCE, event);
	if (own == ARCHIVE_NO_INDEX || peer == ARCHIVE_NO_INDEX)
		return false;
	*key = is_send(event) ? channel_key(comm, own, peer, event->mpi->tag)
			      : channel_key(comm, peer, own, event->mpi->tag);
	return true;
}

static void release(struct message *message)
{
	if (!message->open && message->received)
		free(message);
}

static void begin_request(
    struct check *check, const struct archive_event *event, struct message *message)
{
	struct map_key key = {process_of(check, event), event->mpi->request};
	uint64_t found = pair_map_find(&check->mpi->requests, key);
	struct request *request = (struct request *)(uintptr_t)found;

	if (found != MAP_NONE) {
		check_add_finding_at(check, RULE_REQUEST, event);
		if (request->message) {
			request->message->open = false;
			release(request->message);
		}
	} else {
		request = memory_new(1, sizeof(*request));
		memory_pair_map_set(&check->mpi->requests, key, (uintptr_t)request);
	}
	*request = (struct request){message, event->location, event->time};
}

static void end_request(struct check *check, const struct archive_event *event)
{
	struct map_key key = {process_of(check, event), event->mpi->request};
	uint64_t found = pair_map_find(&check->mpi->requests, key);
	struct request *request = (struct request *)(uintptr_t)found;

	if (found == MAP_NONE) {
		check_add_finding_at(check, RULE_REQUEST, event);
		return;
	}
	pair_map_erase(&check->mpi->requests, key);
	if (request->message) {
		request->message->open = false;
		request->message->cancelled = event->kind == EVENT_MPI_REQUEST_CANCELLED;
		release(request->message);
	}
	free(request);
}

/* Compares a send with its receive. */
static void compare(struct check *check, const struct message *sent, const struct message *received)
{
	if (received->bytes != sent->bytes)
		check_add_finding(check, RULE_LENGTH, received->location, received->time);
	if (received->time < sent->time)
		check_add_finding(check, RULE_EARLY, received->location, received->time);
}

static struct message *new_message(const struct archive_event *event)
{
	struct message *message = memory_new(1, sizeof(*message));

	message->time = event->time;
	message->bytes = event->mpi->bytes;
	message->location = event->location;
	message->open = event->kind == EVENT_MPI_ISEND;
	return message;
}

static void send(struct check *check, const struct archive_event *event)
{
	struct message *early, *message = new_message(event);
	struct map_key key;

	if (message->open)
		begin_request(check, event, message);
	if (!find_channel(check, event, &key)) {
		message->received = true; /* no receive is looked for */
		release(message);
		return;
	}
	early = (struct message *)channels_take(&check->mpi->receives, key);
	if (!early) {
		channels_put(&check->mpi->sends, key, &message->item);
		return;
	}
	compare(check, message, early);
	message->received = true;
	release(message);
	free(early);
}

static bool has_bytes(const struct channel_item *item, const void *bytes)
{
	return ((const struct message *)item)->bytes == *(const uint64_t *)bytes;
}

/*
 * Nonblocking receives may be completed in another order than they were begun: each gets the first
 * unreceived message of its size.
 */
static struct message *take_sent(
    struct check *check, struct map_key key, const struct archive_event *event)
{
	struct channels *sends = &check->mpi->sends;
	struct message *sent;

	for (;;) {
		sent = event->kind == EVENT_MPI_RECV
			   ? (struct message *)channels_take(sends, key)
			   : (struct message *)channels_take_fitting(
				 sends, key, has_bytes, &event->mpi->bytes);
		if (!sent || !sent->cancelled)
			return sent;
		free(sent);
	}
}

static void receive(struct check *check, const struct archive_event *event)
{
	struct message *sent, *received;
	struct map_key key;

	if (event->kind == EVENT_MPI_IRECV)
		end_request(check, event);
	if (!find_channel(check, event, &key))
		return;
	received = new_message(event);
	sent = take_sent(check, key, event);
	if (!sent) {
		channels_put(&check->mpi->receives, key, &received->item);
		return;
	}
	compare(check, sent, received);
	sent->received = true;
	release(sent);
	free(received);
}

static struct collective *find_collective(
    struct check *check, struct map_key key, const struct archive_event *event)
{
	uint64_t found = pair_map_find(&check->mpi->collectives, key);
	struct collective *collective = (struct collective *)(uintptr_t)found;

	if (found != MAP_NONE)
		return collective;
	collective = memory_new(1, sizeof(*collective));
	*collective = (struct collective){.operation = event->mpi->operation,
	    .root = event->mpi->peer,
	    .location = event->location,
	    .time = event->time};
	memory_pair_map_set(&check->mpi->collectives, key, (uintptr_t)collective);
	return collective;
}

/*
 * Nonblocking operations may end in another order than they began, so they are numbered by
 * operation.
 */
static void end_collective(struct check *check, const struct archive_event *event, uint64_t kind)
{
	uint32_t size = archive_comm_size(check->archive, event->subject);
	struct map_key own = {(uint64_t)event->subject << 32 | kind, process_of(check, event)};
	struct map_key key = {own.first, pair_map_find(&check->mpi->ordinals, own)};
	struct collective *collective;

	if (size < 2)
		return;
	key.second = key.second == MAP_NONE ? 0 : key.second + 1;
	memory_pair_map_set(&check->mpi->ordinals, own, key.second);
	collective = find_collective(check, key, event);
	if (collective->operation != event->mpi->operation || collective->root != event->mpi->peer)
		check_add_finding_at(check, RULE_COLLECTIVE, event);
	if (++collective->ended < size)
		return;
	pair_map_erase(&check->mpi->collectives, key);
	free(collective);
}

void check_mpi_event(struct check *check, const struct archive_event *event)
{
	uint64_t *begun = &check->mpi->begun[event->location];

	switch ((enum archive_event_kind)event->kind) {
	case EVENT_MPI_SEND:
	case EVENT_MPI_ISEND:
		send(check, event);
		break;
	case EVENT_MPI_RECV:
	case EVENT_MPI_IRECV:
		receive(check, event);
		break;
	case EVENT_MPI_IRECV_REQUEST:
	case EVENT_MPI_COLLECTIVE_REQUEST:
		begin_request(check, event, NULL);
		break;
	case EVENT_MPI_ISEND_COMPLETE:
	case EVENT_MPI_REQUEST_CANCELLED:
		end_request(check, event);
		break;
	case EVENT_MPI_COLLECTIVE_BEGIN:
		++*begun;
		break;
	case EVENT_MPI_COLLECTIVE_END:
		if (*begun == 0)
			check_add_finding_at(check, RULE_COLLECTIVE, event);
		*begun -= *begun > 0;
		end_collective(check, event, 0);
		break;
	case EVENT_MPI_COLLECTIVE_DONE:
		end_request(check, event);
		end_collective(check, event, event->mpi->operation + 1);
		break;
	default:
		break;
	}
}

static void drop_sent(void *context, struct channel_item *item)
{
	struct message *message = (struct message *)item;

	if (!message->cancelled)
		check_add_finding(context, RULE_UNRECEIVED, message->location, message->time);
	free(message);
}

static void drop_received(void *context, struct channel_item *item)
{
	struct message *message = (struct message *)item;

	check_add_finding(context, RULE_UNSENT, message->location, message->time);
	free(message);
}

void check_mpi_end(struct check *check)
{
	struct check_mpi *mpi = check->mpi;
	const struct pair_map *requests = &mpi->requests, *collectives = &mpi->collectives;

	for (size_t at = pair_map_used(requests, 0); at != MAP_END;
	     at = pair_map_used(requests, at + 1)) {
		struct request *request = (struct request *)(uintptr_t)pair_map_value(requests, at);

		check_add_finding(check, RULE_PENDING, request->location, request->time);
		if (request->message && request->message->received)
			free(request->message);
		free(request);
	}
	channels_drain(&mpi->sends, drop_sent, check);
	channels_drain(&mpi->receives, drop_received, check);
	for (size_t at = pair_map_used(collectives, 0); at != MAP_END;
	     at = pair_map_used(collectives, at + 1)) {
		struct collective *collective =
		    (struct collective *)(uintptr_t)pair_map_value(collectives, at);

		check_add_finding(check, RULE_UNMET, collective->location, collective->time);
		free(collective);
	}
	for (size_t i = 0; i < check->archive->location_count; i++) {
		if (mpi->begun[i] > 0)
			check_add_finding(
			    check, RULE_UNMET, (uint32_t)i, check->locations[i].last_time);
	}
}

void check_mpi_free(struct check_mpi *mpi)
{
	pair_map_free(&mpi->requests);
	pair_map_free(&mpi->ordinals);
	pair_map_free(&mpi->collectives);
	free(mpi->begun);
	free(mpi);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a rank's logs once more for its messages with other machines. A message matches the receive
 * that was posted first, which need not be the one that completes first: receives are therefore in
 * the order in which they began.
 */
#include "message-list.h"

#include "shared/array.h"
#include "shared/search.h"

#include <stdlib.h>
#include <string.h>

struct message_entry {
	uint64_t key, order, time;
	uint32_t peer;
};

/*
 * Returns the peer's rank in MPI_COMM_WORLD; UINT32_MAX if it is on this machine, has no logs, or
 * is unknown.
 */
static uint32_t find_peer(
    const struct convert_scale *scale, uint32_t own, uint64_t place, uint32_t peer)
{
	size_t count;
	const uint64_t *comm = convert_pool_at(&scale->common->comms, place, &count);
	uint64_t world = UINT32_MAX;

	if (comm[SET_COMM_IDENTITY] == TRACE_LOG_COMM_WORLD)
		world = peer;
	else if (peer < count - SET_COMM_WORDS)
		world = comm[SET_COMM_WORDS + peer];
	return world < scale->rank_count && scale->machine[world] != MESSAGE_NO_MACHINE &&
		       scale->machine[world] != scale->machine[own]
		   ? (uint32_t)world
		   : UINT32_MAX;
}

static void add_message(struct convert_messages *messages, const struct convert_rank *rank,
    const struct convert_scale *scale, const struct convert_record *record, uint64_t order)
{
	bool sent = record->kind == TRACE_LOG_MPI_SEND || record->kind == TRACE_LOG_MPI_ISEND;
	struct message_entry **list = sent ? &messages->sent : &messages->received;
	size_t *count = sent ? &messages->sent_count : &messages->received_count;

	if (record->argument >= scale->comm_count)
		return;
	uint64_t place = scale->comm_place[record->argument];
	uint32_t peer = find_peer(scale, rank->number, place, (uint32_t)(record->payload[0] >> 32));
	if (peer == UINT32_MAX)
		return;
	size_t *capacity = sent ? &messages->sent_capacity : &messages->received_capacity;
	if (!ARRAY_ROOM(*list, *count, *capacity, 1)) {
		messages->failed = true;
		return;
	}
	(*list)[(*count)++] =
	    (struct message_entry){.key = place << 32 | (uint32_t)record->payload[0],
		.order = order,
		.time = convert_clock_time(&rank->clock, record->time),
		.peer = peer};
}

/*
 * Notes the beginnings first, because a receive may complete in another thread than the one that
 * posted it.
 */
static void note_posted(struct convert_messages *messages, uint64_t request, uint64_t time)
{
	uint64_t *posted = convert_numbers_make(&messages->posted, request);

	if (posted != NULL)
		*posted = time;
	else
		messages->failed = true;
}

static int by_matching(const void *left, const void *right)
{
	const struct message_entry *one = left, *two = right;

	if (one->peer != two->peer)
		return one->peer < two->peer ? -1 : 1;
	if (one->key != two->key)
		return one->key < two->key ? -1 : 1;
	return one->order < two->order ? -1 : one->order > two->order;
}

static void collect_record(struct convert_messages *messages, const struct convert_rank *rank,
    const struct convert_scale *scale, const struct convert_record *record, bool beginnings)
{
	uint64_t order = record->time;
	const uint64_t *posted;

	switch (record->kind) {
	case TRACE_LOG_MPI_IRECEIVE_BEGIN:
		if (beginnings)
			note_posted(messages, record->payload[0], record->time);
		break;
	case TRACE_LOG_MPI_IRECEIVE:
		posted = convert_numbers_find(&messages->posted, record->payload[2]);
		order = posted != NULL ? *posted : order;
		/* fall through */
	case TRACE_LOG_MPI_SEND:
	case TRACE_LOG_MPI_ISEND:
	case TRACE_LOG_MPI_RECEIVE:
		if (!beginnings)
			add_message(messages, rank, scale, record, order);
		break;
	default:
		break;
	}
}

void convert_messages_collect(struct convert_messages *messages, const struct convert_rank *rank,
    const struct convert_scale *scale)
{
	struct convert_record record;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < rank->input.log_count; i++) {
			struct convert_cursor cursor = convert_cursor_of(&rank->input.logs[i]);
			while (convert_next(&cursor, &record))
				collect_record(messages, rank, scale, &record, pass == 0);
		}
	if (messages->sent_count > 0)
		qsort(messages->sent, messages->sent_count, sizeof(*messages->sent), by_matching);
	if (messages->received_count > 0)
		qsort(messages->received, messages->received_count, sizeof(*messages->received),
		    by_matching);
}

void convert_messages_free(struct convert_messages *messages)
{
	free(messages->sent);
	free(messages->received);
	convert_numbers_free(&messages->posted);
	free(messages->bounds);
	*messages = (struct convert_messages){0};
}

/* Returns the index of a peer's first entry, or of the place where it would be. */
static size_t find_first(const struct message_entry *list, size_t count, uint32_t peer)
{
	size_t first;

	SEARCH(first, count, list[first].peer < peer);
	return first;
}

struct convert_message *convert_messages_to(
    const struct convert_messages *messages, uint32_t peer, uint64_t *count)
{
	size_t first = find_first(messages->sent, messages->sent_count, peer);
	size_t end = find_first(messages->sent, messages->sent_count, peer + 1);
	struct convert_message *found = end > first ? malloc((end - first) * sizeof(*found)) : NULL;

	*count = found != NULL ? end - first : 0;
	for (size_t i = 0; i < *count; i++)
		found[i] = (struct convert_message){
		    messages->sent[first + i].key, messages->sent[first + i].time};
	return found;
}

static uint32_t window_of(const struct convert_scale *scale, uint64_t time)
{
	uint64_t window = time > scale->start ? (time - scale->start) / scale->window : 0;

	return window < scale->windows ? (uint32_t)window : scale->windows - 1;
}

/* If the list is full: compacts it, and makes room if it is still more than half full. */
static bool make_room_for_bound(struct convert_messages *messages)
{
	if (messages->bound_count < messages->bound_capacity)
		return true;
	convert_bounds_compact(messages);
	if (messages->bound_count * 2 < messages->bound_capacity)
		return true;
	if (ARRAY_ROOM(messages->bounds, messages->bound_capacity, messages->bound_capacity, 1))
		return true;
	messages->failed = true;
	return false;
}

void convert_messages_match(struct convert_messages *messages, uint32_t own, uint32_t peer,
    const struct convert_message *sent, uint64_t count, const struct convert_scale *scale)
{
	size_t place = find_first(messages->received, messages->received_count, peer);
	uint64_t i = 0;

	while (i < count && place < messages->received_count &&
	       messages->received[place].peer == peer) {
		const struct message_entry *received = &messages->received[place];
		if (sent[i].key != received->key) {
			/* One of the two has no partner, because a rank's log ended early. */
			if (sent[i].key < received->key)
				i++;
			else
				place++;
			continue;
		}
		int64_t ticks = (int64_t)(sent[i].time - received->time) + 2; /* for rounding */
		messages->early += sent[i].time > received->time;
		if (ticks > -(int64_t)scale->longest && make_room_for_bound(messages))
			messages->bounds[messages->bound_count++] =
			    (struct convert_bound){.from = scale->machine[peer],
				.to = scale->machine[own],
				.sent = window_of(scale, sent[i].time),
				.received = window_of(scale, received->time),
				.ticks = ticks};
		i++;
		place++;
	}
}

static int by_place(const void *left, const void *right)
{
	const struct convert_bound *one = left, *two = right;

	if (one->from != two->from)
		return one->from < two->from ? -1 : 1;
	if (one->sent != two->sent)
		return one->sent < two->sent ? -1 : 1;
	if (one->received != two->received)
		return one->received < two->received ? -1 : 1;
	return one->ticks > two->ticks ? -1 : one->ticks < two->ticks;
}

void convert_bounds_compact(struct convert_messages *messages)
{
	struct convert_bound *bounds = messages->bounds;
	size_t kept = 0;

	if (messages->bound_count == 0)
		return;
	qsort(bounds, messages->bound_count, sizeof(*bounds), by_place);
	for (size_t i = 0; i < messages->bound_count; i++)
		if (kept == 0 || bounds[i].from != bounds[kept - 1].from ||
		    bounds[i].sent != bounds[kept - 1].sent ||
		    bounds[i].received != bounds[kept - 1].received)
			bounds[kept++] = bounds[i];
	messages->bound_count = kept;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of all processes in the order of time, without opening all locations at once. The
 * processes are read one by one, in several threads; their events become few bytes, which lie in
 * memory up to a limit and then in a temporary file. Then a heap of the processes merges them.
 *
 * In the merged stream an event stands where it would stand if all locations were open: after the
 * event of its location that is not earlier, if its time goes back. So a process's place in the
 * heap never goes back.
 */
#include "events-apart.h"

#include <stdlib.h>

#include "event-bytes.h"
#include "memory.h"
#include "spill.h"
#include "time-heap.h"

/*
 * Bytes: of events that stay in memory, over all threads; of the pieces of all processes, of which
 * one each is in memory when they are merged; and the limits of a piece.
 */
#define EVENT_MEMORY ((size_t)16 << 20)
#define PIECE_MEMORY ((size_t)32 << 20)
enum { PIECE_LEAST = 1 << 10, PIECE_MOST = 1 << 14 };

/* The events of one process. */
struct stream {
	struct spill *spill;
	struct spill_piece *pieces;
	size_t count, room;
	/* For the merge. */
	size_t next; /* piece */
	unsigned char *bytes;
	const unsigned char *at, *end;
	struct event_bytes state;
	struct archive_event event; /* without its rest */
};

struct apart {
	const struct archive *archive;
	struct stream *streams; /* by process */
	size_t count;
	size_t piece; /* bytes */
};

/* Of one thread that reads. */
struct keeper {
	struct apart *apart;
	struct spill *spill;
	struct stream stream; /* of the process that is read */
	unsigned char *bytes; /* its current piece */
	size_t used;
	struct event_bytes state;
};

static void put_away(struct keeper *keeper)
{
	struct stream *stream = &keeper->stream;

	*MEMORY_ADD(stream->pieces, stream->room, stream->count) =
	    spill_put(keeper->spill, keeper->bytes, keeper->used);
	keeper->used = 0;
}

static void keep(void *context, const struct archive_event *event)
{
	struct keeper *keeper = context;
	const struct archive *archive = keeper->apart->archive;
	unsigned char *at;

	if (keeper->used + event_bytes_most(archive) > keeper->apart->piece)
		put_away(keeper);
	at = event_bytes_put(&keeper->state, archive, event, keeper->bytes + keeper->used);
	keeper->used = (size_t)(at - keeper->bytes);
}

static void finish(void *context, size_t process)
{
	struct keeper *keeper = context;

	if (keeper->used > 0)
		put_away(keeper);
	keeper->stream.spill = keeper->spill;
	keeper->apart->streams[process] = keeper->stream;
	keeper->stream = (struct stream){0};
	keeper->state = (struct event_bytes){0};
}

static struct keeper *new_keeper(struct apart *apart, size_t keepers)
{
	struct keeper *keeper = memory_new(1, sizeof(*keeper));

	keeper->apart = apart;
	keeper->spill = spill_new(EVENT_MEMORY / keepers);
	keeper->bytes = memory_new(apart->piece, 1);
	return keeper;
}

/* Reads the next event of the stream but for its rest; false if there is none. */
static bool advance(struct stream *stream, size_t piece)
{
	if (stream->at == stream->end) {
		struct spill_piece next;

		if (stream->next == stream->count)
			return false;
		next = stream->pieces[stream->next++];
		if (!stream->bytes)
			stream->bytes = memory_new(piece, 1);
		spill_get(stream->spill, next, 0, stream->bytes, next.size);
		stream->at = stream->bytes;
		stream->end = stream->bytes + next.size;
	}
	event_bytes_get(&stream->state, &stream->event, &stream->at);
	return true;
}

static struct time_head head_of(const struct apart *apart, size_t stream)
{
	const struct archive_event *event = &apart->streams[stream].event;

	return (struct time_head){event->time, event->location, (uint32_t)stream};
}

static void merge(struct apart *apart, archive_consume *consume, void *context)
{
	struct time_head *heap = memory_new(apart->count, sizeof(heap[0]));
	uint64_t *values =
	    memory_new(apart->archive->largest_metric_class + (size_t)1, sizeof(values[0]));
	struct archive_mpi mpi;
	size_t count = 0;

	for (size_t i = 0; i < apart->count; i++) {
		if (advance(&apart->streams[i], apart->piece))
			heap[count++] = head_of(apart, i);
	}
	time_heap_order(heap, count);
	while (count > 0) {
		struct stream *first = &apart->streams[heap[0].stream];
		struct time_head next;

		event_bytes_get_rest(apart->archive, &first->event, &first->at, values, &mpi);
		consume(context, &first->event);
		if (!advance(first, apart->piece)) {
			free(first->bytes);
			first->bytes = NULL;
			heap[0] = heap[--count];
		} else {
			next = head_of(apart, heap[0].stream);
			if (time_head_is_before(&heap[0], &next))
				heap[0] = next;
		}
		if (count > 0)
			time_heap_sift(heap, count, 0);
	}
	free(values);
	free(heap);
}

static size_t piece_size(const struct archive *archive, size_t processes)
{
	size_t piece = PIECE_MEMORY / processes, least = event_bytes_most(archive);

	piece = piece > PIECE_MOST ? PIECE_MOST : piece < PIECE_LEAST ? PIECE_LEAST : piece;
	return piece > least ? piece : least;
}

void archive_merge_apart(struct archive *archive, archive_consume *consume, void *context)
{
	static const struct archive_consumer consumer = {keep, finish};
	struct apart apart = {.archive = archive};
	struct archive_process *processes = archive_list_processes(archive, &apart.count);
	size_t jobs = archive_jobs(archive);
	struct keeper **keepers;

	if (jobs > apart.count)
		jobs = apart.count;
	keepers = memory_new(jobs, sizeof(keepers[0]));
	apart.streams = memory_new(apart.count, sizeof(apart.streams[0]));
	apart.piece = piece_size(archive, apart.count);
	for (size_t i = 0; i < jobs; i++)
		keepers[i] = new_keeper(&apart, jobs);
	archive_for_each_process(
	    archive, processes, apart.count, &consumer, (void **)keepers, jobs);
	for (size_t i = 0; i < jobs; i++)
		free(keepers[i]->bytes);
	merge(&apart, consume, context);
	for (size_t i = 0; i < apart.count; i++)
		free(apart.streams[i].pieces);
	for (size_t i = 0; i < jobs; i++) {
		spill_free(keepers[i]->spill);
		free(keepers[i]);
	}
	free(keepers);
	free(apart.streams);
	archive_free_processes(processes, apart.count);
}

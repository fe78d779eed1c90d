/* SPDX-License-Identifier: BSD-3-Clause */
/* What the MPI wrappers log: the meaning of calls, communicators, comparisons of clocks. */
#include "shared/ranks.h"
#include "experiment.h"
#include "fast-path.h"

#include <stdlib.h>
#include <string.h>

/* How many payload words each kind has, and whether it begins something. */
#define WORDS(name, words, events, meaning) [TRACE_LOG_##name] = (words),
static const unsigned char payload_words[TRACE_LOG_KIND_COUNT] = {TRACE_LOG_KINDS(WORDS)};

static bool begins(enum trace_log_kind kind)
{
	switch (kind) {
	case TRACE_LOG_MPI_SEND:
	case TRACE_LOG_MPI_ISEND:
	case TRACE_LOG_MPI_IRECEIVE_BEGIN:
	case TRACE_LOG_MPI_COLLECTIVE_BEGIN:
	case TRACE_LOG_MPI_COLLECTIVE_REQUEST:
		return true;
	default:
		return false;
	}
}

void pomp_rank_note(enum trace_log_kind kind, uint32_t communicator, const uint64_t *words)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off == 0 && thread->log.enabled &&
	    (thread->log.cursor < thread->log.limit || pomp_event_make_room(thread))) {
		struct pomp_log *log = &thread->log;
		uint64_t now = begins(kind) ? thread->time : pomp_event_time(thread);
		uint64_t *cursor = log->cursor;
		uint64_t distance = pomp_log_distance(log, now, &cursor);
		pomp_log_append(log, cursor, pomp_log_word(kind, communicator, distance), words,
		    payload_words[kind], now);
		thread->more_events++;
	}
	pomp_event_drop(thread); /* no event of its own: a part of the call's event */
}

/* The fast path: the note and the leave share a time, and hence one reading of the clock. */
static bool leave_noting(
    struct pomp_fast *event, enum trace_log_kind kind, uint32_t communicator, const uint64_t *words)
{
	struct pomp_thread *thread = event->thread;
	struct pomp_log *log = &thread->log;
	unsigned count = payload_words[kind];

	if (!pomp_fast_can_pop(event, POMP_ROLE_CONSTRUCT))
		return false;
	if (event->cursor != NULL) {
		if (unlikely(event->cursor + 1 + count >= log->limit)) {
			pomp_event_drop(thread);
			return false;
		}
		pomp_log_append(log, event->cursor,
		    pomp_log_word(kind, communicator, event->distance), words, count, event->now);
		thread->more_events++;
		event->cursor = log->cursor;
		event->distance = 0;
	}
	pomp_frame_close_simple(thread, event->sums, POMP_ROLE_CONSTRUCT, event->now);
	pomp_fast_record_leave(event, TRACE_LOG_LEAVE);
	pomp_event_end(thread);
	return true;
}

void pomp_rank_leave(
    OMPRegDescr *region, enum trace_log_kind kind, uint32_t communicator, const uint64_t *words)
{
	struct pomp_fast event;

	if (pomp_fast_off())
		return;
	if (likely(
		pomp_fast_begin(&event, region) && leave_noting(&event, kind, communicator, words)))
		return;
	pomp_rank_note(kind, communicator, words);
	pomp_event_leave_slow(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
}

static void append(uint32_t type, const void *head, size_t bytes, const char *text)
{
	pomp_lock_process();
	if (load_relaxed(&pomp_experiment.path) != NULL)
		pomp_experiment_append(type, head, bytes, &text, text != NULL);
	pomp_unlock_process();
}

void pomp_rank_define(const struct trace_log_comm *comm, const uint32_t *members)
{
	size_t bytes = sizeof(*comm) + comm->member_count * sizeof(*members);
	char *whole = malloc(bytes);

	if (whole == NULL) {
		pomp_out_of_memory("a communicator");
		return;
	}
	memcpy(whole, comm, sizeof(*comm));
	if (comm->member_count > 0)
		memcpy(whole + sizeof(*comm), members, bytes - sizeof(*comm));
	append(TRACE_LOG_COMM, whole, bytes, NULL);
	free(whole);
}

void pomp_rank_name(uint64_t identity, const char *name)
{
	const struct trace_log_comm_name head = {identity};

	append(TRACE_LOG_COMM_NAME, &head, sizeof(head), name);
}

void pomp_rank_synchronised(const struct trace_log_sync *sync)
{
	append(TRACE_LOG_SYNC, sync, sizeof(*sync), NULL);
}

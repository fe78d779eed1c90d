/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is open on a thread, as the records that open it again: the begin of a segment of its ring.
 * That is between two events, so the thread's stack is what the log's records so far have made of
 * it. If there is more than half a segment of it, its outermost part is left out; the segment can
 * then be read all the same, without the regions around.
 */
#include "event.h"
#include "ring.h"

enum { STATE_WORDS = 3 }; /* of a frame at most */

/* Returns the thread's place in the team of that frame. */
static const struct pomp_member *member_of(
    const struct pomp_thread *thread, const struct pomp_frame *frame)
{
	for (const struct pomp_frame *above = frame + 1; above <= thread->top; above++)
		if (above->role == POMP_ROLE_PARALLEL)
			return above->parallel.outer_member;
	return thread->member;
}

static void log_state(struct pomp_thread *thread, enum trace_log_kind kind, uint64_t id,
    const uint64_t *payload, unsigned words)
{
	struct pomp_log *log = &thread->log;

	pomp_log_append(log, log->cursor, pomp_log_word(kind, id, 0), payload, words, log->time);
}

static void write_team(struct pomp_thread *thread, const struct pomp_frame *frame, uint64_t id)
{
	const struct pomp_member *member = member_of(thread, frame);
	const struct pomp_team *team = frame->parallel.team;
	uint64_t number = member != NULL ? member->number : 0;

	log_state(thread, TRACE_LOG_TEAM_BEGIN, id,
	    (uint64_t[]){load_relaxed(&team->number), number << 32 | load_relaxed(&team->size)}, 2);
}

/* A lock's number of acquisitions is that of its holder. */
static void write_block(struct pomp_thread *thread, const struct pomp_frame *frame, uint64_t id)
{
	const struct pomp_lock *lock = frame->accumulator->lock;

	if (lock == NULL)
		log_state(thread, TRACE_LOG_BLOCK_ENTER, id, NULL, 0);
	else
		log_state(thread, TRACE_LOG_CRITICAL_BEGIN, id,
		    (uint64_t[]){load_relaxed(&lock->acquisitions)}, 1);
}

static void write_frame(struct pomp_thread *thread, const struct pomp_frame *frame)
{
	uint64_t id = frame->accumulator->region->id;
	/* A taskgroup's wait is within its construct; taskwait and barrier are constructs. */
	bool is_inside = frame[-1].accumulator == frame->accumulator;

	switch ((enum pomp_role)frame->role) {
	case POMP_ROLE_BASE:
		break;
	case POMP_ROLE_CONSTRUCT:
		log_state(thread, TRACE_LOG_ENTER, id, NULL, 0);
		break;
	case POMP_ROLE_BLOCK:
		write_block(thread, frame, id);
		break;
	case POMP_ROLE_BARRIER:
		log_state(thread, TRACE_LOG_BARRIER_ENTER, id, NULL, 0);
		break;
	case POMP_ROLE_WAIT:
		log_state(thread, is_inside ? TRACE_LOG_WAIT_ENTER : TRACE_LOG_ENTER, id, NULL, 0);
		break;
	case POMP_ROLE_FORK:
		log_state(thread, TRACE_LOG_FORK, id,
		    (uint64_t[]){load_relaxed(&frame->parallel.team->number)}, 1);
		break;
	case POMP_ROLE_PARALLEL:
		write_team(thread, frame, id);
		break;
	case POMP_ROLE_CREATE:
		log_state(thread, TRACE_LOG_TASK_CREATE, id, (uint64_t[]){frame->task.number}, 1);
		break;
	case POMP_ROLE_TASK:
		log_state(thread, TRACE_LOG_TASK_BEGIN, id, (uint64_t[]){frame->task.number}, 1);
		break;
	}
}

void pomp_event_turn_ring(struct pomp_thread *thread)
{
	struct pomp_log *log = &thread->log;

	pomp_ring_turn(log);
	size_t most = (size_t)(log->limit - log->cursor) / (2 * STATE_WORDS);
	size_t depth = (size_t)(thread->top - thread->stack);
	const struct pomp_frame *frame = thread->top + 1 - (depth < most ? depth : most);
	for (; frame <= thread->top; frame++)
		if (!frame->silent)
			write_frame(thread, frame);
	pomp_ring_publish(log);
	thread->task_logged = UINT64_MAX; /* the next creation is logged with its number */
}

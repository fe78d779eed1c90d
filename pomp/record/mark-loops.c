/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread notes the time of the pieces of a loop, whose size follows the time that they take, so
 * that noting costs at most some thousandths of it. After a piece in which the thread can have lost
 * its processor the kernel is asked for how long, which is not the work of its iterations. At the
 * loop's end the pieces become stretches: an even loop is one, a smooth one some, which keeps
 * traces small.
 *
 * The first executions of a loop have marks, then those whose number is a power of two.
 */
#include "mark-loops.h"

#include "event.h"
#include "lasting-memory.h"
#include "loop-pieces.h"

#include <stdbool.h>

enum {
	FIRST_EXECUTIONS = 4, /* have marks; of the first two more are kept than of the others */
	WHOLE_EXECUTIONS = 2,
	LATER_MOST = 16,
	HISTORIES = 64,
};

/* ns: a shorter piece is joined with the next one. */
#define LEAST_PIECE 10000

/* ns: a loss of the processor takes longer; a reading costs about 1 us. */
#define LOSS_LEAST 500000

/* How often the thread has executed a loop, by its region's number. */
struct history {
	uint64_t id, executions;
};

struct pomp_thread_marks {
	struct loop_marks notes; /* what the runtime knows of it */
	struct pomp_thread *thread;
	const struct pomp_frame *frame; /* the loop's; NULL: no loop has marks now */
	struct loop_schedule schedule;  /* the loop's */
	uint64_t execution;             /* from 0 */
	uint64_t last;                  /* ticks of the latest note */
	struct pomp_usage usage;        /* the kernel's figures as of the latest reading ... */
	uint64_t usage_ticks;           /* ... and the ticks then; 0: there are none */
	struct loop_pieces pieces;
	struct history histories[HISTORIES];
};

static struct pomp_thread_marks *marks_of(struct loop_marks *notes)
{
	return (struct pomp_thread_marks *)(void *)notes; /* they are its first member */
}

/* Returns how many ticks the thread had no processor for since the latest reading. */
static uint64_t take_delay(struct pomp_thread_marks *marks, uint64_t now)
{
	uint64_t before = marks->usage.at, since = now - marks->usage_ticks;
	struct pomp_absence absence = pomp_usage_since(&marks->usage);
	uint64_t elapsed = marks->usage.at - before;

	marks->usage_ticks = now;
	return elapsed > 0 ? (uint64_t)((double)absence.delayed * (double)since / (double)elapsed)
			   : 0;
}

static uint64_t note(struct loop_marks *notes, uint64_t low, uint64_t high)
{
	struct pomp_thread_marks *marks = marks_of(notes);
	uint64_t now = pomp_clock_ticks(&pomp_process.clock);

	if (low == high) {
		loop_pieces_begin(
		    &marks->pieces, notes->count, notes->size, pomp_interval_ticks(LEAST_PIECE));
		marks->usage_ticks = pomp_usage_begin(&marks->usage) ? now : 0;
	} else {
		uint64_t took = now - marks->last;
		if (took > pomp_interval_ticks(LOSS_LEAST) && marks->usage_ticks != 0) {
			uint64_t delay = take_delay(marks, now);
			took -= delay < took ? delay : took;
		}
		loop_pieces_add(&marks->pieces, low, high, took);
	}
	marks->last = pomp_clock_ticks(&pomp_process.clock);
	return marks->pieces.size;
}

/* Counts an execution; does it have marks? */
static bool is_marked(struct pomp_thread_marks *marks, uint64_t id)
{
	struct history *history = &marks->histories[id % HISTORIES];

	if (history->id != id)
		*history = (struct history){.id = id};
	marks->execution = history->executions++;
	return marks->execution < FIRST_EXECUTIONS ||
	       (marks->execution & (marks->execution - 1)) == 0;
}

struct loop_marks *pomp_marks_begin(const OMPRegDescr *loop, struct loop_schedule schedule)
{
	struct pomp_thread *thread = pomp_self;
	const uint32_t without = POMP_UNUSUAL_OFF | POMP_UNUSUAL_STOP | POMP_UNUSUAL_SCALED;
	uint64_t id = load_word_relaxed(&loop->data[0]);

	if (thread == NULL || !thread->log.enabled || id == 0 || load_relaxed(&thread->busy) ||
	    (load_relaxed(&thread->unusual) & without) != 0 || thread->top->silent)
		return NULL;
	if (thread->marks == NULL)
		thread->marks = pomp_lasting_memory(sizeof(*thread->marks));
	struct pomp_thread_marks *marks = thread->marks;
	/* A loop in the body of one that has marks; that one may have been left without its end. */
	if (marks == NULL || (marks->frame != NULL && marks->frame < thread->top))
		return NULL;
	marks->frame = NULL;
	if (!is_marked(marks, id))
		return NULL;
	marks->notes.note = note;
	marks->thread = thread;
	marks->schedule = schedule;
	marks->frame = thread->top;
	marks->pieces.count = 0;
	return &marks->notes;
}

void pomp_marks_end(struct loop_marks *notes)
{
	struct pomp_thread_marks *marks = marks_of(notes);
	size_t most = marks->execution < WHOLE_EXECUTIONS ? LOOP_MARKS_MOST : LATER_MOST;
	struct loop_piece stretches[LOOP_MARKS_MOST];

	if (pomp_self != marks->thread)
		return;
	marks->frame = NULL;
	size_t count = loop_pieces_join(&marks->pieces, most, stretches);
	struct pomp_thread *thread = count > 0 ? pomp_event_begin() : NULL;
	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time(thread);
	for (size_t i = 0; i < count; i++)
		pomp_event_log_mark(thread, now,
		    (uint64_t[LOOP_MARK_VALUES]){[LOOP_MARK_BEGIN] = stretches[i].begin,
			[LOOP_MARK_END] = stretches[i].end,
			[LOOP_MARK_TIME] = stretches[i].ticks,
			[LOOP_MARK_GRAIN] = stretches[i].grain,
			[LOOP_MARK_SCHEDULE] = loop_mark_schedule(marks->schedule)});
	pomp_event_drop(thread);
}

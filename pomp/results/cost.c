/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates what one event costs by running the hot path itself on a separate block that no thread
 * owns and no report includes. The cheapest batch counts, because slower ones were disturbed. The
 * estimate does not include the effect of events on the program's caches, so the true cost is a
 * little higher.
 */
#include "cost.h"

#include "fast-path.h"

#include <stdlib.h>

enum { BATCHES = 16, PAIRS = 64, FRAMES = 4, LOG_WORDS = 4 * PAIRS };

static void run_fast_pairs(struct pomp_thread *thread, bool tracing)
{
	struct pomp_fast event = {.thread = thread, .sums = &thread->none, .id = 1};

	for (int i = 0; i < PAIRS; i++) {
		pomp_fast_enter(&event, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
		/* Prevents a single record for both, because most events have others in between. */
		if (tracing)
			thread->log.cursor[-1] = 0;
		pomp_fast_leave(&event, POMP_ROLE_CONSTRUCT, TRACE_LOG_LEAVE);
	}
}

static void run_pairs(struct pomp_thread *thread, bool tracing, uint64_t *log)
{
	thread->log.cursor = tracing ? log + 1 : NULL;
	thread->log.limit = tracing ? log + LOG_WORDS : NULL;
	thread->log.time = thread->time;
	if (pomp_process.clock.counter) {
		run_fast_pairs(thread, tracing);
		return;
	}
	for (int i = 0; i < PAIRS; i++) {
		uint64_t now = pomp_event_time(thread);
		pomp_frame_push(thread, &thread->none, POMP_ROLE_CONSTRUCT, now);
		pomp_event_log(thread, TRACE_LOG_ENTER, 0, 1, now, 0, 0);
		now = pomp_event_time(thread);
		struct pomp_frame *frame =
		    pomp_frame_find(thread, &thread->none, POMP_ROLE_CONSTRUCT, now);
		if (frame != NULL)
			pomp_frame_close_simple(
			    thread, frame->accumulator, POMP_ROLE_CONSTRUCT, now);
		pomp_event_log(thread, TRACE_LOG_LEAVE, 0, 1, now, 0, 0);
	}
}

double pomp_cost_of_event(bool tracing)
{
	static struct pomp_region no_region;
	struct {
		struct pomp_frame stack[FRAMES];
		uint64_t log[LOG_WORDS + 8];
		struct pomp_thread thread; /* must be last: its accumulators would follow */
	} *scratch = calloc(1, sizeof(*scratch));
	uint64_t least = UINT64_MAX;

	if (scratch == NULL)
		return -1;
	struct pomp_thread *thread = &scratch->thread;
	thread->none.region = &no_region;
	thread->profiling = pomp_process.settings.profiling;
	thread->stack = scratch->stack;
	thread->stack_limit = scratch->stack + FRAMES;
	thread->top = scratch->stack;
	thread->top->accumulator = &thread->none;
	thread->log.window = (char *)scratch->log;
	thread->log.window_bytes = sizeof(scratch->log);
	for (int i = 0; i < BATCHES; i++) {
		uint64_t before = pomp_clock_ticks(&pomp_process.clock);
		run_pairs(thread, tracing, scratch->log);
		uint64_t ticks = pomp_clock_ticks(&pomp_process.clock) - before;
		least = ticks < least ? ticks : least;
	}
	free(scratch);
	return (double)least / (2 * PAIRS);
}

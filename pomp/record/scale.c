/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes threads slower where POMP_SCALE says so. Which factor holds:
 *
 *   a region's own       where a rule names it, for what runs inside it, up to the next region that
 *                        a rule names
 *   of a team            where its parallel region is not named: that of the thread that forked it
 *   of a task            where its construct is not named: that of its team, for what it stands
 * upon on a stack is only what waits there fork, join, create   that of the construct around: they
 * are no work of the region or the task anything else        that of `*`
 *
 * Only events divide a thread's time: what it did between two of them is one piece. A delay is made
 * in whole by the thread itself, on its processor, so that others go on meanwhile; what is too
 * short to be made is added to the next.
 */
#include "scale.h"

#include "event.h"
#include "region-scale.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Ticks; reading the clock takes about as many. */
#define SHORTEST_DELAY 64.0

/* The frame of the thread's team below this one, or the bottom of the stack. */
static const struct pomp_frame *team_below(
    const struct pomp_thread *thread, const struct pomp_frame *frame)
{
	while (frame > thread->stack && frame->role != POMP_ROLE_PARALLEL)
		frame--;
	return frame;
}

double pomp_scale_factor(const struct pomp_thread *thread)
{
	for (const struct pomp_frame *frame = thread->top; frame > thread->stack; frame--) {
		if (frame->role == POMP_ROLE_FORK || frame->role == POMP_ROLE_CREATE)
			continue;
		double scale = frame->accumulator->region->scale;
		if (scale != 0)
			return scale;
		if (frame->role == POMP_ROLE_TASK)
			frame = team_below(thread, frame);
		if (frame == thread->stack)
			break;
		if (frame->role == POMP_ROLE_PARALLEL) {
			scale = frame->accumulator->region->scale;
			return scale != 0 ? scale : frame->parallel.team->scale;
		}
	}
	return pomp_scale.others;
}

/*
 * Whether the thread has worked since its latest event, and not waited: for others, for a lock, for
 * a message, or as a thread without a region for the next one.
 */
static bool has_worked(const struct pomp_thread *thread)
{
	const struct pomp_frame *top = thread->top;

	if (thread->off != 0 || thread->scale.in_routine)
		return false;
	switch ((enum pomp_role)top->role) {
	case POMP_ROLE_BASE:
		return thread->place == 0;
	case POMP_ROLE_CONSTRUCT: {
		enum construct_kind kind = (enum construct_kind)top->accumulator->kind;
		return kind != CONSTRUCT_KIND_MPI && !construct_has_block(kind);
	}
	case POMP_ROLE_BARRIER:
	case POMP_ROLE_WAIT:
		return false;
	default:
		return true;
	}
}

/* Since when the thread's time is to be delayed; `now` at the first event of most threads. */
static uint64_t time_of_latest(const struct pomp_thread *thread, uint64_t now)
{
	uint64_t latest = thread->time > thread->scale.until ? thread->time : thread->scale.until;

	if (latest != 0)
		return latest;
	bool initial = syscall(SYS_gettid) == pomp_process.pid;
	return initial ? pomp_process.clock.start.ticks : now;
}

/* Spins for as long; less when the measurement ends meanwhile. Returns the time then. */
static uint64_t spin(const struct pomp_thread *thread, uint64_t from, double ticks)
{
	uint64_t now = from, least = (uint64_t)ticks;

	while (now - from < least && !(load_relaxed(&thread->unusual) & POMP_UNUSUAL_STOP)) {
		uint64_t read = pomp_clock_ticks(&pomp_process.clock);
		now = read > now ? read : now;
	}
	return now;
}

void pomp_scale_delay(struct pomp_thread *thread)
{
	uint64_t now = pomp_clock_ticks(&pomp_process.clock);
	uint64_t latest = time_of_latest(thread, now);

	if (now < latest)
		now = latest;
	if (has_worked(thread))
		thread->scale.owed += (pomp_scale_factor(thread) - 1) * (double)(now - latest);
	if (thread->scale.owed >= SHORTEST_DELAY) {
		uint64_t end = spin(thread, now, thread->scale.owed);
		thread->scale.owed -= (double)(end - now);
		/* Another thread had the processor meanwhile: that is no delay of this one's work.
		 */
		if (thread->scale.owed < -SHORTEST_DELAY)
			thread->scale.owed = 0;
		now = end;
	}
	thread->scale.until = now;
}

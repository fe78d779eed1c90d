/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes threads slower where POMP_SCALE demands it. Which factor holds:
 *
 *   a region that a rule names      its own factor, for whatever runs inside it, up to the next
 *                                   region that a rule names
 *   a parallel region without one   the factor of the thread that forked its team
 *   a task without one              the factor of the thread's team: whatever else is below the
 *                                   task on the stack only waits there
 *   fork, join, create              the factor of the enclosing construct: they are no work of the
 *                                   region or the task
 *   anything else                   the factor of `*`
 *
 * Only events divide a thread's time: whatever it did between two events is one piece. The thread
 * itself spins for the whole delay, on its own processor, so that others continue meanwhile. A
 * delay that is too short is added to the next.
 */
#include "scale.h"

#include "measured-team.h"
#include "process-state.h"
#include "region-scale.h"

#include <sys/syscall.h>
#include <unistd.h>

/* In ticks; reading the clock takes about this long. */
#define SHORTEST_DELAY 64.0

/* Returns the PARALLEL frame of the thread's team below this frame, or the bottom of the stack. */
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
 * Returns whether the thread has worked since its latest event. It has not if it waited: for other
 * threads, for a lock, for a message, or, as a worker outside of any region, for the next one.
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

/*
 * Returns the time from which the thread is to be delayed; `now` at the first event of most
 * threads.
 */
static uint64_t time_of_latest(const struct pomp_thread *thread, uint64_t now)
{
	uint64_t latest = thread->time > thread->scale.until ? thread->time : thread->scale.until;

	if (latest != 0)
		return latest;
	bool initial = syscall(SYS_gettid) == pomp_process.pid;
	return initial ? pomp_process.clock.start.ticks : now;
}

/* Spins for that many ticks, or until the measurement ends. Returns the time at the end. */
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
		/*
		 * If another thread had the processor meanwhile, that is no delay of this thread's
		 * work.
		 */
		if (thread->scale.owed < -SHORTEST_DELAY)
			thread->scale.owed = 0;
		now = end;
	}
	thread->scale.until = now;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel where a long interval went, and accounts it to the frame on top of the stack. */
#include "long-interval.h"

#include "blocked-calls.h"
#include "process-state.h"
#include "process-usage.h"
#include "thread-log.h"
#include "thread-samples.h"

#include <errno.h>
#include <unistd.h>

/* ns: a reading takes about 1 us, so that this length keeps its cost below 0.5 % of the time. */
#define LONG_INTERVAL 250000

/* No interval is long; only a clock that goes back is still noticed. */
#define NEVER_LONG (UINT64_MAX / 2)

void pomp_interval_begin(struct pomp_thread *thread)
{
	int error = errno;
	/* The initial thread was there before its first event. */
	bool is_initial = pomp_process_usage_take_initial(&thread->usage);
	bool works = is_initial || pomp_usage_begin(&thread->usage);

	thread->usage_ticks =
	    is_initial ? pomp_process.clock.start.ticks : pomp_clock_ticks(&pomp_process.clock);
	thread->time = thread->usage_ticks;
	pomp_blocked_begin(thread);
	thread->long_interval = works ? pomp_interval_ticks(LONG_INTERVAL) : NEVER_LONG;
	thread->usage_is_late = false;
	errno = error;
}

void pomp_interval_begin_late(struct pomp_thread *thread)
{
	thread->usage = (struct pomp_usage){.at = pomp_clock_monotonic()};
	thread->usage_ticks = thread->time = thread->late_since =
	    pomp_clock_ticks(&pomp_process.clock);
	thread->usage_is_late = true;
	thread->long_interval = pomp_interval_ticks(LONG_INTERVAL);
	pomp_blocked_begin(thread);
}

/* Takes the first reading of a thread that began late. */
static void read_late(struct pomp_thread *thread)
{
	struct pomp_usage now;

	thread->usage_is_late = false;
	if (!pomp_usage_begin(&now))
		thread->long_interval = NEVER_LONG;
	else if (now.ran > now.at - thread->usage.at)
		thread->usage = now;
}

/*
 * Returns whether OpenMP or MPI let the thread wait, so that it had no work in the interval.
 * Outside of teams there is no one of OpenMP to wait for.
 */
static bool is_wait(const struct pomp_thread *thread, const struct pomp_frame *frame)
{
	enum construct_kind kind = (enum construct_kind)frame->accumulator->kind;

	if (frame->role == POMP_ROLE_FORK ||
	    (frame->role == POMP_ROLE_CONSTRUCT && kind == CONSTRUCT_KIND_MPI))
		return true;
	if (thread->team == NULL)
		return false;
	switch ((enum pomp_role)frame->role) {
	case POMP_ROLE_BARRIER:
	case POMP_ROLE_WAIT:
		return true;
	case POMP_ROLE_CONSTRUCT:
		/* Before its block, a critical or ordered waits to enter it. */
		if (construct_has_entry(kind) && frame->children == 0)
			return true;
		break;
	default:
		break;
	}
	return thread->scale.in_routine;
}

/* What the kernel counted between two readings; times in ticks. */
struct counted {
	uint64_t delayed, blocked, system, faults;
	uint64_t since; /* between the readings */
	double rate;    /* ticks in a nanosecond, between the readings */
};

static struct counted count_usage(struct pomp_thread *thread)
{
	struct pomp_usage before = thread->usage;
	struct pomp_absence absence = pomp_usage_since(&thread->usage);
	const struct pomp_usage *after = &thread->usage;
	uint64_t ticks = pomp_clock_ticks(&pomp_process.clock);
	struct counted counted = {.since = ticks - thread->usage_ticks};
	uint64_t elapsed = after->at - before.at;
	double rate = elapsed > 0 ? (double)counted.since / (double)elapsed : 0;

	counted.rate = rate;
	thread->usage_ticks = ticks;
	counted.delayed = (uint64_t)((double)absence.delayed * rate);
	counted.blocked = (uint64_t)((double)absence.blocked * rate);
	counted.system = (uint64_t)((double)(after->system - before.system) * rate);
	counted.faults =
	    after->minor_faults + after->major_faults - before.minor_faults - before.major_faults;
	return counted;
}

/*
 * A thread that lost its processor after the time of its event was taken, and before the kernel was
 * asked, was not delayed in this interval, but is in the next one. A reading takes about 1 us; a
 * longer one is such a loss.
 */
static void leave_to_next(struct pomp_thread *thread, struct counted *counted, uint64_t now)
{
	const double least = 10000;
	uint64_t after = thread->usage_ticks - now;

	if (thread->usage_ticks < now || (double)after < least * counted->rate)
		return;
	if (after > counted->delayed)
		after = counted->delayed;
	counted->delayed -= after;
	thread->usage_ticks -= after;
	pomp_usage_put_back(
	    &thread->usage, counted->rate > 0 ? (uint64_t)((double)after / counted->rate) : 0);
}

static void add_sum(struct pomp_thread *thread, enum pomp_figure figure, uint64_t value)
{
	uint64_t *sums = thread->team != NULL ? thread->figures : thread->serial;

	sums[figure] += value;
}

static void add_to_region(struct pomp_frame *frame, enum pomp_figure figure, uint64_t value)
{
	if (frame->accumulator->figures != NULL)
		add_own(&frame->accumulator->figures[figure], value);
}

static void add_figure(
    struct pomp_thread *thread, struct pomp_frame *frame, enum pomp_figure figure, uint64_t value)
{
	add_sum(thread, figure, value);
	add_to_region(frame, figure, value);
}

/* An absence is accounted like the wait before a critical: see pomp_account_entry(). */
static void account(
    struct pomp_thread *thread, struct pomp_frame *frame, const struct counted *counted)
{
	uint64_t absence = counted->delayed + counted->blocked;
	/* The region that forks a team; an archive does not show that of the team before it begins.
	 */
	struct pomp_frame *region = frame->role == POMP_ROLE_FORK ? frame - 1 : frame;

	add_figure(thread, region, POMP_FIGURE_SYSTEM, counted->system);
	add_figure(thread, region, POMP_FIGURE_FAULTS, counted->faults);
	if (is_wait(thread, frame)) {
		bool is_own = frame->role == POMP_ROLE_BARRIER || frame->role == POMP_ROLE_WAIT;

		/* A construct has what belongs to the wait at its end. */
		add_sum(thread, POMP_FIGURE_WAIT_DELAYED, counted->delayed);
		if (is_own)
			add_to_region(frame, POMP_FIGURE_WAIT_DELAYED, counted->delayed);
		return;
	}
	add_figure(thread, frame, POMP_FIGURE_DELAYED, counted->delayed);
	add_figure(thread, frame, POMP_FIGURE_BLOCKED, counted->blocked);
	/* The call of a lock's routine adds its whole time. */
	if (!thread->scale.in_routine)
		frame->children += absence;
	if (thread->team != NULL)
		thread->waited += absence;
}

/*
 * Returns whether the thread belongs to a runtime that keeps it for later teams: what it waits for
 * between them is no loss of its own. The first thread of the process works before its first team.
 */
static bool is_kept(const struct pomp_thread *thread)
{
	return thread->top == thread->stack && thread->in_parallel == 0 &&
	       gettid() != pomp_process.pid;
}

/* The calls that the thread was seen in, if it was blocked in the interval of this length. */
static void account_calls(
    struct pomp_thread *thread, const struct counted *counted, uint64_t length)
{
	uint64_t since = counted->rate > 0 ? (uint64_t)((double)length / counted->rate) : 0;

	if (counted->blocked > 0 && !is_wait(thread, thread->top) && !is_kept(thread))
		pomp_blocked_add(thread, thread->top, counted->blocked, thread->usage.at - since);
	else
		pomp_blocked_forget(thread);
}

uint64_t pomp_interval_end(struct pomp_thread *thread, uint64_t now)
{
	if (now < thread->time)
		return thread->time;
	int error = errno;
	uint64_t length = now - thread->time;
	if (unlikely(thread->usage_is_late))
		read_late(thread);
	if (unlikely(thread->samples_are_late))
		pomp_samples_catch_up(thread);
	struct counted counted = count_usage(thread);

	leave_to_next(thread, &counted, now);
	if (thread->top->silent) {
		pomp_blocked_forget(thread);
		errno = error;
		return now;
	}
	/*
	 * What does not fit into the interval belongs to short ones before it; nothing shows which.
	 */
	if (counted.delayed > length)
		counted.delayed = length;
	if (counted.blocked > length - counted.delayed)
		counted.blocked = length - counted.delayed;
	if (length < counted.since / 2)
		counted.system = counted.faults = 0;
	if (thread->profiling)
		account(thread, thread->top, &counted);
	thread->time = now;
	pomp_event_log_usage(thread, now,
	    (uint64_t[]){counted.delayed, counted.blocked, counted.system, counted.faults});
	account_calls(thread, &counted, length);
	errno = error;
	return now;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A clock for samples that is finer than the kernel's ticks: perf_event's task clock. The timer of
 * a thread expires at ticks. A thread that ticks or timers wake up, or that takes turns with
 * others, works at the same moments between two ticks each time, and ticks see always the same part
 * of its work: 100 and 0 % for two functions that take 75 and 25 %. The task clock goes on where it
 * stopped when the thread stopped, so it sees all parts alike.
 *
 * Why not every thread has one. Measured on a virtual machine (Linux 6.18, processor time): a
 * signal of it takes 25 to 40 us, of a timer 5; each time that a thread leaves and gets a processor
 * takes 3 us more with it; to begin and end it takes 15 us, a timer 2; and without privilege it
 * cannot see the kernel's code. So the observer gives one to a thread that leaves its processor
 * often enough for ticks to be wrong, and not so often that it costs much; to all threads if more
 * samples are wanted than there are ticks. Such a thread keeps its timer for what it does in the
 * kernel (sample-timer.c): both together take 1 % of its processor time, and 3 us for each wait.
 *
 * The event's descriptor is one of the observer's, which has its own table of them: the program
 * cannot see or close it, it does not count against the program's limit, and children do not
 * inherit it. It counts user code only, so its signal comes at once, to a thread that runs: a
 * signal that is sent while the kernel works for the thread would interrupt the system call.
 *
 * Where the machine has the counters that are wanted (POMP_SAMPLE_COUNTERS), all threads have the
 * clock, unless they leave their processors too often: the clock leads a group of these counters,
 * and with each of its signals the kernel writes what they have counted into a ring of 4 KB, which
 * the observer maps and the handler reads (sample-ring.h). In a thread that would have no clock
 * without counters, its signals are no samples of time, so that these do not depend on whether the
 * machine has counters: a timer sees what the kernel does for the thread better. A group that has
 * to share the processor's counters with others would get no signals meanwhile, so the process then
 * goes on without counters. Beside the clock such a thread may have an event of a counter of its
 * own, which sends the signal after so many counts (POMP_SAMPLE_EVENT): a sample of these, and of
 * no time.
 *
 * Who sees what: the observer opens, judges and closes. `event`, `reading` and `counting` tell the
 * thread, which then sees what belongs to it (release, acquire). `signals` tells the observer that
 * they arrive, and `shared` that others use the counters (relaxed: words that are complete by
 * themselves). The ring is used with `lock` held, which both only try to get (acquire, release): a
 * handler that does not get it has no counts; the observer then leaves the ring mapped for good, 8
 * KB, which hardly ever happens.
 */
#ifndef EXACT_CLOCK_H
#define EXACT_CLOCK_H

#include "pomp-atomics.h"
#include "sample-ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a thread has the clock for. */
enum pomp_clock_use {
	POMP_CLOCK_UNUSED,  /* nothing: it does not have it */
	POMP_CLOCK_SAMPLES, /* its samples of user code */
	POMP_CLOCK_COUNTS,  /* to read its counters */
};

struct pomp_exact_clock {
	/*
	 * pomp_exact_event(), 0: none: of the clock if it takes samples; of the clock if it does
	 * not; and of what takes samples of events.
	 */
	_Atomic uint64_t event, reading, counting;
	_Atomic uint32_t signals; /* that the thread has counted */
	_Atomic uint32_t shared;  /* bool: the counters did not count all the time */
	uint32_t period;          /* microseconds between two signals of the event */
	_Atomic uint32_t lock;
	void *ring; /* NULL: no counters */

	/* The observer's own. */
	enum pomp_clock_use use;
	int32_t thread; /* whose the rest is; 0: nobody's */
	int32_t file;   /* the event's descriptor; -1: none */
	int32_t counting_file;
	int32_t counter[SAMPLE_COUNTERS_MOST]; /* the same of the counters in its group */
	bool useless;                          /* its signals do not arrive */
	uint64_t judged;                       /* CLOCK_MONOTONIC, the latest time; 0: never */
	uint64_t pause;                        /* ns, until the next time */
	uint64_t ran, switches;                /* what the kernel had then counted */
	uint64_t ran_at_signal; /* `ran` when `signals` was last seen to increase ... */
	uint32_t seen_signals;  /* ... to this */
};

static inline uint64_t pomp_exact_event(int32_t thread, int32_t file)
{
	return (uint64_t)(uint32_t)thread << 32 | (uint32_t)file;
}

/* Returns whether the thread has the clock now. */
static inline bool pomp_exact_clock_runs(const struct pomp_exact_clock *clock, int32_t thread)
{
	return clock != NULL && load_acquire(&clock->event) >> 32 == (uint32_t)thread;
}

/* Which signal it sends, after about so many microseconds, and the counters. Before the observer
 * starts. */
void pomp_exact_clock_prepare(
    int signal, uint32_t microseconds, uint64_t counters, struct sample_event event);

/*
 * In the handler of one of its signals: gives what each counter has counted since *before, the
 * previous time. False: there are no counters, or it is not known how much of it belongs to this
 * signal.
 */
bool pomp_exact_clock_counts(
    struct pomp_exact_clock *clock, struct pomp_ring_reading *before, uint64_t *counts);

/* In the handler of a signal that is a sample of events: gives what was counted at its place. */
void pomp_exact_clock_event_counts(uint64_t *counts);

/* Returns the set of the counters whose counts these are, by order. */
uint64_t pomp_exact_clock_slots(void);

/* Returns the part of it that any thread of the process had. */
uint64_t pomp_exact_clock_counters(void);

/* Called by the observer: whether it is time to judge the thread again. */
bool pomp_exact_clock_is_due(const struct pomp_exact_clock *clock, int32_t thread, uint64_t now);

/*
 * Called by the observer: gives the thread the clock or takes it away, by how long it has run (ns)
 * and what the kernel says of it (/proc/self/task/N/status).
 */
void pomp_exact_clock_judge(
    struct pomp_exact_clock *clock, int32_t thread, uint64_t now, uint64_t ran, const char *status);

/* Called by the observer: the thread has ended, or is another one. */
void pomp_exact_clock_close(struct pomp_exact_clock *clock);

/* In the child of a fork, where nothing is open. */
void pomp_exact_clock_forget(struct pomp_exact_clock *clock);

#endif

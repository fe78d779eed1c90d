/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A timer for each thread that sends it a signal after each so many microseconds of its processor
 * time. A thread that sleeps gets none, so no system call of the program is interrupted by it. A
 * thread that has the exact clock too takes its samples of user code by that.
 */
#ifndef SAMPLE_TIMER_H
#define SAMPLE_TIMER_H

#include "exact-clock.h"
#include "pomp-atomics.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Which states it has, and who changes them:
 *
 *   none    -> exists  its thread starts it
 *   none    -> late    its thread has begun without it
 *   late    -> making  the observer (acquire: what the thread wrote before)
 *   making  -> exists  the observer
 *   any     -> none    its thread ends. It deletes a timer that exists; if the observer is about to
 *                      make one, the observer finds the state changed and deletes it. Only the
 *                      observer sets `making`, and there is one, so it is its own that it finds
 */
struct pomp_sample_timer {
	_Atomic uint64_t state; /* POMP_TIMER_EXISTS + the kernel's number of the timer, or ... */

	/* Only the thread itself and its handler use the rest. */
	int32_t thread;                 /* whose it is */
	struct pomp_exact_clock *exact; /* NULL: it cannot have that */

	/* While it has the exact clock; microseconds of processor time as of the latest tick. */
	bool is_exact;
	uint64_t begin;       /* from then on it has it */
	uint64_t ran, system; /* and what of it was in the kernel */
	uint64_t counted;     /* samples since `begin` */
	uint64_t rest;        /* of user code, less than a sample */
	uint64_t due;         /* how many more there should be, as of the latest tick */
	uint64_t ticks;       /* since `begin` ... */
	uint64_t kernel_ticks,
	    kernel_samples; /* ... that saw it in the kernel, and samples of them */
	uint64_t latest;    /* CLOCK_MONOTONIC of the latest one of the exact clock; ns */
	struct pomp_ring_reading reading; /* of the counters, at that one */

	/* Where a sample stands for several: see pomp_sample_take_each(). */
	uint32_t steps; /* periods after which the timer expires, without that clock */
	bool is_off;    /* no samples were taken when it last expired */
	uint32_t waiting,
	    unknown;       /* samples that are due and belong to the next one that is taken */
	uint32_t readings; /* signals of the counters alone, since the latest that was taken */
	bool has_counts;
	uint64_t counts[SAMPLE_COUNTERS_MOST]; /* what they have counted since */
};

enum { POMP_TIMER_NONE, POMP_TIMER_LATE, POMP_TIMER_MAKING, POMP_TIMER_EXISTS };

/*
 * Called in the handler: how many samples the signal stands for, how many more were due while it
 * was blocked, nobody knows where, what the counters have counted (NULL: not known), and the
 * handler's context. A sample of events is 0 samples with counts.
 */
typedef void pomp_sampled(
    uint32_t samples, uint32_t unknown, const uint64_t *counts, const void *context);

/*
 * Installs the handler; false: errno says why not. From then on `sampled` is called for signals of
 * timers. microseconds: of processor time between two samples of a thread; the kernel rounds it up
 * to its ticks, mostly 4 ms. counters: which ones count beside them, if they can; event: of which
 * others are.
 */
bool pomp_sample_prepare(
    uint32_t microseconds, uint64_t counters, struct sample_event event, pomp_sampled *sampled);

/*
 * Starts the calling thread's timer; false: errno says why not, and it takes no samples. exact:
 * what tells whether it has the exact clock; NULL: it never has.
 */
bool pomp_sample_start(struct pomp_sample_timer *timer, struct pomp_exact_clock *exact);

/* Ends the calling thread's timer. Returns whether the thread had none until then: it was late. */
bool pomp_sample_stop(struct pomp_sample_timer *timer);

/* Leaves the calling thread's timer to pomp_sample_start_late(). */
void pomp_sample_late(struct pomp_sample_timer *timer, struct pomp_exact_clock *exact);

/*
 * Starts a late timer for another thread, or the calling one, which began `elapsed` ns ago. What
 * that thread may have run since is made up for by samples that come at once. False: it is not
 * late, or cannot be started. It only calls the kernel.
 */
bool pomp_sample_start_late(struct pomp_sample_timer *timer, int32_t thread, uint64_t elapsed);

/*
 * From now on, a sample is taken when so many are due, and stands for all of these; 0: none is
 * taken. A thread does so from its next signal on, which comes after a second of its processor time
 * at the latest. Any thread may call it.
 */
void pomp_sample_take_each(uint32_t number);

/* In the child of a fork, to which timers are not inherited. */
void pomp_sample_forget(struct pomp_sample_timer *timer);

#endif

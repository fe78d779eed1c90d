/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel has counted of the calling thread, and where its time went between two readings.
 * A thread that does not run either waits for a processor, because others have them or its quota is
 * used up, or is blocked in a system call: input and output, a sleep, a mutex of somebody else's.
 *
 * A reading takes two system calls, 0.5 to 1.2 us. The third source, /proc/thread-self/schedstat,
 * is opened only if a thread was blocked and away for long, since no file is kept open: a program
 * may close all its descriptors.
 */
#ifndef THREAD_USAGE_H
#define THREAD_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>

/*
 * What the kernel's figures say of a region, outside of the regions and waits in it, or of a
 * thread. Times are in ticks, as all sums of libpomp.
 */
enum pomp_figure {
	POMP_FIGURE_DELAYED,      /* ready to work, without a processor */
	POMP_FIGURE_BLOCKED,      /* in a system call, outside of OpenMP's waits */
	POMP_FIGURE_SYSTEM,       /* ran in the kernel */
	POMP_FIGURE_FAULTS,       /* page faults */
	POMP_FIGURE_WAIT_DELAYED, /* without a processor in OpenMP's waits */
	POMP_FIGURES,
};

/* What the kernel counts; nanoseconds and counts since the thread began. */
struct pomp_usage {
	uint64_t at;     /* CLOCK_MONOTONIC at the reading */
	uint64_t ran;    /* on a processor */
	uint64_t system; /* the part of `ran` in the kernel, by the kernel's ticks */
	uint64_t minor_faults, major_faults;
	uint64_t blocked; /* how often it left its processor voluntarily */
	uint64_t queued; /* how long it waited for a processor, as of the last time that was read */
	uint64_t
	    explained; /* the part of that which earlier calls of pomp_usage_since() gave away */
};

/* Time between two readings in which the thread did not run; nanoseconds. */
struct pomp_absence {
	uint64_t delayed; /* it waited for a processor */
	uint64_t blocked; /* it waited for something else */
};

/* Returns nanoseconds. */
static inline uint64_t pomp_usage_from_timeval(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Whether a thread's reading failed, so that sums of them are incomplete. */
bool pomp_usage_was_refused(void);
extern _Atomic bool pomp_usage_refused __attribute__((visibility("hidden"))); /* any thread */

/* Takes the first reading of the calling thread; false: the kernel refuses. */
bool pomp_usage_begin(struct pomp_usage *usage);

/*
 * Reads the figures of the calling thread into *usage, which holds those of its previous reading,
 * and returns how long it did not run meanwhile. A few microseconds of absence are below what two
 * readings can tell: they count as none.
 */
struct pomp_absence pomp_usage_since(struct pomp_usage *usage);

/* The next call of pomp_usage_since() returns so many nanoseconds of delay that this one did. */
void pomp_usage_put_back(struct pomp_usage *usage, uint64_t delayed);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics of one thread, which reads them itself: now[] holds what its latest event read. A
 * read takes about a system call. It comes before the event's time is taken on entering and after
 * it on leaving, so that its time counts towards whatever encloses the construct.
 */
#ifndef THREAD_METRICS_H
#define THREAD_METRICS_H

#include "metrics.h"

struct pomp_thread;
struct pomp_frame;

struct pomp_thread_metrics {
	unsigned count;
	bool is_paused;                       /* they are not read, and now[] stays as it is */
	bool papi, rusage;                    /* which sources are read */
	int papi_set;                         /* PAPI's event set, of this thread */
	uint64_t now[POMP_METRICS_MAX];       /* as of the latest read */
	uint64_t base[POMP_METRICS_MAX];      /* counted by earlier threads in the same place */
	uint64_t suspended[POMP_METRICS_MAX]; /* counted in tasks that ran inside the current one */
	uint64_t reads;
	uint64_t *enter; /* for each frame of the stack: now[] and suspended[] when it was pushed */
};

/* Starts and stops the calling thread's counters; `thread` is its block. */
void pomp_metrics_attach(struct pomp_thread *thread);
void pomp_metrics_detach(struct pomp_thread *thread);

/* Grows with the region stack to its new size; false when memory ran out. */
bool pomp_metrics_grow(struct pomp_thread *thread, size_t frames);

/*
 * Stops and resumes reading. What is counted in between is left out: visits that are open then have
 * the rest.
 */
void pomp_metrics_pause(struct pomp_thread_metrics *metrics, bool pauses);

/* Reads the counters of the calling thread, unless that is paused. */
void pomp_metrics_read(struct pomp_thread_metrics *metrics);

/* Returns how many ticks one read takes the calling thread now; 0 if it measures none. */
double pomp_metrics_cost(const struct pomp_thread *thread);

/*
 * Called when any frame was pushed, and when the frame of a construct or of a task is popped and
 * counts.
 */
void pomp_metrics_enter(struct pomp_thread *thread, const struct pomp_frame *frame);
void pomp_metrics_leave(struct pomp_thread *thread, const struct pomp_frame *frame);
void pomp_metrics_leave_task(struct pomp_thread *thread, const struct pomp_frame *frame);

/* Writes a METRICS record at cursor; returns where the next record goes. */
uint64_t *pomp_metrics_append(
    const struct pomp_thread_metrics *metrics, uint64_t *cursor, uint64_t distance);

#endif

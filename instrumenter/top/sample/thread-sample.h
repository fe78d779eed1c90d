/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread did, from looks at it: each look reads its state, and what the kernel has counted
 * since the look before. The time between two looks counts for the state at its end.
 */
#ifndef THREAD_SAMPLE_H
#define THREAD_SAMPLE_H

#include "ompd-extensions.h"
#include "thread-times.h"

/* The categories of doc/summary.md, as far as looks from outside can tell them. */
enum doing {
	DOING_WORK,    /* executes the program, and ran */
	DOING_DELAYED, /* executes the program, could have run, and had no processor */
	DOING_BLOCKED, /* executes the program, and was in a system call or stopped */
	DOING_WAIT,    /* waits in OpenMP */
	DOING_IDLE,    /* a worker without a region */
	DOING_COUNT
};

/* Times of looks, not yet divided. All in ns. */
struct looked {
	uint64_t executes; /* in the program */
	uint64_t ran, delayed;
	uint64_t waits, idle;
};

/* A span of time by what was done. */
struct shares {
	uint64_t ns[DOING_COUNT];
};

void looked_add(struct looked *to, const struct looked *from);
struct shares looked_shares(const struct looked *looked);
void shares_add(struct shares *to, const struct shares *from);
uint64_t shares_sum(const struct shares *shares);

/*
 * The part of the threads' time that was work on a processor, 0 to 1; negative: there was no time.
 */
double shares_efficiency(const struct shares *shares);

struct thread_sample {
	pid_t thread;
	ompdx_thread_t record; /* of the last look that could read it */
	struct thread_times times;
	uint64_t looked_at; /* when: CLOCK_MONOTONIC; 0: never */
	/* Since when each look has found the same wait; 0: it does not wait, or not so. */
	uint64_t same_since;
	struct looked current; /* of the interval that runs */
	struct shares interval, whole;
	bool is_seen; /* by the last look */
};

/*
 * Adds a look at `now`. record->problem: the state is not known, and the time since the look before
 * counts for nothing. The result is what the look has added.
 */
struct looked thread_sample_add(struct thread_sample *sample, const ompdx_thread_t *record,
    const struct thread_times *times, uint64_t now);

/* Ends the interval: `interval` is what was looked at since the end before. */
void thread_sample_end_interval(struct thread_sample *sample);

/* How long, in ns, its wait has been the same at each look; 0: it does not wait, or ran meanwhile.
 */
uint64_t thread_sample_unchanged(const struct thread_sample *sample);

/* A state as JSON has it ("barrier"), and as people read it ("waits at a barrier"). */
const char *state_key(uint32_t state);
const char *state_text(uint32_t state);

#endif

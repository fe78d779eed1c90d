/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which system calls threads are blocked, seen from outside 10 to 40 times a second: the kernel
 * tells the call of a thread that sleeps (/proc/self/task/N/syscall), and afterwards nothing does.
 * How long a thread was blocked is measured elsewhere, exactly; this tells for what.
 */
#ifndef BLOCKED_OBSERVER_H
#define BLOCKED_OBSERVER_H

#include "exact-clock.h"
#include "pomp-atomics.h"
#include "sample-timer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	POMP_BLOCKED_DEPTH = 12, /* frames of a path at most */
	POMP_BLOCKED_CALLS = 24, /* different ones of a thread between two of its long intervals */
	POMP_BLOCKED_WORDS = 64, /* of a stack, which are kept */
	POMP_BLOCKED_MAX = 1 << 16, /* the most looks that one may have */
};

/* A system call of one thread, and its path to it. */
struct pomp_blocked_call {
	int64_t number; /* of the system call; -1: none, the kernel reads memory from a file */
	uint32_t depth; /* how many addresses, innermost first */
	uint32_t looks; /* how often it was seen */
	uint64_t last;  /* CLOCK_MONOTONIC, when it was last seen */
	uint64_t address[POMP_BLOCKED_DEPTH];
};

/*
 * What was seen of one thread. The observer adds calls, the thread takes them away, each with
 * `lock` held. Both only try to get it: neither waits for the other.
 */
struct pomp_observed {
	struct pomp_observed *next;
	_Atomic int32_t thread; /* its number in the kernel; 0: nobody's */
	_Atomic uint32_t lock;
	uint32_t count;
	struct pomp_blocked_call call[POMP_BLOCKED_CALLS];
	struct pomp_exact_clock exact;

	/* A timer that the observer shall start, NULL: none; and since when, CLOCK_MONOTONIC. */
	_Atomic(struct pomp_sample_timer *) late;
	_Atomic uint64_t late_since;

	/* The observer's own. */
	int32_t file, file_thread; /* the thread's file, and whose it is; 0: not open */
	size_t text_length;
	char text[160];   /* what the file then contained ... */
	size_t top_count; /* ... the words on top of its stack ... */
	uint64_t top[POMP_BLOCKED_WORDS];
	struct pomp_blocked_call latest; /* ... and the path that follows from both */
};

/* Starts the observer; without support there is none. Called by the initial thread if it is first.
 */
void pomp_observer_start(void);

/* Ends the observer and waits until it has ended. */
void pomp_observer_stop(void);

/* In the child of a fork, which has no observer: forgets the parent's threads and starts one. */
void pomp_observer_after_fork(void);

/*
 * Lets the calling thread be observed: a few stores if `before`, of which a thread has left, is
 * there for it. NULL: memory ran out, or there is no observer.
 */
struct pomp_observed *pomp_observer_join(struct pomp_observed *before);
void pomp_observer_leave(struct pomp_observed *observed);

/*
 * Lets the observer start a timer that is late (pomp_sample_late()), if the thread that is observed
 * is still there in some 25 ms; false: there is no observer.
 */
bool pomp_observer_wants(struct pomp_observed *observed, struct pomp_sample_timer *timer);

/* Returns on how many processors the threads that are observed can run together; 0: unknown. */
uint64_t pomp_observer_bound(void);

/*
 * Takes the calls that were seen since the previous time, into an array of POMP_BLOCKED_CALLS.
 * Returns how many there are.
 */
size_t pomp_observer_take(struct pomp_observed *observed, struct pomp_blocked_call *calls);

#endif

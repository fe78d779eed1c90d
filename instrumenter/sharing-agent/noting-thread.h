/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread of the program has: its number, the epoch in which it is, its calls. An epoch is a
 * number of the process for the time between two barriers of a team; all members have the same.
 */
#ifndef SHARING_NOTING_THREAD_H
#define SHARING_NOTING_THREAD_H

#include "agent-atomics.h"

#include "shared/processor.h"

#include <stdbool.h>
#include <stdint.h>

struct line_record;
struct moved_table;
struct line_share;
struct touch_thread;

enum { CACHED_SHARES = 64, CALLS_KEPT = 64 };

/* Accesses from sample to sample: from the least on, by chance. */
enum {
	SAMPLE_LEAST = 16,
	SAMPLE_SPREAD = 32,
	SAMPLE_MEAN = SAMPLE_LEAST + (SAMPLE_SPREAD - 1) / 2
};

/* Its share of a line's record, if the line is the one that was looked up last. */
struct cached_share {
	struct line_record *record;
	struct line_share *share;
};

/*
 * Only the thread itself writes, except `next`; others read `calls` when the program ends.
 *
 * The fields up to `callers` are also used by access-calls.c, which is linked into each program. If
 * they or the bits of a line's state (noted-lines.h) change, the number in noting_self's name below
 * must, so that a program with a library that does not fit does not start.
 */
struct noting_thread {
	uint64_t tag;             /* of the states of its lines; 0: nothing is noted yet */
	uint64_t tag_of_several;  /* of lines that several threads read in the epoch */
	_Atomic uint64_t *states; /* noted_states; NULL before the tag is first set */
	uint32_t countdown;       /* accesses until the next sample */
	uint32_t depth;           /* of calls, of which the innermost CALLS_KEPT are in the ring */
	uintptr_t callers[CALLS_KEPT];
	uint32_t period; /* what the countdown began with */
	uint32_t number; /* within the process, from 1 on */
	uint32_t epoch, random;
	int32_t member; /* in its team; -1: no team */
	bool has_ended;
	bool is_ending;            /* it is in a signal handler that ends the process */
	bool in_atomic;            /* what it is noting is an atomic operation that writes */
	bool is_in_task;           /* explicit: tasks may be ordered by other means than barriers */
	bool is_stolen;            /* ... which another thread has created */
	bool is_in_chunks;         /* in a loop whose chunks go to threads that ask for them */
	bool is_serial;            /* in no team of several threads */
	uintptr_t region;          /* the call that has begun its team's region, or 0 */
	struct moved_table *moved; /* or NULL */
	_Atomic uint64_t calls;    /* accesses up to the last sample */
	const void *allocates;     /* who called operator new, or NULL */
	void *handler_stack;       /* or NULL */
	struct noting_thread *next;   /* in the list of all */
	struct team_epoch *team;      /* or NULL */
	struct touch_thread *touches; /* what it has counted of pages, or NULL */
	struct cached_share cache[CACHED_SHARES];
};

/* A name for what the programs' copy of access-calls.c uses of the library. */
#define FOR_PROGRAMS(name) __asm__("ompinst_sharing_" name) __attribute__((visibility("default")))

extern _Thread_local struct noting_thread noting_self FOR_PROGRAMS("self_1") PROCESSOR_THREAD_LOCAL;

/*
 * A state for each line of the address space, and behind them the samples (noted-lines.h);
 * NULL: nothing is noted. Constant after the begin.
 */
extern _Atomic uint64_t *noted_states __attribute__((visibility("hidden")));

/* Are accesses noted? Changes when the program ends, and in a child of fork(). */
extern _Atomic bool noting_is_on;

/* Makes the calling thread known. False: nothing is noted. */
bool noting_thread_begin(struct noting_thread *self);

/* The thread is in this epoch from now on. */
void noting_thread_enter(struct noting_thread *self, uint32_t epoch);

/* The thread has this number in its team from now on; -1: it is in no team. */
void noting_thread_set_member(struct noting_thread *self, int32_t member);

/* The latest number in a team of the thread with this number in tags; -1: unknown. */
int32_t noting_member_of(uint32_t tag_number);

/* Chooses when the next sample is due; the accesses up to now are counted. */
void noting_thread_sampled(struct noting_thread *self);

/* An epoch that no thread has been in, and the call that has begun its region; 0: it is in none. */
uint32_t noting_new_epoch(uintptr_t region);

/* The region of one of the latest epochs, of which the last bits are enough. */
uintptr_t noting_epoch_region(uint64_t epoch);

/* The epoch of threads that are in no team. */
uint32_t noting_outer_epoch(void);
void noting_begin_outer_epoch(void);

/* How many threads and accesses there were. */
uint32_t noting_thread_count(void);
uint64_t noting_call_count(void);

/* The functions around the caller, innermost first; returns how many, at most `room`. */
unsigned noting_callers(const struct noting_thread *self, uintptr_t *frames, unsigned room);

#endif

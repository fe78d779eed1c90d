/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ended those waits whose cause becomes known only after the wait, because it is an action of
 * another process of the program: by the waiting thread, in the order of time.
 *
 * Ends are packed and beyond a limit in a temporary file (spill.h). Memory is a few bytes for each
 * piece of many ends, a piece for each thread that has ends, and what is open: at most
 * REMOTE_OPEN_MOST ends of a thread wait for an earlier one that is not known yet. Ends that become
 * known even later than that are kept in a second sequence, and only those that are out of order
 * there as well stay in memory as they are.
 */
#ifndef REMOTE_ENDS_H
#define REMOTE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REMOTE_OPEN_MOST = 4096 };

/* A wait that lasted until `to`; what the thread `by` did at `at` ended it. All times are ticks. */
struct remote_end {
	uint64_t to, at;
	uint32_t by;
};

struct remote_ends;

/* memory_max: how many bytes of packed ends may stay in memory. */
struct remote_ends *remote_ends_new(size_t threads, size_t memory_max);
void remote_ends_free(struct remote_ends *ends);

/*
 * A call of the thread lasted until `to`, and may have waited. Times of a thread must ascend.
 * Returns a number for remote_ends_know(), which must follow.
 */
uint64_t remote_ends_open(struct remote_ends *ends, uint32_t thread, uint64_t to);
/* Says what ended it; `by` is PATH_NONE if nothing did. `to` as for remote_ends_open(). */
void remote_ends_know(
    struct remote_ends *ends, uint32_t thread, uint64_t number, const struct remote_end *end);

/* Adds an end that is known. */
void remote_ends_add(struct remote_ends *ends, uint32_t thread, const struct remote_end *end);

/* Call when all is known; only then the following functions find all ends. */
void remote_ends_finish(struct remote_ends *ends);

/* What ended the thread's wait that lasted until exactly `to`; false if nothing did. */
bool remote_ends_find(
    struct remote_ends *ends, uint32_t thread, uint64_t to, struct remote_end *found);

/*
 * The thread's last end until `time`; false if there is none. Ends that became known very late are
 * not considered.
 */
bool remote_ends_before(
    struct remote_ends *ends, uint32_t thread, uint64_t time, struct remote_end *found);

/*
 * Visits all ends of the thread. When they are added in this order, the memory that they need does
 * not grow.
 */
void remote_ends_for_each(struct remote_ends *ends, uint32_t thread,
    void (*visit)(void *context, const struct remote_end *end), void *context);

#endif

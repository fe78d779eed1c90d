/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The windows that event logs will need next, prepared by a thread of this library while events go
 * into the current ones: reserving, mapping and populating a window costs about a third of what
 * filling it does. The thread starts when some log has shown that it needs windows often; without
 * it (and whenever it is late) the thread that needs a window prepares it.
 */
#ifndef AHEAD_H
#define AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_log;

/*
 * A log's next window. Only the log's owner changes bytes. The rest changes under the lock of the
 * queue; while the order is in work, it is the working thread's and no lock is needed.
 */
struct pomp_next {
	enum { NEXT_NONE, NEXT_WANTED, NEXT_IN_WORK, NEXT_READY } state; /* under the lock */
	struct pomp_log *queue; /* the log that comes after this one */
	uint64_t offset;        /* in the file */
	size_t bytes;
	char *window;     /* READY: the mapping, NULL when it could not be made */
	char *old_window; /* WANTED: to be unmapped before */
	size_t old_bytes;
};

/* Orders the window at `offset`, and the old one's unmapping. State must be NONE. */
void pomp_ahead_order(
    struct pomp_log *log, uint64_t offset, size_t bytes, char *old, size_t old_bytes);

/*
 * Takes the ordered window; NULL if there is none, because it was never ordered, could not be made,
 * or has not been begun (then the old one is unmapped here). State is NONE afterwards.
 */
char *pomp_ahead_take(struct pomp_log *log);

/* Ends the thread. */
void pomp_ahead_stop(void);

/* In the child of a fork: there is no thread and nothing is ordered. */
void pomp_ahead_after_fork(void);

#endif

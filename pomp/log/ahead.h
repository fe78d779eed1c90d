/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prepares the windows that event logs will need next, in a thread of this library, while events go
 * into the current ones: reserving, mapping and populating a window costs about a third of filling
 * it. The thread starts when some log has needed windows often. Without it, and whenever it is
 * late, the thread that needs a window prepares the window itself.
 */
#ifndef AHEAD_H
#define AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_log;

/*
 * A log's next window. Only the log's owner changes `bytes`. The rest changes under the lock of the
 * queue; while the order is in work, it belongs to the working thread and needs no lock.
 */
struct pomp_next {
	enum { NEXT_NONE, NEXT_WANTED, NEXT_IN_WORK, NEXT_READY } state; /* under the lock */
	struct pomp_log *queue; /* the next log in the queue */
	uint64_t offset;        /* in the file */
	size_t bytes;
	char *window;     /* READY: the mapping; NULL if that failed */
	char *old_window; /* WANTED: to be unmapped first */
	size_t old_bytes;
};

/* Orders the window at `offset`, and the unmapping of the old one. */
void pomp_ahead_order(
    struct pomp_log *log, uint64_t offset, size_t bytes, char *old, size_t old_bytes);

/*
 * Takes the ordered window. Returns NULL if there is none, because it was never ordered, could not
 * be made, or is not in work yet (then this function unmaps the old one). The state is then NONE.
 */
char *pomp_ahead_take(struct pomp_log *log);

/* Ends the thread. */
void pomp_ahead_stop(void);

/* In the child of a fork: there is no thread and no order. */
void pomp_ahead_after_fork(void);

#endif

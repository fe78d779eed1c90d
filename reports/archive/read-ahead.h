/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that does work in advance, item by item, in the order of the requests. An item belongs
 * to it from ahead_request() until ahead_await() returns, and to the caller otherwise.
 */
#ifndef READ_AHEAD_H
#define READ_AHEAD_H

#include <stdbool.h>

/* Embedded in what is worked on. Set to zeros at first. */
struct ahead_item {
	struct ahead_item *next; /* in the queue; under its lock */
	bool is_done;            /* so is this */
};

struct ahead;

/* Without a thread, or if none can be created, work is done when it is awaited. */
struct ahead *ahead_start(void (*work)(struct ahead_item *item), bool has_thread);

/* Ends the thread after all requested work is done, and frees it. */
void ahead_stop(struct ahead *ahead);

void ahead_request(struct ahead *ahead, struct ahead_item *item);

/* Returns when the item, which was requested, is done. */
void ahead_await(struct ahead *ahead, struct ahead_item *item);

#endif

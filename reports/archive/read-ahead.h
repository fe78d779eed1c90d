/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that does work in advance, item by item, in the order of the requests. It owns an item
 * from ahead_request() until ahead_await() returns; otherwise the caller owns the item.
 */
#ifndef READ_AHEAD_H
#define READ_AHEAD_H

#include <stdbool.h>

/* Embedded in the struct to work on. Initially zeros. */
struct ahead_item {
	struct ahead_item *next; /* in the queue; under its lock */
	bool is_done;            /* under the lock of the queue, too */
};

struct ahead;

/* If has_thread is false or no thread can be created, ahead_await() does the work itself. */
struct ahead *ahead_start(void (*work)(struct ahead_item *item), bool has_thread);

/* Frees `ahead`; its thread finishes all requested work first. */
void ahead_stop(struct ahead *ahead);

void ahead_request(struct ahead *ahead, struct ahead_item *item);

/* Waits until the requested item is done. */
void ahead_await(struct ahead *ahead, struct ahead_item *item);

#endif

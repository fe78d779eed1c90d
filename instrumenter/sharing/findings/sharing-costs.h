/* SPDX-License-Identifier: BSD-3-Clause */
/* What accesses to a line that changes its thread cost more than others, by how a thread uses it.
 */
#ifndef SHARING_COSTS_H
#define SHARING_COSTS_H

/*
 * A thread waits for a line that another one has when it reads it, unless it has just written what
 * it reads, or when it writes atomically. Plain writes alone cost nothing: the processor makes them
 * later.
 */
enum sharing_use {
	SHARING_UPDATES, /* reads and writes of the same words of one line */
	SHARING_WALKS,   /* the same of many lines in turns */
	SHARING_READS,   /* reads of words that the thread seldom writes */
	SHARING_ATOMICS, /* atomic operations that write */
	SHARING_USES,
};

/* Seconds, where a thread's accesses of this use come so far apart. */
typedef double sharing_transfer_cost(const void *context, enum sharing_use use, double apart);

struct sharing_costs {
	sharing_transfer_cost *cost;
	const void *context;
	double fixed; /* seconds of a transfer, whatever it is of; 0: as above */
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits and times of every call path on every thread. A call path is a stack of regions; those of
 * all processes form one tree, whose root is the program itself. Memory is bounded by the number of
 * call paths times that of threads, whatever the number of events.
 */
#ifndef CALL_SUMS_H
#define CALL_SUMS_H

#include "analysis.h"
#include "export.h"
#include "gathering.h"
#include "sample-stacks.h"

/* A call path on a thread, without what is called from there. */
struct call_cell {
	uint64_t visits;
	uint64_t ticks;
	uint64_t
	    wait; /* among the ticks: those of a wait, of which call_sums_wait() says the kind */
};

struct call_sums {
	struct sample_stacks stacks; /* only of regions; node 0 is the program */
	struct call_cell **rows;     /* by node: a cell for each column; NULL: all are zero */
	size_t room;                 /* of the rows */
	uint32_t *order;             /* all nodes of `stacks.regions`, each before what it calls */
	size_t columns;
};

/*
 * Reads all events. columns: by location, its column from 0 to count - 1, or ARCHIVE_NO_INDEX if it
 * is not chosen. Of the choice only the time applies. The time that a thread with events spends
 * outside of all regions is the program's own, so that the ticks of a thread add up to the run; for
 * streams of accelerators and recorders of metrics it is not known.
 */
void call_sums_read(struct call_sums *sums, struct archive *archive,
    const struct export_choice *choice, const uint32_t *columns, size_t count);
void call_sums_free(struct call_sums *sums);

/* What is gathered for it. */
extern const struct gathering gathered_call_sums;

/*
 * The kind of wait in a node's cells: ACTIVITY_BARRIER, _TASK_WAIT or _LOCK, or ACTIVITY_NONE if
 * there is none, as everywhere outside of parallel regions.
 */
enum activity call_sums_wait(const struct call_sums *sums, uint32_t node);

/* The node's region: an index of the archive's, ARCHIVE_NO_INDEX or REGION_DEEPER. */
static inline uint32_t call_sums_region(const struct call_sums *sums, uint32_t node)
{
	return sums->stacks.regions.nodes[node].region;
}

#endif

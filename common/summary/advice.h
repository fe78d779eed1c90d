/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of the advice. Each looks at one kind of loss, computes how much of the thread time it
 * takes, and writes one or two sentences. What a sentence claims must follow from the figures:
 * doc/summary.md lists the evidence for each, test/summary/advice-case.c plants it.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "common/summary-figures.h"
#include "shared/constructs.h"

#include <stdbool.h>
#include <string.h>

/* Time in which threads did not run, or in which others waited for them; ns. */
struct advice_absence {
	uint64_t delayed; /* they had no processor */
	uint64_t blocked; /* they were in system calls */
};

struct advice_view {
	const struct summary *summary;
	const struct summary_figures *figures;
	uint64_t barrier_waits;       /* advice_barrier_waits() */
	struct advice_absence behind; /* advice_waits_behind() */
};

/* A figure that was not measured counts as none. */
static inline uint64_t advice_known(uint64_t value)
{
	return value == SUMMARY_NOT_MEASURED ? 0 : value;
}

/*
 * Returns the loss as part of the capacity, 0 or less if there is none; `text`, with
 * SUMMARY_ADVICE_SIZE bytes, is only written if there is a loss.
 */
typedef double advice_rule(const struct advice_view *view, char *text);

/* Returns the construct of a summary's region; CONSTRUCT_OTHER if it is unknown. */
static inline enum construct_id advice_construct(const struct summary_region *region)
{
	return region->name ? construct_find(region->name, strlen(region->name)) : CONSTRUCT_OTHER;
}

/*
 * advice-regions.c: waits at constructs and locks. The first function returns the part of all waits
 * that may be at barriers; at most SUMMARY_NOT_MEASURED.
 */
uint64_t advice_barrier_waits(const struct summary *summary);
/* Returns how long threads waited in constructs for others that did not run. */
struct advice_absence advice_waits_behind(const struct summary *summary);
advice_rule advise_waits_at_end, advise_waits_at_entry, advise_lock;
/*
 * The same as advise_waits_at_end(), for a chosen part, without what only all threads and regions
 * show.
 */
advice_rule advise_chosen_end;

/* The words for the threads in a sentence, and for the time that its share refers to. */
static inline const char *advice_threads(const struct advice_view *view)
{
	return view->summary->chosen_threads > 0 ? "the chosen threads" : "threads";
}

static inline const char *advice_time(const struct advice_view *view)
{
	return view->summary->chosen_threads > 0 ? "their time" : "the thread time";
}

/*
 * advice-processor.c: the share of the capacity in which threads had no processor, or others waited
 * for them meanwhile; below 1.
 */
double advice_delayed_share(const struct advice_view *view);
/* Whether it is the program itself or its limits that leave too few processors to its threads. */
bool advice_lacks_processors(const struct summary *summary);

/*
 * advice-behind.c: the innermost parallel region around the line; in a program with only one, that
 * one; NULL: unknown.
 */
const struct summary_region *advice_parallel_of(
    const struct summary *summary, const char *file, int line);

/* advice-behind.c: the construct or the tasks that explain a wait; both NULL: unknown. */
struct advice_behind {
	const struct summary_region *region;
	const struct summary_task *task;
	bool is_small; /* each of the tasks is too small; otherwise one is too long */
};

/* Finds the cause for threads that lose this much at the end of the region. */
struct advice_behind advice_find_behind(
    const struct advice_view *view, const struct summary_region *region, uint64_t loss);

/* Writes half a sentence about the cause, which must not be empty. */
void advice_write_behind(char *text, size_t size, const struct advice_behind *behind,
    const struct summary_region *region);

/*
 * Returns whether it is a single whose block alone, without tasks and other constructs, takes half
 * of the loss.
 */
bool advice_works_alone(const struct summary_region *region, uint64_t loss);

/* Returns whether tasks were executed in the same parallel region as the construct. */
bool advice_has_tasks(const struct summary *summary, const struct summary_region *region);

/* Whether the time to create tasks was measured apart; runtimes do not report it to tools. */
static inline bool advice_knows_creation(const struct summary_task *task)
{
	return task->create_time != SUMMARY_NOT_MEASURED && task->create_time > 0 &&
	       task->created > 0;
}

/* Returns whether a task runs less than ten times as long as its creation takes, on average. */
bool advice_is_small(const struct summary_task *task);

/*
 * advice-regions.c: returns the tasks that are too small and that advise_waits_at_end() names, or
 * NULL.
 */
const struct summary_task *advice_small_tasks_at_end(const struct advice_view *view);

/* Adds the expected effect of the change to the text, if it is known. */
void advice_add_expected(
    const struct advice_view *view, char *text, const struct summary_proposal *proposal);

/* advice-mpi.c */
advice_rule advise_mpi;

/*
 * advice-memory.c: writes a sentence about page faults, if they are known to take much of the
 * kernel's time. time, share: the kernel's; most: half a sentence about where.
 */
bool advice_write_faults(const struct summary *summary, const char *time, const char *share,
    const char *most, char *text);

/* advice-processor.c: threads without a processor, blocked in system calls, in the kernel. */
advice_rule advise_delayed, advise_blocked, advise_kernel;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of the advice. Each looks at one kind of loss, says how much of the thread time it
 * takes, and writes one or two sentences. What a sentence claims must follow from the figures:
 * doc/summary.md has the evidence for each, test/summary/advice-case.c plants it.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "shared/constructs.h"
#include "shared/summary-figures.h"

#include <stdbool.h>
#include <string.h>

struct advice_view {
	const struct summary *summary;
	const struct summary_figures *figures;
	uint64_t barrier_waits; /* advice_barrier_waits() */
};

/*
 * Returns the loss as part of the capacity, 0 or less for none; text, of SUMMARY_ADVICE_SIZE, is
 * written only when there is one.
 */
typedef double advice_rule(const struct advice_view *view, char *text);

/* The construct of a summary's region; CONSTRUCT_OTHER for none that is known. */
static inline enum construct_id advice_construct(const struct summary_region *region)
{
	return region->name ? construct_find(region->name, strlen(region->name)) : CONSTRUCT_OTHER;
}

/*
 * advice-regions.c: waits at constructs and locks. The first: of all waits, what is not known to be
 * at something else than barriers; at most SUMMARY_NOT_MEASURED.
 */
uint64_t advice_barrier_waits(const struct summary *summary);
advice_rule advise_waits_at_end, advise_waits_at_entry, advise_lock;
/* As advise_waits_at_end(), of what was chosen, without what only all threads and regions show. */
advice_rule advise_chosen_end;

/* What threads are called in a sentence, and the time that its share is of. */
static inline const char *advice_threads(const struct advice_view *view)
{
	return view->summary->chosen_threads > 0 ? "the chosen threads" : "threads";
}

static inline const char *advice_time(const struct advice_view *view)
{
	return view->summary->chosen_threads > 0 ? "their time" : "the thread time";
}

/* advice-behind.c: a construct, or tasks, or nothing (both NULL) that is known. */
struct advice_behind {
	const struct summary_region *region;
	const struct summary_task *task;
	bool is_small; /* of the tasks each is too small, rather than one long */
};

/* For threads that lose so much at the end of the region. */
struct advice_behind advice_find_behind(
    const struct advice_view *view, const struct summary_region *region, uint64_t loss);

/* Half a sentence about it; it is something. */
void advice_write_behind(char *text, size_t size, const struct advice_behind *behind,
    const struct summary_region *region);

/* Whether it is a single whose block itself, without tasks and other constructs, takes half of it.
 */
bool advice_works_alone(const struct summary_region *region, uint64_t loss);

/* Whether tasks were executed in the same parallel region as the construct. */
bool advice_has_tasks(const struct advice_view *view, const struct summary_region *region);

/* Whether a task runs less than ten times as long as its creation takes, on average. */
bool advice_is_small(const struct summary_task *task);

/* advice-regions.c: the tasks that are too small and that advise_waits_at_end() names, or NULL. */
const struct summary_task *advice_small_tasks_at_end(const struct advice_view *view);

/* Adds what the change would bring to the text, where that is known. */
void advice_add_expected(
    const struct advice_view *view, char *text, const struct summary_proposal *proposal);

/* advice-mpi.c */
advice_rule advise_mpi;

#endif

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

/* Adds what the change would bring to the text, where that is known. */
void advice_add_expected(
    const struct advice_view *view, char *text, const struct summary_proposal *proposal);

/* advice-mpi.c */
advice_rule advise_mpi;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the work of a construct grows with the number of threads: caches, memory and contention make
 * the same iterations take longer. One run does not show it; runs with other numbers of threads do.
 */
#ifndef GROWTH_H
#define GROWTH_H

#include "recorder.h"

struct growth {
	/* By construct of the run that is predicted from: work is threads to this power. */
	double *exponents;
	size_t count;
	/* The construct whose work differs most, and how: for a note. RECORDED_NONE: none does. */
	uint32_t most;
	uint32_t from, to; /* threads of the two runs */
	double times;      /* its work with `to` threads, of that with `from` */
};

/* The threads of the recording's largest team. */
uint32_t growth_threads(const struct recording *recording);

/*
 * Adds what the other run shows; it must have another number of threads. Of several runs the last
 * one that has a construct counts.
 */
void growth_add(struct growth *growth, const struct analysis *analysis,
    const struct recording *recording, const struct analysis *other_analysis,
    const struct recording *other);
void growth_free(struct growth *growth);

/* Makes the work of each construct what it is with that many threads instead of `from`. */
void growth_apply(
    const struct growth *growth, struct recording *recording, uint32_t from, uint32_t threads);

#endif

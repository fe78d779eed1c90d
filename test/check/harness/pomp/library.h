/* SPDX-License-Identifier: BSD-3-Clause */
/* What harnesses of libpomp have in common: the library measures, and there is something to
 * measure. */
#ifndef LIBRARY_H
#define LIBRARY_H
#include "event.h"
#include "experiment.h"

/* Measurement is on, with a profile, as if the library's start had come before the run. */
void library_measures(void);
/* The same with event logs, whose folder is there. */
void library_traces(void);

/* Descriptors of regions, not registered. */
enum { LIBRARY_REGIONS = 3 };
extern OMPRegDescr library_loop[LIBRARY_REGIONS], library_parallel, library_critical;

/* Gives the calling thread its block. */
struct pomp_thread *library_thread(void);

/* Returns how often the region with that id, from 1, was visited. Takes the process lock. */
uint64_t library_visits(uint64_t id);

#endif

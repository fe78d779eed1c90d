/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the files that the processes of one run left in their folder. */
#ifndef RACE_COLLECTION_H
#define RACE_COLLECTION_H

#include "race-reports.h"
#include "word-list.h"

struct race_collected {
	bool seen;           /* ThreadSanitizer ran in some process */
	bool wrong_mappings; /* ... and failed, because of where memory was mapped */
	const char *fatal;   /* another fatal message of its, or NULL */
	const char *problem; /* of a log that cannot be used, or NULL */
};

/*
 * Adds the reports of all logs in the folder. The caller owns and frees names, because the reports'
 * arena may jump out of this function.
 */
struct race_collected race_collect(
    struct race_reports *reports, struct words *names, const char *folder, unsigned run);

#endif

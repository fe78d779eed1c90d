/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processes of one run have left in their folder. */
#ifndef RACE_COLLECTION_H
#define RACE_COLLECTION_H

#include "race-reports.h"
#include "words.h"

struct race_collected {
	bool seen;           /* ThreadSanitizer ran in some process */
	bool wrong_mappings; /* ... and could not, because of where memory was */
	const char *fatal;   /* its other last words, or NULL */
	const char *problem; /* of a log that is not taken, or NULL */
};

/*
 * Adds the reports of all logs in the folder. names is the caller's, who frees it: the arena of the
 * reports may leave this function.
 */
struct race_collected race_collect(
    struct race_reports *reports, struct words *names, const char *folder, unsigned run);

#endif

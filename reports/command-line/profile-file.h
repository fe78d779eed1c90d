/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profile as JSON, as `ompinst snapshot`, POMP_SNAPSHOT, a program's end and `ompreport summary`
 * write it: the sums of a run without its events.
 */
#ifndef PROFILE_FILE_H
#define PROFILE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/summary-figures.h"

/*
 * The summary has what the file says of the whole run, of regions and of metrics; the figures are
 * those of the file. Texts and rows belong to the profile.
 */
struct profile_file {
	struct summary summary;
	struct summary_figures figures;
	struct summary_region *regions;
	struct summary_metric *metrics;
	size_t region_room, metric_room;
};

/* Whether the file begins as a profile in JSON does. */
bool profile_file_is(const char *path);

/* Returns 0, or -1 after a message. profile_file_free() must follow in either case. */
int profile_file_read(struct profile_file *profile, const char *path);
void profile_file_free(struct profile_file *profile);

/* Prints what a report that needs an archive can do with the profile: nothing. */
void profile_file_refuse(const char *path);

#endif

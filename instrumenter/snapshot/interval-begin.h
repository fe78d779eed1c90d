/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file in which an interval's begin is kept: the sums as they were then. It belongs to one
 * process, by its number and when it began, and to one measurement in it: another one begins when
 * the process becomes another program. From opening to finishing nobody else uses the file, so that
 * each visit is in one interval, however many readers there are.
 */
#ifndef INTERVAL_BEGIN_H
#define INTERVAL_BEGIN_H

#include "measured-process.h"
#include "replaced-file.h"

struct interval_begin {
	struct replaced_file file;
	const struct process_facts *facts;
	struct summary summary; /* of the begin ... */
	bool is_known;          /* ... or the measurement's start, if false */
	char *bytes;            /* that contain its texts */
	const struct live_profile_functions *functions;
};

/*
 * Opens the file, or, if `path` is NULL, the one of this user and process in a private folder.
 * False with *error. interval_begin_finish() must follow in either case.
 */
bool interval_begin_open(struct interval_begin *begin, const char *path,
    const struct process_facts *facts, const struct live_profile_functions *functions,
    char **error);

/*
 * Reads the file. One that is not there, or is of the same process's measurement before, is an
 * interval from the start. False with *error: it is of another process or version, or no such file.
 */
bool interval_begin_read(
    struct interval_begin *begin, const struct live_profile *profile, char **error);

/* Replaces the file at once by these bytes of a packed summary. False with *error. */
bool interval_begin_write(struct interval_begin *begin, const struct live_profile *profile,
    const void *packed, size_t bytes, char **error);

void interval_begin_finish(struct interval_begin *begin);

#endif

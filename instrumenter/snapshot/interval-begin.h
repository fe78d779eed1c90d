/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file in which an interval's begin is kept: the sums as they were then. It belongs to one
 * process, by its number and when it began.
 */
#ifndef INTERVAL_BEGIN_H
#define INTERVAL_BEGIN_H

#include "measured-process.h"

struct interval_begin {
	char *path;             /* heap */
	struct summary summary; /* of the begin ... */
	bool is_known;          /* ... or the process's start, if false */
	char *bytes;            /* that contain its texts */
	const struct live_profile_functions *functions;
};

/*
 * Reads the file, or, if `path` is NULL, the one of this user and process in a private folder. A
 * file that is not there is an interval from the process's start. False with *error: it is of
 * another process or version, or no such file. interval_begin_finish() must follow.
 */
bool interval_begin_read(struct interval_begin *begin, const char *path,
    const struct process_facts *facts, const struct live_profile_functions *functions,
    char **error);

/* Replaces the file at once by these bytes of a packed summary. False with *error. */
bool interval_begin_write(const struct interval_begin *begin, const struct process_facts *facts,
    const void *packed, size_t bytes, char **error);

void interval_begin_finish(struct interval_begin *begin);

/* Writes a file under another name and renames it. False with *error. */
bool replace_file(const char *path, const char *head, size_t head_bytes, const void *data,
    size_t bytes, char **error);

#endif

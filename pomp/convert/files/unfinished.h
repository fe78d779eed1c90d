/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder in which an archive is made: TRACE_LOG_UNFINISHED in the experiment's folder. */
#ifndef UNFINISHED_H
#define UNFINISHED_H

#include <inttypes.h>
#include <stdint.h>

/* Its files, relative to it. */
#define UNFINISHED_TRACES "traces" /* a folder */
#define UNFINISHED_EVENTS UNFINISHED_TRACES "/%" PRIu64 ".evt"
#define UNFINISHED_LOCAL  UNFINISHED_TRACES "/%" PRIu64 ".def"
#define UNFINISHED_GLOBAL "traces.def"
#define UNFINISHED_ANCHOR "traces.otf2"

/*
 * Makes the folder, if there is none, and locks it as long as the returned descriptor is open.
 * Returns -1 with a message (heap) when that is impossible, or when another process is at work
 * there.
 */
int convert_unfinished_lock(const char *folder, char **error);

/*
 * Removes the remains of an archive without an anchor, there and in the experiment's folder, and
 * makes what a new one needs. bytes: of the logs; an archive that certainly does not fit is not
 * begun. Returns 0, or -1 with a message.
 */
int convert_unfinished_make(const char *folder, uint64_t bytes, char **error);

/*
 * Moves the archive to the experiment's folder, its anchor last. Returns NULL, or the name of what
 * could not be moved, with errno.
 */
const char *convert_unfinished_rename(const char *folder);

/* Removes an archive that will not be finished. */
void convert_unfinished_remove(const char *folder);

/* Removes the folder, which must be empty. */
void convert_unfinished_leave(const char *folder);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of time for archives of too many locations to open all. */
#ifndef EVENTS_APART_H
#define EVENTS_APART_H

#include "archive.h"

/*
 * Like archive_for_each_event(), of which it is a part. Reads process by process, and keeps all
 * events in a temporary file (spill.h) until they are passed on. The archive has locations.
 */
void archive_merge_apart(struct archive *archive, archive_consume *consume, void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An archive's events as slices: stretches of time in which a thread was in a region, properly
 * nested on every thread. A task that is suspended is cut there; its slices go on where, and on the
 * thread on which, it is resumed, within what that thread was in then.
 */
#ifndef SLICES_H
#define SLICES_H

#include "archive.h"

/* Times are ticks. Regions are indices, ARCHIVE_NO_INDEX for one without definition. */
struct slice_sink {
	void *context;
	void (*start)(void *context, uint64_t time); /* of the first event, before all others */
	void (*open)(void *context, uint32_t location, uint32_t region, uint64_t time);
	/*
	 * Closes the innermost one of the location, open since begin; depth others are around it.
	 */
	void (*close)(void *context, uint32_t location, uint32_t region, uint64_t begin,
	    uint64_t end, size_t depth);
	/* Metrics and MPI's events, in their order; or NULL. */
	void (*event)(void *context, const struct archive_event *event);
};

/* Reads all events. What is open at a thread's last event is closed there. */
void slices_read(struct archive *archive, const struct slice_sink *sink);

/* "for @file.c:6": the region's name without OpenMP's mark. */
const char *slices_region_name(const struct archive *archive, uint32_t region);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An archive's events as slices: intervals in which a thread was in a region, properly nested on
 * every thread. The slices of a task are cut where it is suspended. They continue when and on which
 * thread it is resumed, nested in what that thread was in then.
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
	 * Closes the location's innermost slice, open since begin; depth other slices are around
	 * it.
	 */
	void (*close)(void *context, uint32_t location, uint32_t region, uint64_t begin,
	    uint64_t end, size_t depth);
	/* Gets samples, metrics, acquired locks and MPI events, in order; may be NULL. */
	void (*event)(void *context, const struct archive_event *event);
	/*
	 * The slice that was opened last on the location begins a visit, instead of continuing a
	 * task's; may be NULL.
	 */
	void (*visit)(void *context, uint32_t location, uint64_t time);
};

/*
 * Reads all events in the order of time. Slices still open at a thread's last event are closed
 * there.
 */
void slices_read(struct archive *archive, const struct slice_sink *sink);

/*
 * The same, event by event, for an archive that is read process by process: its start is then that
 * of a process. The sink must exist until slices_free(), which takes what slices_end() has ended.
 */
struct slices *slices_new(const struct archive *archive, const struct slice_sink *sink);
void slices_event(struct slices *slices, const struct archive_event *event);
void slices_free(struct slices *slices);

/*
 * Closes the slices of locations without further events, which are all of some processes. The next
 * event is a first one again. Returns the time of the last event, or 0 without events.
 */
uint64_t slices_end(struct slices *slices, const uint32_t *locations, size_t count);

/* "for @file.c:6": the region's name without OpenMP's mark. */
const char *slices_region_name(const struct archive *archive, uint32_t region);

#endif

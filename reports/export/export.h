/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of `ompreport export` get: slices that are already clipped and chosen. */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdio.h>

#include "command.h"
#include "slices.h"

struct export
{
	const struct archive *archive;
	FILE *out;
	uint64_t origin; /* ticks: time 0 of the output */
	uint64_t slices; /* handed out so far */
	void *state;     /* the format's own */
};

/* One end of a message. */
struct export_message {
	uint64_t number;         /* the same at both ends */
	uint64_t time;           /* ticks */
	uint32_t location, peer; /* peer: the other end's process */
	uint32_t tag;
	uint64_t bytes;
	bool is_sent;
};

/*
 * One format; any function may be NULL. Times of slices are ticks. A format takes whole slices, the
 * inner ones before those around them, or their two ends, which are in the order of time on every
 * location.
 */
struct export_format {
	void (*begin)(struct export *export);
	void (*slice)(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
	    uint64_t end, size_t depth);
	void (*open)(struct export *export, uint32_t location, uint32_t region, uint64_t time);
	void (*close)(struct export *export, uint32_t location, uint64_t time);
	/* After the begins around it; those of a location in the order of time. */
	void (*message)(struct export *export, const struct export_message *message);
	/* What a metric (index in the archive) of the location has been since this time. */
	void (*counter)(struct export *export, uint32_t location, uint32_t metric, uint64_t time,
	    uint64_t value);
	void (*end)(struct export *export);
};

extern const struct export_format export_chrome, export_csv, export_perfetto;

/* Ticks of the archive in nanoseconds. */
static inline uint64_t export_nanoseconds(const struct export *export, uint64_t ticks)
{
	return (
	    uint64_t)((unsigned __int128)ticks * 1000000000 / export->archive->ticks_per_second);
}

/* Folded stacks, which are sums and no slices. thread: which locations count. */
void export_flamegraph(struct archive *archive, const struct options *options, FILE *out);

#endif

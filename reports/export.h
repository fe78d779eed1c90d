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
	void (*end)(struct export *export);
};

extern const struct export_format export_chrome, export_csv, export_perfetto;

/* Ticks of the archive in nanoseconds. */
uint64_t export_nanoseconds(const struct export *export, uint64_t ticks);

/* Folded stacks, which are sums and no slices. thread: which locations count. */
void export_flamegraph(struct archive *archive, const struct options *options, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exports archives to the formats of other viewers: the choice of what to export, and the interface
 * of a format.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdio.h>

#include "common/csv-writer.h"
#include "common/json-writer.h"
#include "sample-stacks.h"
#include "slices.h"

#define EXPORT_TO_END UINT64_MAX

/* The choice of slices to export. */
struct export_choice {
	uint64_t from, to;     /* ns since the first event; to: EXPORT_TO_END for no limit */
	uint64_t min_duration; /* ns */
	const void *context;   /* passed to the functions */
	bool (*takes_thread)(const void *context, const struct archive *archive, size_t location);
	bool (*takes_region)(const void *context, const char *name); /* NULL: takes all */
	void (*forget)(const void *context); /* both forget whether they have taken anything */
};

struct export
{
	const struct archive *archive;
	FILE *out;
	uint64_t origin; /* ticks: time 0 of the output */
	uint64_t slices; /* written so far */
	const struct sample_stacks *stacks;
	/* For use by the format. */
	struct json_writer json;
	struct csv_writer csv;
	void *state;
};

/* One end of a message. */
struct export_message {
	uint64_t number;         /* the same at both ends */
	uint64_t time;           /* ticks */
	uint32_t location, peer; /* peer: the process of the other end */
	uint32_t tag;
	uint64_t bytes;
	bool is_sent;
};

/*
 * One format; any function may be NULL. Times of slices are ticks. A format takes either whole
 * slices, inner ones before those around them, or the two ends of slices, in the order of time on
 * every location.
 */
struct export_format {
	void (*begin)(struct export *export);
	void (*slice)(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
	    uint64_t end, size_t depth);
	void (*open)(struct export *export, uint32_t location, uint32_t region, uint64_t time);
	void (*close)(struct export *export, uint32_t location, uint64_t time);
	/* Comes after the begins around it; messages of a location come in the order of time. */
	void (*message)(struct export *export, const struct export_message *message);
	/* The value of a location's metric (index in the archive) from this time on. */
	void (*counter)(struct export *export, uint32_t location, uint32_t metric, uint64_t time,
	    uint64_t value);
	/* The location executed a stack (node) or waited there; `stacks` has it. */
	void (*sample)(
	    struct export *export, uint32_t location, uint32_t node, bool waits, uint64_t time);
	void (*end)(struct export *export);
};

extern const struct export_format export_chrome, export_csv, export_perfetto;

static inline uint64_t export_ticks(const struct archive *archive, uint64_t nanoseconds)
{
	return (uint64_t)((unsigned __int128)nanoseconds * archive->ticks_per_second / 1000000000);
}

/* The chosen part of time in ticks, where the first event is at `first`. */
static inline void export_span(const struct archive *archive, const struct export_choice *choice,
    uint64_t first, uint64_t *from, uint64_t *to)
{
	*from = first + export_ticks(archive, choice->from);
	*to = choice->to == EXPORT_TO_END ? UINT64_MAX : first + export_ticks(archive, choice->to);
}

/* Converts the archive's ticks to nanoseconds. */
static inline uint64_t export_nanoseconds(const struct export *export, uint64_t ticks)
{
	return (
	    uint64_t)((unsigned __int128)ticks * 1000000000 / export->archive->ticks_per_second);
}

/* Reads all events. Returns the number of slices written. The caller checks `out` for errors. */
uint64_t export_slices(struct archive *archive, const struct export_choice *choice, FILE *out,
    const struct export_format *format);

/*
 * Writes folded stacks, or a tree for Hatchet. These are sums of time rather than slices, so only
 * the choice's time and threads apply.
 */
void export_flamegraph(struct archive *archive, const struct export_choice *choice, FILE *out);
void export_hatchet(struct archive *archive, const struct export_choice *choice, FILE *out);

#endif

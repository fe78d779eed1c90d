/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions by the place in the source that they stand at, with what they lost. */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/summary-figures.h"

/* One region that has a line. */
struct annotation {
	const struct summary_region *region;
	char *name;    /* "file.c:12 for" */
	uint64_t gain; /* ns of thread time */
	double share;  /* of all threads' time; negative: unknown */
};

/* The regions of one file. */
struct annotated_file {
	const char *path;
	size_t first, count; /* annotations */
	uint64_t gain;       /* of all of them, ns */
};

/* By file and line, of one line the greatest gain first. */
struct annotations {
	struct annotation *annotations;
	size_t count, unplaced; /* unplaced: regions without a line */
	struct annotated_file *files;
	size_t file_count;
};

/* Whether a region of that name counts. */
typedef bool annotation_filter(const void *context, const char *name);

/* Of the regions that `takes` takes; NULL takes all. Valid as long as the summary. */
struct annotations annotations_collect(const struct summary *summary,
    const struct summary_figures *figures, annotation_filter *takes, const void *context);
void annotations_finish(struct annotations *annotations);

#endif

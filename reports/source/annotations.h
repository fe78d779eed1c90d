/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions with what they lost, by their place in the source. */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/summary-figures.h"

/* A region that has a line. */
struct annotation {
	const struct summary_region *region;
	char *name;    /* "file.c:12 for" */
	uint64_t gain; /* ns of thread time */
	double share;  /* of all threads' time; negative: unknown */
};

/* The regions of one file. */
struct annotated_file {
	const char *path;
	size_t first, count; /* index and number of its annotations */
	uint64_t gain;       /* of all of them, ns */
};

/* By file and line; in one line the greatest gain comes first. */
struct annotations {
	struct annotation *annotations;
	size_t count, unplaced; /* unplaced: regions without a line */
	struct annotated_file *files;
	size_t file_count;
};

/* Whether a region of that name is included. */
typedef bool annotation_filter(const void *context, const char *name);

/* Collects the regions that `takes` accepts; NULL accepts all. Valid as long as the summary. */
struct annotations annotations_collect(const struct summary *summary,
    const struct summary_figures *figures, annotation_filter *takes, const void *context);
void annotations_finish(struct annotations *annotations);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions with what they lost, by their place in the source. */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/summary-figures.h"

/* A region that has a line, or a line that has samples. */
struct annotation {
	const struct summary_region *region; /* NULL: the line has only samples */
	char *name;                          /* "file.c:12 for" */
	const char *file;
	int line;
	uint64_t gain; /* ns of thread time */
	double share;  /* of all threads' time; negative: unknown */
	/* Of all samples, those of the line: at its first annotation; 0: there are none. */
	double heat;
};

/* Samples at a line, for annotations_add_heat(). */
struct line_heat {
	const char *file;
	int line;
	const char *name; /* "file.c:13 kernel" */
	double share;     /* of all samples */
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
	double left_out; /* the part of the samples that annotations_add_heat() left out */
};

/* Whether a region of that name is included. */
typedef bool annotation_filter(const void *context, const char *name);

/* Collects the regions that `takes` accepts; NULL accepts all. Valid as long as the summary. */
struct annotations annotations_collect(const struct summary *summary,
    const struct summary_figures *figures, annotation_filter *takes, const void *context);

/*
 * Adds samples by line; a line may occur several times. Lines without regions that have less than
 * `least` of all samples are left out. The files' names must be valid as long as the annotations.
 */
void annotations_add_heat(
    struct annotations *annotations, const struct line_heat *lines, size_t count, double least);
void annotations_finish(struct annotations *annotations);

#endif

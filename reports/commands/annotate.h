/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions by the place in the source that they stand at, for `annotate` and its SARIF. */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include <stdio.h>

#include "report.h"

/* One region that has a line. */
struct annotation {
	const struct summary_region *region;
	char *name;    /* "file.c:12 for" */
	uint64_t gain; /* ns of thread time */
	double share;  /* of all threads' time; negative: unknown */
};

/* By file and line, of one line the greatest gain first. */
struct annotations {
	struct annotation *annotations;
	size_t count, unplaced; /* unplaced: regions without a line */
};

/* Least shares of the thread time for a result in SARIF, and for one that is a warning. */
#define ANNOTATION_NOTE    0.01
#define ANNOTATION_WARNING 0.05

/* SARIF 2.1.0 (OASIS): a result for each annotation from ANNOTATION_NOTE on. */
void annotations_write_sarif(FILE *out, const struct annotations *annotations);

#endif

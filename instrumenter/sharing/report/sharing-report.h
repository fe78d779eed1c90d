/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what was found: as text for people, and as JSON. */
#ifndef SHARING_REPORT_H
#define SHARING_REPORT_H

#include "sharing-findings.h"
#include "sharing-options.h"

#include <stdio.h>

enum { SHARING_MOST_REMEDIES = 3 };

struct sharing_report {
	struct inst_arena *arena;
	const char *program;
	const struct sharing_options *options;
	const struct sharing_reports *reports;
	const struct sharing_findings *findings;
	const char *end;      /* "exited", "signal", "time": how the program ended */
	int status;           /* its exit status, or the signal */
	const char *measured; /* what a transfer costs, in words; or NULL */
};

/* What the report says of one finding; texts are the arena's. */
struct sharing_words {
	const char *title, *object;
	const char *remedies[SHARING_MOST_REMEDIES];
	unsigned remedy_count;
};

struct sharing_words sharing_describe(
    const struct sharing_report *report, const struct sharing_finding *finding);

/* "c[0].n", or what it is called without a name. */
const char *sharing_name(const struct sharing_finding *finding);

/* "threads 0 to 3", "threads 0, 2". */
const char *sharing_members_text(struct inst_arena *arena, sharing_members members);

/* "file.c:12", or "program+0x1234". */
const char *sharing_place_text(struct inst_arena *arena, const struct sharing_place *place);

/* How many findings count. */
size_t sharing_count(const struct sharing_report *report);

/* colour: with a terminal's control sequences. */
void sharing_report_text(const struct sharing_report *report, bool colour, FILE *out);
void sharing_report_json(const struct sharing_report *report, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what was found: as text and as a page for people, as JSON and as SARIF. */
#ifndef SHARING_REPORT_H
#define SHARING_REPORT_H

#include "sharing-findings.h"
#include "sharing-options.h"

#include <stdio.h>

enum { SHARING_MOST_REMEDIES = 3, SHARING_MOST_PLACES = 6 };

struct sharing_report {
	struct inst_arena *arena;
	const char *program;
	const struct sharing_options *options;
	const struct sharing_reports *reports;
	const struct sharing_findings *findings;
	const struct sharing_plain *plain;
	const char *end;      /* "exited", "signal", "time": how the program ended */
	int status;           /* its exit status, or the signal */
	const char *measured; /* what a transfer costs, in words; or NULL */
};

/* What all findings of a kind have in common. */
struct sharing_kind_words {
	const char *name, *head; /* in documents and as SARIF's rule; in the text */
	const char *rule, *explanation;
};

extern const struct sharing_kind_words sharing_kinds[SHARING_KINDS];

/* What the report says of one finding; texts are the arena's. */
struct sharing_words {
	const char *title, *object;
	const char *cost, *proof; /* or NULL */
	const char *remedies[SHARING_MOST_REMEDIES];
	unsigned remedy_count;
};

struct sharing_words sharing_describe(
    const struct sharing_report *report, const struct sharing_finding *finding);

/* The same of lines; of another finding only the object. */
struct sharing_words sharing_describe_lines(
    const struct sharing_report *report, const struct sharing_finding *finding);

/* "c[0].n", or what it is called without a name. */
const char *sharing_name(const struct sharing_finding *finding);

/* "threads 0 to 3", "threads 0, 2". */
const char *sharing_members_text(struct inst_arena *arena, sharing_members members);

/* "1234", "59.5 million" */
const char *sharing_amount(struct inst_arena *arena, uint64_t number);

/* The next run of bits behind *last, which is -1 at first; false: there is none. */
bool sharing_next_range(uint64_t bits, int *first, int *last);

/* Adds "0 to 7, 16". */
void sharing_ranges_add(struct inst_buffer *text, uint64_t bits);

/* "reads and writes c[0], in 'parallel' at file.c:9: threads 0, 1, 6.0 million times" */
const char *sharing_access_text(struct inst_arena *arena, const struct sharing_place *place);

/* The places with most of the accesses; returns how many. */
size_t sharing_main_places(
    const struct sharing_finding *finding, const struct sharing_place *places[SHARING_MOST_PLACES]);

/* "file.c:12", or "program+0x1234". */
const char *sharing_place_text(struct inst_arena *arena, const struct sharing_place *place);

/* How many findings count. */
size_t sharing_count(const struct sharing_report *report);

/* Is the finding in the report? */
bool sharing_is_shown(const struct sharing_report *report, const struct sharing_finding *finding);

/* colour: with a terminal's control sequences. */
void sharing_report_text(const struct sharing_report *report, bool colour, FILE *out);
void sharing_report_json(const struct sharing_report *report, FILE *out);
void sharing_report_sarif(const struct sharing_report *report, FILE *out);
void sharing_report_page(const struct sharing_report *report, FILE *out);

/* The last lines of the text. */
void sharing_report_summary(const struct sharing_report *report, FILE *out);

#endif

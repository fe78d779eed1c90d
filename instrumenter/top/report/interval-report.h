/* SPDX-License-Identifier: BSD-3-Clause */
/* One interval of all programs, as text, as a JSON document, or as lines of CSV. */
#ifndef INTERVAL_REPORT_H
#define INTERVAL_REPORT_H

#include "program-list.h"

#include <stdio.h>

struct interval_report {
	const struct program_list *list;
	uint64_t stuck_after; /* ns */
	bool with_threads;    /* text: the parts of each program, too */
	int width;            /* text */
};

void interval_print_text(FILE *out, const struct interval_report *report);

/* A document that ends with a newline. */
void interval_print_json(FILE *out, const struct interval_report *report);

/* The names of the columns, and a line for each program. */
void interval_print_csv_head(FILE *out);
void interval_print_csv(FILE *out, const struct interval_report *report);

#endif

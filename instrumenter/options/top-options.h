/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst top`; the option table documents each. */
#ifndef TOP_OPTIONS_H
#define TOP_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

enum top_form {
	TOP_VIEW, /* in the terminal; without one, text */
	TOP_TEXT,
	TOP_JSON,
	TOP_CSV,
};

struct top_options {
	enum top_form form;
	unsigned interval; /* ms; 0: the default */
	unsigned count;    /* of intervals; 0: without end */
	unsigned stuck;    /* after so many intervals a wait that did not change is shown */
	bool once;
	bool threads; /* of all processes, too */
	bool help;
};

/*
 * Reads the options at the front of the words (NULL-terminated). Returns how many words were read,
 * or -1 with *error (heap, or NULL if memory ran out).
 */
int top_options_read(const char *const *words, struct top_options *options, char **error);

void top_options_print_help(FILE *out);

extern const struct option_table top_options_table;

#endif

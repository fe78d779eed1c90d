/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst sharing run`; the option table documents each. */
#ifndef SHARING_OPTIONS_H
#define SHARING_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

enum sharing_format {
	SHARING_FORMAT_TEXT,
	SHARING_FORMAT_JSON,
	SHARING_FORMAT_SARIF,
	SHARING_FORMAT_HTML,
};

struct sharing_options {
	unsigned least;    /* percent of the processor time from which on sharing is reported */
	unsigned transfer; /* nanoseconds; 0: measured */
	unsigned seconds;  /* 0: no limit */
	const char *plain; /* the program without calls for its accesses; NULL: not given */
	bool all, prove, first_touch, locality;
	bool program_status;
	enum sharing_format format;
	const char *output; /* NULL: standard error, for text only */
	bool help;
};

/*
 * Reads the options at the front of the words (NULL-terminated). Returns how many words were read,
 * or -1 with *error (heap, or NULL if memory ran out).
 */
int sharing_options_read(const char *const *words, struct sharing_options *options, char **error);

void sharing_options_print_help(FILE *out);

extern const struct option_table sharing_options_table;

#endif

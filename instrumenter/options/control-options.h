/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst control`; the option table documents each. */
#ifndef CONTROL_OPTIONS_H
#define CONTROL_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

struct control_options {
	const char *process;  /* its number; NULL only if `help` */
	const char *sampling; /* as the program reads it; NULL: as it is */
	const char *filter;   /* a file or "off"; NULL: as it is */
	const char *metrics;  /* "on" or "off"; NULL: as it is */
	bool help;
};

/*
 * Reads the words (NULL-terminated): options and the process. False with *error (heap, or NULL if
 * memory ran out).
 */
bool control_options_read(const char *const *words, struct control_options *options, char **error);

void control_options_print_help(FILE *out);

extern const struct option_table control_options_table;

#endif

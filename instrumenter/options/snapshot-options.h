/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst snapshot`; the option table documents each. */
#ifndef SNAPSHOT_OPTIONS_H
#define SNAPSHOT_OPTIONS_H

#include "common/option-table.h"
#include "common/summary.h"

#include <stdbool.h>
#include <stdio.h>

struct snapshot_options {
	const char *process; /* its number or name; NULL only if `help` */
	enum summary_format form;
	const char *output; /* NULL: standard output */
	const char *since;  /* the file of the interval's begin; NULL: none */
	bool reset;
	bool help;
};

/*
 * Reads the words (NULL-terminated): options and the process. False with *error (heap, or NULL if
 * memory ran out).
 */
bool snapshot_options_read(
    const char *const *words, struct snapshot_options *options, char **error);

void snapshot_options_print_help(FILE *out);

extern const struct option_table snapshot_options_table;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst trace`; the option table documents each. */
#ifndef RECORDER_OPTIONS_H
#define RECORDER_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

struct recorder_options {
	const char *process; /* its number; NULL only if `help` */
	unsigned seconds;    /* 0: everything that the program keeps */
	const char *output;  /* NULL: the default */
	bool help;
};

/*
 * Reads the words (NULL-terminated): options and the process. False with *error (heap, or NULL if
 * memory ran out).
 */
bool recorder_options_read(
    const char *const *words, struct recorder_options *options, char **error);

void recorder_options_print_help(FILE *out);

extern const struct option_table recorder_options_table;

#endif

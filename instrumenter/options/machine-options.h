/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst machine`; the option table documents each. */
#ifndef MACHINE_OPTIONS_H
#define MACHINE_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

struct machine_options {
	bool again, json, help;
};

/* Reads the words (NULL-terminated). False with *error (heap, or NULL if memory ran out). */
bool machine_options_read(const char *const *words, struct machine_options *options, char **error);

void machine_options_print_help(FILE *out);

extern const struct option_table machine_options_table;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst why` and `ompinst stacks`; the option table documents each. */
#ifndef INSPECT_OPTIONS_H
#define INSPECT_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

enum inspect_form {
	INSPECT_TEXT,
	INSPECT_JSON,
};

struct inspect_options {
	enum inspect_form form;
	const char *debugger; /* a path or a name in PATH; NULL: gdb */
	bool ranks;           /* look at all ranks of the process's job on this machine */
	unsigned watch;       /* seconds without progress after which to look; 0: look now */
	bool ends;            /* ... and to end the program then */
	const char *output;   /* of what was seen; NULL: standard error */
	bool help;
};

/*
 * Reads the options at the front of the words (NULL-terminated). Returns how many words were read,
 * or -1 with *error (heap, or NULL if memory ran out).
 */
int inspect_options_read(const char *const *words, struct inspect_options *options, char **error);

/* command: "why" or "stacks". */
void inspect_options_print_help(FILE *out, const char *command);

extern const struct option_table inspect_options_table;

#endif

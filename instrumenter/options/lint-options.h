/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options of `ompinst lint`, and the switches -Wopenmp of a compiler's command. The option
 * table and the list of checks document them.
 */
#ifndef LINT_OPTIONS_H
#define LINT_OPTIONS_H

#include "common/option-table.h"
#include "lint.h"

#include <stdbool.h>
#include <stdio.h>

enum lint_format { LINT_FORMAT_TEXT, LINT_FORMAT_JSON, LINT_FORMAT_SARIF };

struct lint_options {
	lint_set checks;
	enum lint_format format;
	const char *build;    /* -p: the folder of compile_commands.json, or NULL */
	const char *output;   /* the file for the findings, or NULL */
	const char *baseline; /* an earlier report, or NULL */
	const char *since;    /* a commit, or NULL */
	const char *compiler; /* preprocesses files; the caller sets the default */
	bool fix;             /* propose changes */
	bool apply;           /* ... and write them */
	bool verify;          /* ... if the changed program passes */
	bool list;
	bool help;
};

/* The name, default and meaning of each check, indexed by its number. */
extern const struct lint_check_row lint_checks[LINT_CHECK_COUNT];

/* The default checks that find data races. */
lint_set lint_race_checks(void);

/* The check with that name, with or without "openmp-"; LINT_CHECK_COUNT if there is none. */
enum lint_check lint_find_check(const char *name, size_t length);

/*
 * Reads a word of a compiler's command: -Wopenmp enables the default checks, -Wopenmp-NAME and
 * -Wno-openmp-NAME enable and disable one. False for any other word.
 */
bool lint_read_switch(const char *word, lint_set *checks);

/*
 * Reads the options at the front of the words (NULL-terminated), starting with the default checks.
 * Returns how many words were read, or -1 with *error (heap, or NULL if memory ran out).
 */
int lint_options_read(const char *const *words, struct lint_options *options, char **error);

void lint_options_print_help(FILE *out);

/* Prints the checks, one per line. */
void lint_options_print_checks(FILE *out);

extern const struct option_table lint_options_table;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompinst's own options, for a compiler's command and for a source file; the option table documents
 * each.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "common/option-table.h"
#include "engine.h"
#include "lint.h"
#include "word-list.h"

#include <stdbool.h>
#include <stdio.h>

enum runtime_choice {
	RUNTIME_BUNDLED,
	RUNTIME_SYSTEM,
};

enum list_form {
	LIST_NONE,
	LIST_TEXT,
	LIST_JSON,
};

/* The uses of ompinst for which an option can have a meaning. */
enum option_use {
	USE_WRAPPER, /* before a compiler's command */
	USE_SOURCE,  /* before a source file */
	USE_COUNT,
};

struct options {
	bool verbose;
	bool strict;
	bool dry_run;
	bool keep;
	bool preprocessed;
	bool help;
	bool version;
	bool by_name; /* no option: ompinst was called by the compiler's own name */
	enum list_form list;
	bool explain; /* the list also shows how each construct was instrumented */
	enum runtime_choice runtime;
	const char *compiler; /* for a command without a compiler; NULL: $OMPINST_CC, else cc */
	struct inst_options engine;
	lint_set lint; /* the checks that the compiler's command enables: -Wopenmp */
	const char *only_for[USE_COUNT]; /* the last option that is only for this use, or NULL */
};

enum option_outcome {
	OPTION_TAKEN,   /* the word is an option of ompinst */
	OPTION_UNKNOWN, /* not an option of ompinst: perhaps the compiler's */
	OPTION_WRONG,   /* an option of ompinst, misspelt or with a bad value; see *error */
};

/* Reads one word into *options. *error is a heap string, set with OPTION_WRONG only. */
enum option_outcome options_read_word(const char *word, struct options *options, char **error);

/*
 * Reads a blank-separated list of options: the value of OMPINST_OPTIONS, for ompinst-gcc and
 * similar names, whose own arguments all belong to the compiler. Its words are stored in *words,
 * which must live as long as the options. Returns 0 or -1 with *error.
 */
int options_read_list(const char *list, struct words *words, struct options *options, char **error);

void options_print_help(FILE *out);

/* The options, and the environment variables in the same kind of rows. */
extern const struct option_table options_table, options_variables;

#endif

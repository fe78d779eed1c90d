/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst race run`; the option table documents each. */
#ifndef RACE_OPTIONS_H
#define RACE_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

enum race_format {
	RACE_FORMAT_TEXT,
	RACE_FORMAT_JSON,
	RACE_FORMAT_SARIF,
	RACE_FORMAT_HTML,
};

enum {
	RACE_MOST_RUNS = 1000,
	RACE_MOST_TEAM_SIZES = 16,
	RACE_MOST_THREADS = 4096,
};

struct race_options {
	unsigned runs; /* 0: as many as the table of runs has */
	unsigned threads[RACE_MOST_TEAM_SIZES];
	unsigned thread_count; /* 0: the table's own */
	unsigned seed;
	unsigned seconds;     /* for all runs; 0: no limit */
	unsigned run_seconds; /* for one run; 0: derived from the first run's time */
	const char *inputs;   /* a file with one list of arguments a line, or NULL */
	bool stop_at_first;
	bool results;
	const char *results_file; /* the file that the program writes; NULL: standard output */
	bool fix, apply, verify;
	const char *fix_file;     /* where the diff goes; NULL: standard error */
	const char *baseline;     /* an earlier report; or NULL */
	const char *suppressions; /* a file of ThreadSanitizer's; or NULL */
	const char *since;        /* a commit; or NULL */
	const char *compiler;     /* the command that makes the program, for the fixes; or NULL */
	bool memory; /* the program has AddressSanitizer or MemorySanitizer, or starts such a one */
	bool all;
	bool program_status;
	bool quiet;
	enum race_format format;
	const char *output; /* NULL: standard error, for text only */
	bool help;
};

/*
 * Reads the options at the front of the words (NULL-terminated). Returns how many words were read,
 * or -1 with *error (heap, or NULL if memory ran out).
 */
int race_options_read(const char *const *words, struct race_options *options, char **error);

void race_options_print_help(FILE *out);

extern const struct option_table race_options_table;

#endif

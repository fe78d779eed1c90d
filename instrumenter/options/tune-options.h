/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst tune`; the option table documents each. */
#ifndef TUNE_OPTIONS_H
#define TUNE_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

/* The settings that --only and --without name. */
#define TUNE_GROUPS(GROUP)                                                                         \
	GROUP(THREADS, "threads")                                                                  \
	GROUP(BINDING, "binding")                                                                  \
	GROUP(WAIT, "wait")                                                                        \
	GROUP(SCHEDULE, "schedule")                                                                \
	GROUP(TASKS, "tasks")                                                                      \
	GROUP(MALLOC, "malloc")                                                                    \
	GROUP(ARENAS, "arenas")                                                                    \
	GROUP(PAGES, "pages")

#define TUNE_GROUP_NUMBER(id, name) TUNE_##id,
enum tune_group { TUNE_GROUPS(TUNE_GROUP_NUMBER) TUNE_GROUP_COUNT };
#undef TUNE_GROUP_NUMBER

enum { TUNE_TRIES_MOST = 16, TUNE_IGNORED_MOST = 16 };

struct tune_options {
	double budget_seconds; /* 0: no limit */
	unsigned budget_runs;  /* 0: no limit */
	const char *metric;    /* a regular expression with one group; NULL: elapsed time */
	const char *region;    /* a region whose time gets better, or NULL */
	bool larger;           /* the metric is better when it is larger */
	double min_gain;       /* 0.03: 3 % */
	const char *summary;   /* a file with times of loops, or NULL */
	const char *inputs;    /* a file with one list of arguments a line, or NULL */
	const char *input;     /* the program's standard input, or NULL */
	const char *ignored[TUNE_IGNORED_MOST];
	unsigned ignored_count;
	unsigned groups; /* a bit for each that is tried */
	const char *tries[TUNE_TRIES_MOST];
	unsigned try_count;
	unsigned run_seconds; /* of one run; 0: derived from the unchanged program's */
	unsigned status;      /* the exit status of a run that counts */
	bool has_seed;
	unsigned seed;
	const char *patch; /* a file for the schedules as changes of the text, or NULL */
	const char *build; /* a shell's command that builds the patched program, or NULL */
	bool json;
	const char *page;   /* NULL: none */
	const char *output; /* for the settings; NULL: nowhere */
	bool quiet;
	bool help;
};

/*
 * Reads the options at the front of the words (NULL-terminated). Returns how many words were read,
 * or -1 with *error (heap, or NULL if memory ran out).
 */
int tune_options_read(const char *const *words, struct tune_options *options, char **error);

void tune_options_print_help(FILE *out);

extern const struct option_table tune_options_table;

#endif

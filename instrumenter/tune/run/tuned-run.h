/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program with settings, and measures and compares what it does. */
#ifndef TUNED_RUN_H
#define TUNED_RUN_H

#include "child-process.h"
#include "gain-search.h"
#include "input-list.h"
#include "other-load.h"
#include "program.h"
#include "scratch.h"
#include "tuned-output.h"
#include "tuned-settings.h"
#include "written-files.h"

/* A set with which the program cannot be used, and why. */
struct tuned_refusal {
	gain_set set;
	char *why; /* heap: "was ended by signal 11 (Segmentation fault)" */
};

struct tuned_runner {
	const struct tune_options *options;
	const struct tuned_settings *settings;
	const struct program *program;
	const char *const *words; /* the command */
	gain_set patched;         /* with its bit the second program of `built` runs; or empty */
	char *const *built;       /* programs in the place of the command's: unchanged, patched */
	struct process_watch *watch;
	struct tuned_patterns patterns;
	struct scratch scratch;   /* has the summary of a run, if a region is measured */
	char *summary;            /* heap: its path, or NULL */
	char *archive;            /* heap: of the run that is traced just now, or NULL */
	int input;                /* a file that each run reads from its beginning, or -1 */
	struct input_list inputs; /* arguments that are added; at least one */
	char **unchanged; /* by input: what the unchanged program prints, as far as compared */
	struct folder_state folder;    /* before what is not known to have been written */
	struct written_files *written; /* by input */
	char *unsteady;    /* heap: how two unchanged runs differ; outputs are not compared */
	double slowest;    /* seconds of an unchanged run */
	unsigned repeated; /* unchanged runs that did not end in time, after others did */
	double begin;
	struct other_load others;
	unsigned runs;
	struct tuned_refusal *refusals;
	size_t refusal_count, refusal_room;
	char *end;    /* heap: why nothing more can be measured, or NULL */
	bool is_over; /* the budget is used up, a signal came, or `end` says what happened */
};

/*
 * Opens the files of the options, and runs the unchanged program twice with each input. False: it
 * cannot be tuned, and runner->end says why, unless a signal interrupted it.
 */
bool tuned_runner_open(struct tuned_runner *runner);

/* For gain_search(), with the runner as context: once with each input. */
enum gain_measured tuned_runner_measure(void *runner, gain_set set, double *value);

/*
 * Runs the unchanged program once more, measured by libpomp. Returns the path of its summary in
 * CSV, or NULL if there is none. tuned_runner_forget_summary() ends its life.
 */
const char *tuned_runner_summarise(struct tuned_runner *runner);
void tuned_runner_forget_summary(struct tuned_runner *runner);

/*
 * Runs the unchanged program once more, traced by libpomp. Returns the path of the trace below the
 * scratch folder (heap), or NULL if there is none.
 */
char *tuned_runner_trace(struct tuned_runner *runner, const struct scratch *scratch);

/* Why the set cannot be used; NULL if nothing is known against it. */
const char *tuned_runner_refusal(const struct tuned_runner *runner, gain_set set);

void tuned_runner_close(struct tuned_runner *runner);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What tuning has found: as text, as JSON, as a page, and as a file of settings. */
#ifndef TUNE_REPORT_H
#define TUNE_REPORT_H

#include "gain-search.h"
#include "tuned-patch.h"
#include "tuned-run.h"

#include <stdio.h>

struct tune_report {
	const struct tune_options *options;
	const struct tuned_settings *settings;
	const struct tuned_runner *runner;
	const struct gain_result *result;
	const char *command; /* one line, as a shell reads it */
	double seconds;      /* that all runs took together */
	double others;       /* processors that other programs used meanwhile; negative: unknown */
	const struct tuned_patch *patch;  /* of the best settings */
	const struct gain_trial *patched; /* the program with the patch; NULL: not measured */
	const char *patch_problem;        /* why not; NULL: nobody asked */
};

/* The name of a trial in tables (heap; NULL if memory ran out). */
char *tune_trial_title(const struct tune_report *report, const struct gain_trial *trial);

/* The verdict on a trial in a few words. */
const char *tune_trial_verdict(const struct tune_report *report, const struct gain_trial *trial);

/* What was predicted for a setting alone; NULL: nothing was. */
const struct predicted_gain *tune_trial_predicted(
    const struct tune_report *report, const struct gain_trial *trial);

/* The trial of the best as a whole; NULL if there is none. */
const struct gain_trial *tune_whole(const struct tune_report *report);

/* One sentence about the best. Returns what fprintf() returns. */
int tune_print_best(const struct tune_report *report, FILE *out);

/* Is there a patch, and nothing known against it? */
bool tune_has_patch(const struct tune_report *report);

void tune_report_text(const struct tune_report *report, FILE *out, int width);
void tune_report_json(const struct tune_report *report, FILE *out);
void tune_report_page(const struct tune_report *report, FILE *out);
void tune_report_patch(const struct tune_report *report, FILE *out);
void tune_report_settings(const struct tune_report *report, FILE *out);

#endif

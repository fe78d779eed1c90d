/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run prints: the number that is to get better, and the lines that are compared. */
#ifndef TUNED_OUTPUT_H
#define TUNED_OUTPUT_H

#include "tune-options.h"

#include <regex.h>

struct tuned_patterns {
	const char *metric_text; /* NULL: no number is read */
	regex_t metric, ignored[TUNE_IGNORED_MOST];
	unsigned ignored_count;
};

/* The options' expressions are valid. False: memory ran out. */
bool tuned_patterns_make(const struct tune_options *options, struct tuned_patterns *patterns);
void tuned_patterns_finish(struct tuned_patterns *patterns);

/*
 * The number in the last matching line of the text (heap). Returns NULL if no line matches or
 * memory ran out.
 */
char *tuned_output_number(const struct tuned_patterns *patterns, const char *text);

/*
 * The lines of the text (heap) that are compared: those that match neither an ignored expression
 * nor the metric's. NULL: memory ran out.
 */
char *tuned_output_compared(const struct tuned_patterns *patterns, const char *text);

/* How the outputs differ (heap), as in "line 3 is 'a', unchanged 'b'"; they are not equal. */
char *tuned_output_difference(const char *output, const char *unchanged);

#endif

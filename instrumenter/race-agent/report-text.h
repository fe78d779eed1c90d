/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats one report of ThreadSanitizer as lines of the log. */
#ifndef RACE_REPORT_TEXT_H
#define RACE_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct report_text {
	size_t length;
	char
	    bytes[64 << 10]; /* two stacks of 64 frames with long paths fit; else outer frames go */
};

/*
 * Returns false if it is not a race of the program: another kind of report, or a race between
 * strands on memory of which each thread has its own copy.
 */
bool report_describe(void *report, struct report_text *text);

#endif

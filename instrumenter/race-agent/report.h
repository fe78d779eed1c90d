/* SPDX-License-Identifier: BSD-3-Clause */
/* One report of ThreadSanitizer as lines of the log. */
#ifndef RACE_REPORT_H
#define RACE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct report_text {
	size_t length;
	char
	    bytes[64 << 10]; /* two stacks of 64 frames with long paths fit; else outer frames go */
};

/*
 * False: it is no race of the program: another kind of report, or between strands about memory that
 * each thread has a copy of.
 */
bool report_describe(void *report, struct report_text *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats one report of ThreadSanitizer as lines of the log. */
#ifndef RACE_REPORT_TEXT_H
#define RACE_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report_text {
	size_t length;
	char
	    bytes[64 << 10]; /* two stacks of 64 frames with long paths fit; else outer frames go */
};

/* Adds the formatted text only if all of it fits. */
void report_add(struct report_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds return addresses, innermost first; null after the last one if there are fewer than `room`.
 */
void report_add_frames(struct report_text *text, void *const *trace, int room);

/*
 * Finds the file that contains the address, and the address in that file. False if no file contains
 * it.
 */
bool report_find_module(const void *address, uintptr_t *offset, const char **module);

/*
 * Returns false if it is not a race of the program: another kind of report, or a race between
 * strands on memory of which each thread has its own copy.
 */
bool report_describe(void *report, struct report_text *text);

#endif

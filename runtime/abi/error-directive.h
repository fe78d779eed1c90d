/* SPDX-License-Identifier: BSD-3-Clause */
/* The error directive with at(execution). */
#ifndef RT_ERROR_DIRECTIVE_H
#define RT_ERROR_DIRECTIVE_H
#include <stdbool.h>
#include <stddef.h>

/*
 * Prints the text on stderr, and ends the process if the severity is fatal. place: the place in the
 * source, ending in a colon and a blank, or "". length: SIZE_MAX if a null byte ends the text,
 * which may be NULL. caller: where the program called.
 */
void rt_error_directive(
    bool is_fatal, const char *place, const char *text, size_t length, const void *caller);

#endif

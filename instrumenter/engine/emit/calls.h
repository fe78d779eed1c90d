/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the library in the text, and the descriptors that they are given. */
#ifndef CALLS_H
#define CALLS_H

#include "unit.h"

/* A new descriptor's index; lines are those of [begin, begin_end) and of the token before `end`. */
size_t add_descriptor(struct unit *unit, const char *name, const char *sub_name,
    const struct inst_pragma *begin, const struct inst_pragma *end_pragma, size_t end);

/*
 * Ends a statement: the next one begins a line in instrumented source, elsewhere it follows on the
 * same line.
 */
void add_separator(const struct unit *unit, struct inst_buffer *code);

/* Adds a remark to the first line of code; in instrumented source only. */
void add_remark(const struct unit *unit, struct inst_buffer *code, const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));

/* Adds the call of pomp_NAME for a descriptor; handle may be NULL. */
void add_call(struct unit *unit, struct inst_buffer *code, const char *name, size_t descriptor,
    const char *handle, bool gives_handle);

/* Has the pomp_ function declared in the preamble; add_call() does so for what it calls. */
void declare_call(struct unit *unit, const char *name, bool gives_handle, int argument_count);

/* Adds the call of pomp_NAME without arguments. */
void add_plain_call(struct unit *unit, struct inst_buffer *code, const char *name);

#endif

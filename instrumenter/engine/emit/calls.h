/* SPDX-License-Identifier: BSD-3-Clause */
/* Library calls in the emitted text, and the descriptors passed to them. */
#ifndef CALLS_H
#define CALLS_H

#include "unit.h"

/*
 * Adds a descriptor and returns its index. The begin lines are those of [begin, begin_end); the end
 * line is that of the token before `end`.
 */
size_t add_descriptor(struct unit *unit, const char *name, const char *sub_name,
    const struct inst_pragma *begin, const struct inst_pragma *end_pragma, size_t end);

/* Adds a remark to the first line of the code; does nothing outside instrumented source. */
void add_remark(const struct unit *unit, struct inst_buffer *code, const char *format, ...)
    __attribute__((__format__(__printf__, 3, 4)));

/* Adds the call of pomp_NAME for a descriptor; handle may be NULL. */
void add_call(struct unit *unit, struct inst_buffer *code, const char *name, size_t descriptor,
    const char *handle, bool gives_handle);

/* Makes the preamble declare pomp_NAME; add_call() does this for the functions that it calls. */
void declare_call(struct unit *unit, const char *name, bool gives_handle, int argument_count);

/* Adds the calls before and after a loop whose schedule may change; `before`: see the first. */
void add_schedule_call(
    struct unit *unit, struct inst_buffer *code, size_t descriptor, int kind, int chunk);
void add_schedule_end(struct unit *unit, struct inst_buffer *code, const char *before);

/* Adds the call that gives a number in a task's clause, an expression of the user's. */
void add_grain_call(struct unit *unit, struct inst_buffer *code, size_t descriptor,
    const char *number, bool is_int);

/* Adds the call of pomp_NAME without arguments. */
void add_plain_call(struct unit *unit, struct inst_buffer *code, const char *name);

#endif

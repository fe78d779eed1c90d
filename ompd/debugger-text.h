/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the debugger's memory; it grows while it is written. */
#ifndef OMPD_DEBUGGER_TEXT_H
#define OMPD_DEBUGGER_TEXT_H

#include "omp-tools.h"

struct text {
	char *start; /* NULL: nothing written yet; otherwise NUL-terminated */
	ompd_size_t length, room;
	ompd_rc_t rc; /* the first failed allocation; nothing more is written after it */
};

void text_add(struct text *text, const char *words);
void text_add_number(struct text *text, int64_t value);

/* Passes the text to the caller in *string. On failure, including an earlier one (rc), frees it. */
ompd_rc_t text_finish(struct text *text, ompd_rc_t rc, const char **string);

/* Copies a constant word. */
ompd_rc_t text_copy(const char *word, const char **string);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the debugger's memory, grown as it is written. */
#ifndef OMPD_TEXT_H
#define OMPD_TEXT_H

#include "omp-tools.h"

struct text {
	char *start; /* NULL: nothing written yet; otherwise ends in a null byte */
	ompd_size_t length, room;
	ompd_rc_t rc; /* the first failed allocation; nothing is written after it */
};

void text_add(struct text *text, const char *words);
void text_add_bytes(struct text *text, const char *bytes, ompd_size_t count);
void text_add_number(struct text *text, int64_t value);

/* Passes the text on in *string; on failure, also of what it was made from (rc), frees it. */
ompd_rc_t text_finish(struct text *text, ompd_rc_t rc, const char **string);

/* A copy of a constant word. */
ompd_rc_t text_copy(const char *word, const char **string);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text built piece by piece in memory of fixed size. What does not fit is counted but not stored,
 * as in snprintf(), so a pass with size 0 measures. The stored part always ends in a null byte if
 * size > 0.
 */
#ifndef RT_TEXT_H
#define RT_TEXT_H
#include <stddef.h>
#include <stdint.h>

struct rt_text {
	char *start; /* may be NULL when size is 0 */
	size_t size; /* bytes at start, the null byte included */
	size_t used; /* length of the whole text; more than size - 1 when it was cut */
};

/* Begins a text in `size` bytes at start. */
void rt_text_init(struct rt_text *text, char *start, size_t size);
void rt_text_add(struct rt_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Without stdio, so that output at the start of a process does not load the pages of printf. */
void rt_text_add_words(struct rt_text *text, const char *words);
void rt_text_add_number(struct rt_text *text, uint64_t number);
void rt_text_add_bytes(struct rt_text *text, const char *bytes, size_t length);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of bounded size: for messages, OMP_DISPLAY_ENV and the affinity format. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rt_text_init(struct rt_text *text, char *start, size_t size)
{
	text->start = start;
	text->size = size;
	text->used = 0;
	if (size > 0)
		start[0] = '\0';
}

/* Where the next byte is stored and how many may be, including the null byte. */
static size_t room(const struct rt_text *text, char **next)
{
	if (text->used >= text->size) {
		*next = NULL;
		return 0;
	}
	*next = text->start + text->used;
	return text->size - text->used;
}

void rt_text_add(struct rt_text *text, const char *format, ...)
{
	char *next;
	size_t size = room(text, &next);
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(next, size, format, arguments);
	va_end(arguments);
	if (length > 0)
		text->used += (size_t)length;
}

void rt_text_add_bytes(struct rt_text *text, const char *bytes, size_t length)
{
	char *next;
	size_t size = room(text, &next);

	if (size > 0) {
		size_t stored = length < size ? length : size - 1;
		memcpy(next, bytes, stored);
		next[stored] = '\0';
	}
	text->used += length;
}

void rt_text_add_words(struct rt_text *text, const char *words)
{
	rt_text_add_bytes(text, words, strlen(words));
}

void rt_text_add_number(struct rt_text *text, uint64_t number)
{
	char digits[20]; /* of the largest number */
	size_t first = sizeof(digits);

	do {
		digits[--first] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	rt_text_add_bytes(text, digits + first, sizeof(digits) - first);
}

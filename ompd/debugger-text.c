/* SPDX-License-Identifier: BSD-3-Clause */
/* Text for the debugger, which owns and frees it: each text is one block of its memory. */
#include "debugger-text.h"

#include <string.h>

#include "library.h"

static int grow(struct text *text, ompd_size_t more)
{
	ompd_size_t room = text->room != 0 ? text->room : 32;
	void *memory;

	if (text->rc != ompd_rc_ok)
		return 0;
	while (room < text->length + more + 1)
		room *= 2;
	if (room == text->room)
		return 1;
	text->rc = library_alloc(room, &memory);
	if (text->rc != ompd_rc_ok)
		return 0;
	if (text->start != NULL) {
		memcpy(memory, text->start, text->length);
		text->rc = library_free(text->start);
	}
	text->start = memory;
	text->room = room;
	return text->rc == ompd_rc_ok;
}

static void add_bytes(struct text *text, const char *bytes, ompd_size_t count)
{
	if (!grow(text, count))
		return;
	memcpy(text->start + text->length, bytes, count);
	text->length += count;
	text->start[text->length] = '\0';
}

void text_add(struct text *text, const char *words)
{
	add_bytes(text, words, strlen(words));
}

void text_add_number(struct text *text, int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[21], *first = digits + sizeof(digits);

	do {
		*--first = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest != 0);
	if (value < 0)
		*--first = '-';
	add_bytes(text, first, (ompd_size_t)(digits + sizeof(digits) - first));
}

ompd_rc_t text_finish(struct text *text, ompd_rc_t rc, const char **string)
{
	add_bytes(text, "", 0); /* an empty text is one byte, not NULL */
	if (rc == ompd_rc_ok)
		rc = text->rc;
	if (rc == ompd_rc_ok)
		*string = text->start;
	else if (text->start != NULL)
		library_free(text->start);
	return rc;
}

ompd_rc_t text_copy(const char *word, const char **string)
{
	struct text text = {0};

	text_add(&text, word);
	return text_finish(&text, ompd_rc_ok, string);
}

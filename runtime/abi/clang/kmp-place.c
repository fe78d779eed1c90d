/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of a construct in the program's source, for messages. */
#include <stdlib.h>
#include <string.h>

#include "kmp.h"
#include "text.h"

/* Returns the text after the next semicolon, or NULL. */
static const char *next_field(const char *field)
{
	const char *end = field != NULL ? strchr(field, ';') : NULL;

	return end != NULL ? end + 1 : NULL;
}

void kmp_print_place(const struct kmp_ident *ident, char text[KMP_PLACE_SIZE])
{
	const char *file = next_field(ident != NULL ? ident->source : NULL);
	const char *function = next_field(file), *line = next_field(function);
	const char *column = next_field(line);
	unsigned long number = line != NULL ? strtoul(line, NULL, 10) : 0;
	struct rt_text out;

	rt_text_init(&out, text, KMP_PLACE_SIZE);
	if (column == NULL || number == 0)
		return;
	rt_text_add_bytes(&out, file, (size_t)(function - 1 - file));
	rt_text_add_words(&out, ":");
	rt_text_add_number(&out, number);
	rt_text_add_words(&out, ":");
	rt_text_add_number(&out, strtoul(column, NULL, 10));
	rt_text_add_words(&out, ": ");
}

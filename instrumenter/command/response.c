/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Response files, read as gcc and clang do (GNU libiberty's documented syntax). Build systems use
 * them when a command line grows too long; the wrapper needs their words to distinguish inputs from
 * options, and writes a response file itself when its own command lines grow too long.
 */
#include "response.h"
#include "text-file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both compilers limit the nesting; no build needs this depth. */
#define DEEPEST_NESTING 64

/* Splits one file's text into words. */
static struct words split(const char *text, size_t length)
{
	struct words words = {0};
	char *word = malloc(length + 1);
	size_t used = 0;
	char quote = 0;
	bool inside = false;

	words.failed = word == NULL;
	for (size_t i = 0; word != NULL && i < length; i++) {
		char c = text[i];
		if (quote == 0 && isspace((unsigned char)c)) {
			if (inside)
				words_add_bytes(&words, word, used);
			inside = false;
			used = 0;
			continue;
		}
		inside = true;
		if (c == '\\' && i + 1 < length)
			word[used++] = text[++i];
		else if (quote != 0 && c == quote)
			quote = 0;
		else if (quote == 0 && (c == '\'' || c == '"'))
			quote = c;
		else
			word[used++] = c;
	}
	if (inside)
		words_add_bytes(&words, word, used);
	free(word);
	return words;
}

static int expand(const char *const *vector, struct words *out, int depth)
{
	int result = 0;

	if (depth > DEEPEST_NESTING)
		return -1;
	for (; *vector != NULL && result == 0; vector++) {
		struct text_file file;
		if ((*vector)[0] != '@' || text_file_read(*vector + 1, &file) != 0) {
			words_add(out, *vector);
			continue;
		}
		struct words nested = split(file.bytes, file.length);
		text_file_finish(&file);
		out->failed |= nested.failed;
		if (nested.count > 0)
			result = expand((const char *const *)nested.items, out, depth + 1);
		words_finish(&nested);
	}
	return result;
}

int response_expand(const char *const *vector, struct words *out)
{
	return expand(vector, out, 0);
}

int response_write(const char *path, char *const *vector)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return -1;
	for (; *vector != NULL; vector++) {
		putc('"', file);
		for (const char *c = *vector; *c != '\0'; c++) {
			if (*c == '"' || *c == '\\')
				putc('\\', file);
			putc(*c, file);
		}
		fputs("\"\n", file);
	}
	bool failed = ferror(file) != 0;
	return fclose(file) != 0 || failed ? -1 : 0;
}

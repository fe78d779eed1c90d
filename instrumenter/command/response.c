/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Response files, read as gcc and clang do (GNU libiberty's documented syntax). Build systems use
 * them when a command line grows too long; the wrapper needs their words to distinguish inputs from
 * options, and writes a response file itself when its own command lines grow too long.
 */
#include "response.h"
#include "quoted-words.h"
#include "text-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both compilers limit the nesting; no build needs this depth. */
#define DEEPEST_NESTING 64

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
		struct words nested = {0};
		words_add_quoted(&nested, file.bytes, file.length);
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

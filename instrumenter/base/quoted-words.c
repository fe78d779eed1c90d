/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits as GNU libiberty documents it for response files. */
#include "quoted-words.h"

#include <ctype.h>
#include <stdlib.h>

char words_add_quoted(struct words *words, const char *text, size_t length)
{
	char *word = malloc(length + 1);
	size_t used = 0;
	char quote = 0;
	bool inside = false;

	words->failed |= word == NULL;
	for (size_t i = 0; word != NULL && i < length; i++) {
		char c = text[i];
		if (quote == 0 && isspace((unsigned char)c)) {
			if (inside)
				words_add_bytes(words, word, used);
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
		words_add_bytes(words, word, used);
	free(word);
	return quote;
}

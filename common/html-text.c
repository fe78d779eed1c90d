/* SPDX-License-Identifier: BSD-3-Clause */
/* Escapes text for HTML. It allocates no memory. */
#include "common/html-text.h"

#include "common/utf8.h"

void html_put_text(FILE *out, const char *text, int limit, bool keeps_tabs)
{
	const char *start = text;
	uint32_t character;
	int count = 0;

	while ((character = utf8_next(&text))) {
		if (++count > limit) {
			fputs("\xe2\x80\xa6", out);
			return;
		}
		if (character == '\t' && keeps_tabs)
			fputc('\t', out);
		else if (character == '&')
			fputs("&amp;", out);
		else if (character == '<')
			fputs("&lt;", out);
		else if (character == '>')
			fputs("&gt;", out);
		else if (character == '"')
			fputs("&quot;", out);
		else if (character == '\'')
			fputs("&#39;", out);
		else if (character == UTF8_REPLACEMENT || utf8_is_unsafe(character))
			fputs(UTF8_REPLACEMENT_TEXT, out);
		else
			fwrite(start, 1, (size_t)(text - start), out);
		start = text;
	}
}

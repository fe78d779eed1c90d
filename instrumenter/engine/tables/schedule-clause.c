/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads kind and chunk of schedule clauses, and the modifiers in front of them:
 * nonmonotonic:dynamic,4.
 */
#include "schedule-clause.h"

#include <ctype.h>
#include <string.h>

#define MODIFIERS "abcdefghijklmnopqrstuvwxyz_, \t"

static struct schedule_word trim(const char *begin, const char *end)
{
	while (begin < end && isspace((unsigned char)*begin))
		begin++;
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	return (struct schedule_word){begin, (size_t)(end - begin)};
}

bool schedule_word_is(const struct schedule_word *word, const char *text)
{
	return word->length == strlen(text) && strncmp(word->text, text, word->length) == 0;
}

bool schedule_word_is_number(const struct schedule_word *word)
{
	for (size_t i = 0; i < word->length; i++)
		if (!isdigit((unsigned char)word->text[i]))
			return false;
	return true;
}

/* Before the colon after the modifiers there are only words and commas, never an expression. */
struct schedule_clause schedule_clause_read(const struct clause_list *list)
{
	const struct clause *clause = find_clause(list, "schedule");
	struct schedule_clause parts = {{"", 0}, {"static", strlen("static")}, {"", 0}};
	const char *text, *colon, *comma, *end;

	if (clause == NULL || clause->arguments == NULL)
		return parts;
	text = clause->arguments;
	colon = text + strspn(text, MODIFIERS);
	/* monotonic, simd: static */
	if (*colon == ':' && colon[1] != ':') {
		parts.modifiers = trim(text, colon);
		text = colon + 1;
	}
	end = text + strlen(text);
	comma = strchr(text, ',');
	parts.kind = trim(text, comma != NULL ? comma : end);
	parts.chunk = comma != NULL ? trim(comma + 1, end) : trim(end, end);
	return parts;
}

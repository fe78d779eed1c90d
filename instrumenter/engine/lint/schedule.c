/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads kind and chunk of schedule clauses, and the modifiers in front of them:
 * nonmonotonic:dynamic,4.
 */
#include "schedule.h"

#include <ctype.h>
#include <string.h>

#define MODIFIERS "abcdefghijklmnopqrstuvwxyz_, \t"

struct word {
	const char *text;
	size_t length;
};

struct schedule {
	struct word kind, chunk; /* length 0: absent */
};

static struct word trim(const char *begin, const char *end)
{
	while (begin < end && isspace((unsigned char)*begin))
		begin++;
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	return (struct word){begin, (size_t)(end - begin)};
}

static bool is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && strncmp(word->text, text, word->length) == 0;
}

/* Before the colon after the modifiers there are only words and commas, never an expression. */
static struct schedule read_schedule(const struct tree_construct *construct)
{
	const struct clause *clause = find_clause(&construct->clauses, "schedule");
	const char *text, *colon, *comma, *end;

	if (clause == NULL || clause->arguments == NULL)
		return (struct schedule){{"static", strlen("static")}, {"", 0}};
	text = clause->arguments;
	colon = text + strspn(text, MODIFIERS);
	/* monotonic, simd: static */
	if (*colon == ':' && colon[1] != ':')
		text = colon + 1;
	end = text + strlen(text);
	comma = strchr(text, ',');
	return (struct schedule){trim(text, comma != NULL ? comma : end),
	    comma != NULL ? trim(comma + 1, end) : trim(end, end)};
}

static bool is_number(const struct word *word)
{
	for (size_t i = 0; i < word->length; i++)
		if (!isdigit((unsigned char)word->text[i]))
			return false;
	return true;
}

bool schedule_differs(const struct tree_construct *one, const struct tree_construct *other)
{
	const struct schedule first = read_schedule(one), second = read_schedule(other);

	if (!is(&first.kind, "static") || !is(&second.kind, "static"))
		return true;
	if (first.chunk.length == second.chunk.length &&
	    strncmp(first.chunk.text, second.chunk.text, first.chunk.length) == 0)
		return false;
	/* Chunk expressions that are not numbers may have the same value. */
	return is_number(&first.chunk) && is_number(&second.chunk);
}

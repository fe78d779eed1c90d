/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The constructs of Fortran: lines with the sentinel !$omp, in fixed form also c$omp and *$omp,
 * joined with their continuation lines. A construct ends with its end directive or, if that is
 * optional, with the loop or statement after the directive.
 */
#include "race-source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 64 };

/*
 * The text after the sentinel, or NULL. In fixed form, column 6 shows whether the line is a
 * continuation.
 */
static const char *behind_sentinel(const char *line, bool *continues)
{
	const char *at = line + strspn(line, " \t");

	*continues = false;
	if (strncasecmp(at, "!$omp", 5) != 0 &&
	    (at != line || (strncasecmp(at, "c$omp", 5) != 0 && strncmp(at, "*$omp", 5) != 0)) &&
	    (at != line || strncasecmp(at, "*$omp", 5) != 0))
		return NULL;
	if (at == line && at[5] != '\0' && at[5] != ' ' && at[5] != '\t' && at[5] != '0' &&
	    !isalpha((unsigned char)at[5]))
		*continues = true;
	return at + 5 + (*continues && at[5] != '&');
}

/* Copies the text in lower case without comments; true if the line ends with '&'. */
static bool add_words(struct inst_buffer *text, const char *words)
{
	size_t length = strcspn(words, "!");

	while (length > 0 && isspace((unsigned char)words[length - 1]))
		length--;
	bool goes_on = length > 0 && words[length - 1] == '&';
	length -= goes_on;
	words += strspn(words, " \t");
	if (words[0] == '&')
		words++, length--;
	for (size_t i = 0; i < length && words[i] != '\0' && words[i] != '&' && words[i] != '!';
	     i++)
		buffer_format(text, "%c", tolower((unsigned char)words[i]));
	buffer_add_string(text, " ");
	return goes_on;
}

/*
 * The directive that begins on the line, joined to one line; *last is its last line. NULL if none
 * begins here.
 */
static const char *directive_at(
    struct inst_arena *arena, const struct race_text *text, int line, int *last)
{
	struct inst_buffer words = {.arena = arena};
	bool continues;
	const char *rest = behind_sentinel(text->lines[line - 1], &continues);

	if (rest == NULL || continues)
		return NULL;
	bool goes_on = add_words(&words, rest);
	*last = line;
	while (*last < text->line_count) {
		rest = behind_sentinel(text->lines[*last], &continues);
		if (rest == NULL || (!goes_on && !continues))
			break;
		goes_on = add_words(&words, rest);
		++*last;
	}
	return words.data;
}

/* Converts "parallel do simd" to C's form, "parallel for simd". */
static const char *c_words(struct inst_arena *arena, const char *words)
{
	struct inst_buffer text = {.arena = arena};
	bool in_name = true;

	while (*words != '\0') {
		size_t blanks = strspn(words, " \t");
		size_t word = strcspn(words + blanks, " \t(");
		if (word == 0) {
			buffer_add_string(&text, words);
			break;
		}
		buffer_add(&text, words, blanks);
		words += blanks;
		if (in_name && word == 2 && strncmp(words, "do", 2) == 0)
			buffer_add_string(&text, "for");
		else if (in_name && word == 10 && strncmp(words, "paralleldo", 10) == 0)
			buffer_add_string(&text, "parallel for");
		else
			buffer_add(&text, words, word);
		in_name &= words[word] != '(';
		words += word;
	}
	return text.data != NULL ? text.data : "";
}

/* Converts "parallel for simd" to Fortran's form. */
static const char *own_name(struct inst_arena *arena, const char *name)
{
	struct inst_buffer text = {.arena = arena};

	while (*name != '\0') {
		size_t word = strcspn(name, " ");
		if (word == 3 && strncmp(name, "for", 3) == 0)
			buffer_add_string(&text, "do");
		else
			buffer_add(&text, name, word);
		name += word;
		if (*name == ' ') {
			buffer_add_string(&text, " ");
			name++;
		}
	}
	return text.data != NULL ? text.data : "";
}

/* The statement without label, construct name and leading blanks. */
static const char *statement_of(const char *line)
{
	const char *at = line + strspn(line, " \t0123456789");
	size_t name = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	const char *colon = at + name + strspn(at + name, " \t");

	if (name > 0 && colon[0] == ':' && colon[1] != ':')
		return colon + 1 + strspn(colon + 1, " \t");
	return at;
}

/* Does the statement begin with this whole word? `end do` may contain blanks. */
static bool begins_with(const char *statement, const char *word)
{
	size_t length = strlen(word);

	return strncasecmp(statement, word, length) == 0 &&
	       !isalnum((unsigned char)statement[length]) && statement[length] != '_';
}

/* The last line of the DO loop that begins on this line or soon after it. */
static int loop_end(const struct race_text *text, int line)
{
	int depth = 0;
	long labels[DEEPEST];

	for (; line <= text->line_count; line++) {
		const char *own = text->lines[line - 1], *statement = statement_of(own);
		long label = strtol(own, NULL, 10);
		if (own[0] == '*' || own[0] == 'c' || own[0] == 'C' || statement[0] == '!')
			continue;
		if (begins_with(statement, "do") && depth < DEEPEST) {
			const char *behind = statement + 2 + strspn(statement + 2, " \t");
			labels[depth++] = strtol(behind, NULL, 10);
		} else if (begins_with(statement, "enddo") || begins_with(statement, "end do")) {
			depth--;
		} else {
			while (depth > 0 && label != 0 && labels[depth - 1] == label)
				depth--;
		}
		if (depth <= 0 && statement[0] != '\0')
			return line;
	}
	return text->line_count;
}

/* The line of the next statement. */
static int next_statement(const struct race_text *text, int line)
{
	while (line < text->line_count) {
		const char *own = text->lines[line];
		bool comment = own[0] == '*' || own[0] == 'c' || own[0] == 'C' ||
			       own[strspn(own, " \t")] == '!' || own[strspn(own, " \t")] == '\0';
		line++;
		if (!comment)
			break;
	}
	return line;
}

/* The last line of a construct that needs no end directive; 0 if it needs one. */
static int natural_end(
    const struct race_text *text, const struct race_construct *construct, int last)
{
	for (size_t i = 0; i < construct->use.leaf_count; i++) {
		enum directive_body body = construct->use.leaves[i]->body;
		if (body == BODY_LOOP || body == BODY_LOOP_SEQUENCE)
			return loop_end(text, next_statement(text, last));
	}
	if (race_construct_has(construct, CONSTRUCT_ATOMIC))
		return next_statement(text, last);
	return 0;
}

/* Closes the innermost open construct that "end WORDS" names, and all constructs open inside it. */
static void close_construct(struct inst_arena *arena, struct race_text *text, const char *words,
    int line, const int *open, int *depth)
{
	struct directive_use use = directive_read(arena, words);

	for (int i = *depth - 1; i >= 0; i--) {
		struct race_construct *construct = &text->constructs[open[i]];
		if (strcmp(construct->use.name, use.name) != 0)
			continue;
		/* In Fortran, nowait may follow the end directive. */
		if (strstr(use.clauses, "nowait") != NULL && use.leaf_count > 0)
			construct->clauses = clauses_read(
			    arena, arena_format(arena, "%s nowait", construct->use.clauses));
		for (int j = i; j < *depth; j++)
			if (text->constructs[open[j]].end < line)
				text->constructs[open[j]].end = line - (j > i);
		*depth = i;
		return;
	}
}

static bool has_body(const struct race_construct *construct)
{
	enum directive_body body =
	    construct->use.leaf_count > 0 ? construct->use.leaves[0]->body : BODY_NONE;

	return body != BODY_NONE && body != BODY_DECLARATION;
}

/* A section ends where the next one begins. */
static void end_open_section(
    struct race_text *text, const struct race_construct *construct, const int *open, int *depth)
{
	if (!directive_is(&construct->use, CONSTRUCT_SECTION) || *depth == 0)
		return;
	struct race_construct *before = &text->constructs[open[*depth - 1]];
	if (directive_is(&before->use, CONSTRUCT_SECTION)) {
		before->end = construct->line - 1;
		--*depth;
	}
}

void race_fortran_constructs(struct inst_arena *arena, struct race_text *text)
{
	int open[DEEPEST], depth = 0, last;

	for (int line = 1; line <= text->line_count; line++) {
		const char *words = directive_at(arena, text, line, &last);
		if (words == NULL)
			continue;
		words += strspn(words, " \t");
		if (strncmp(words, "end", 3) == 0) {
			const char *ended = c_words(arena, words + 3);
			close_construct(arena, text, ended, last, open, &depth);
			line = last;
			continue;
		}
		struct race_construct *construct =
		    race_construct_add(arena, text, c_words(arena, words), line);
		construct->name = own_name(arena, construct->use.name);
		end_open_section(text, construct, open, &depth);
		construct->end = natural_end(text, construct, last);
		if (construct->end == 0 && !has_body(construct))
			construct->end = line - 1;
		else if (depth < DEEPEST)
			open[depth++] = text->construct_count - 1;
		line = last;
	}
}

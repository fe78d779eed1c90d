/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces comments and quoted texts in a text's lines by blanks: the rest is code, in its original
 * columns. C++ raw strings of several lines count as code.
 */
#include "race-source.h"

#include <ctype.h>
#include <string.h>

/* Blanks out [from, to) of the line. */
static void blank(char *line, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (line[i] != '\t')
			line[i] = ' ';
}

/*
 * Offset after the quoted text that begins at `at`; the end of the line if it does not end there.
 */
static size_t behind_quote(const char *line, size_t at, bool fortran)
{
	const char quote = line[at++];

	for (; line[at] != '\0' && line[at] != quote; at++)
		if (line[at] == '\\' && !fortran && line[at + 1] != '\0')
			at++;
	return line[at] != '\0' ? at + 1 : at;
}

/* A quote between digits, as in C++'s 1'000, begins nothing. */
static bool begins_quote(const char *line, size_t at)
{
	return line[at] == '"' ||
	       (line[at] == '\'' && (at == 0 || !isxdigit((unsigned char)line[at - 1])));
}

/* *inside: on entry, does the line begin inside a comment; on return, does the next one. */
static void mask_c(char *line, bool *inside)
{
	for (size_t at = 0; line[at] != '\0';) {
		size_t from = at;
		if (*inside || (line[at] == '/' && line[at + 1] == '*')) {
			const char *end = strstr(line + at + (*inside ? 0 : 2), "*/");
			*inside = end == NULL;
			at = end != NULL ? (size_t)(end + 2 - line) : strlen(line);
			blank(line, from, at);
		} else if (line[at] == '/' && line[at + 1] == '/') {
			blank(line, at, strlen(line));
			return;
		} else if (begins_quote(line, at)) {
			at = behind_quote(line, at, false);
			blank(line, from, at);
		} else {
			at++;
		}
	}
}

static void mask_fortran(char *line, bool fixed)
{
	if (fixed && strchr("cC*dD", line[0]) != NULL && line[0] != '\0')
		blank(line, 0, strlen(line));
	for (size_t at = 0; line[at] != '\0';) {
		size_t from = at;
		if (line[at] == '!') {
			blank(line, at, strlen(line));
			return;
		}
		at = line[at] == '"' || line[at] == '\'' ? behind_quote(line, at, true) : at + 1;
		if (at > from + 1)
			blank(line, from, at);
	}
}

void race_mask_comments(struct inst_arena *arena, struct race_text *text)
{
	bool inside = false;

	text->code = arena_allocate(arena, ((size_t)text->line_count + 1) * sizeof *text->code);
	for (int i = 0; i < text->line_count; i++) {
		char *line = arena_copy(arena, text->lines[i], strlen(text->lines[i]));
		if (text->is_fortran)
			mask_fortran(line, text->is_fixed);
		else
			mask_c(line, &inside);
		text->code[i] = line;
	}
}

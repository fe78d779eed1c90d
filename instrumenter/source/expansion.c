/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares a file with the preprocessor's output: which of its directives are active, and which
 * directives the file does not show because they come from a macro or a header.
 */
#include "expansion.h"
#include "line-marker.h"
#include "shared/array.h"
#include "shared/search.h"

#include <stdlib.h>
#include <string.h>

/*
 * Handles a line that appears again: in a file that includes itself, or for a second directive on
 * the line.
 */
static void compare_repeated_line(
    struct expansion_lines *lines, int number, const char *directive, size_t length)
{
	size_t after;

	SEARCH(after, lines->count, lines->numbers[after] <= number);
	char *known = after > 0 ? lines->directives[after - 1] : NULL;
	if (known == NULL || lines->numbers[after - 1] != number ||
	    (directive != NULL && strlen(known) == length && memcmp(known, directive, length) == 0))
		return;
	free(known);
	lines->directives[after - 1] = NULL;
}

/* Adds a line; `directive` may be NULL. */
static int add_line(struct expansion_lines *lines, int number, const char *directive, size_t length)
{
	if (lines->count > 0 && lines->numbers[lines->count - 1] >= number) {
		compare_repeated_line(lines, number, directive, length);
		return 0;
	}
	if (!ARRAY_ROOM(lines->numbers, lines->count, lines->number_capacity, 1) ||
	    !ARRAY_ROOM(lines->directives, lines->count, lines->directive_capacity, 1))
		return -1;
	lines->numbers[lines->count] = number;
	lines->directives[lines->count++] = directive != NULL ? strndup(directive, length) : NULL;
	return 0;
}

void expansion_lines_finish(struct expansion_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->directives[i]);
	free(lines->directives);
	free(lines->numbers);
}

static bool is_pragma(const char *at, const char *end)
{
	return end - at > 8 && memcmp(at, "#pragma ", 8) == 0;
}

/* The text after `#pragma omp`, or NULL for any other line. */
static const char *find_directive(const char *at, const char *end)
{
	if (!is_pragma(at, end))
		return NULL;
	for (at += 8; at < end && (*at == ' ' || *at == '\t'); at++)
		;
	return end - at > 4 && (memcmp(at, "omp ", 4) == 0 || memcmp(at, "omp\t", 4) == 0) ? at + 4
											   : NULL;
}

int expansion_find_active_lines(
    const struct text_file *expanded, const char *file, struct expansion_lines *lines)
{
	const char *end = expanded->bytes + expanded->length;
	struct line_marker marker = {0};
	bool in_file = false;
	int line = 0;

	for (const char *at = expanded->bytes; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;
		if (line_marker_read(at, stop, &marker)) {
			in_file = line_marker_names(&marker, file, strlen(file));
			line = marker.line;
		} else {
			bool attribute = memmem(at, (size_t)(stop - at), "[[", 2) != NULL;
			const char *directive = find_directive(at, stop);
			if (in_file && (is_pragma(at, stop) || attribute) &&
			    add_line(lines, line, directive,
				directive != NULL ? (size_t)(stop - directive) : 0) != 0)
				return -1;
			line++;
		}
		at = stop + 1;
	}
	return 0;
}

size_t expansion_count_directives(const struct text_file *expanded)
{
	const char *end = expanded->bytes + expanded->length;
	size_t count = 0;

	for (const char *at = expanded->bytes; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;
		if (is_pragma(at, stop)) {
			const char *word = at + 8 + strspn(at + 8, " \t");
			count += strncmp(word, "omp ", 4) == 0 || strncmp(word, "pomp ", 5) == 0;
		}
		count += memmem(at, (size_t)(stop - at), "[[omp::", 7) != NULL;
		at = stop + 1;
	}
	return count;
}

/* Does the file's own text show this construct at this place? */
static bool is_shown(const struct engine_result *result, const struct inst_construct *construct)
{
	for (size_t i = 0; i < result->construct_count; i++)
		if (result->constructs[i].line == construct->line &&
		    !result->constructs[i].function == !construct->function &&
		    strcmp(result->constructs[i].file, construct->file) == 0)
			return true;
	return false;
}

/* Describes to the user a construct that the file does not show. */
static struct inst_construct describe_hidden(const struct inst_construct *construct, bool macro)
{
	struct inst_construct hidden = *construct;

	if (hidden.status == INST_INSTRUMENTED) {
		hidden.status = construct->function ? INST_PASSED : INST_SKIPPED;
		hidden.reason = macro ? "it comes from a macro" : "it stands in a header";
	}
	hidden.parts = NULL; /* the other result frees them */
	hidden.part_count = 0;
	return hidden;
}

/*
 * Inserts it among the file's own constructs, which are the first `own`, by its line; a header's
 * construct goes after all others.
 */
static void insert(
    struct engine_result *result, struct inst_construct hidden, size_t *own, bool macro)
{
	struct inst_construct *all = result->constructs;
	size_t place = macro ? *own : result->construct_count;

	while (macro && place > 0 && all[place - 1].line > hidden.line)
		place--;
	memmove(&all[place + 1], &all[place], (result->construct_count - place) * sizeof *all);
	all[place] = hidden;
	result->construct_count++;
	*own += macro;
}

void expansion_add_hidden(
    struct engine_result *result, const struct engine_result *expanded, const char *file)
{
	size_t count = expanded->construct_count, own = result->construct_count;
	bool *shown = calloc(count + 1, sizeof *shown);

	/* This must be done first, because several constructs may come from one line. */
	for (size_t i = 0; shown != NULL && i < count; i++)
		shown[i] = is_shown(result, &expanded->constructs[i]);
	for (size_t i = 0; shown != NULL && i < count; i++) {
		bool macro = strcmp(expanded->constructs[i].file, file) == 0;
		if (!shown[i] && ARRAY_ROOM(result->constructs, result->construct_count,
				     result->construct_capacity, 1))
			insert(
			    result, describe_hidden(&expanded->constructs[i], macro), &own, macro);
	}
	free(shown);
}

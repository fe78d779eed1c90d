/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores the files' lines and constructs, and finds the construct around a line. */
#include "race-source.h"

#include "text-file.h"

#include <string.h>
#include <strings.h>

static bool is_fortran_name(const char *path)
{
	static const char *const suffixes[] = {
	    ".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18", ".fpp", ".F90"};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strcasecmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

static bool is_fixed_form(const char *path)
{
	static const char *const suffixes[] = {".f", ".for", ".ftn", ".f77", ".fpp"};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strcasecmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

static void split_lines(
    struct inst_arena *arena, struct race_text *text, const char *bytes, size_t length)
{
	size_t room = 0;

	while (length > 0) {
		const char *end = memchr(bytes, '\n', length);
		size_t line = end != NULL ? (size_t)(end - bytes) : length;
		size_t shown = line > 0 && bytes[line - 1] == '\r' ? line - 1 : line;
		*ARENA_ADD(arena, text->lines, text->line_count, room) =
		    arena_copy(arena, bytes, shown);
		length -= line + (end != NULL);
		bytes += line + (end != NULL);
	}
}

/* Constructs nest: of those around a line, the one that begins last is the innermost. */
static void find_parents(struct race_text *text)
{
	for (int i = 0; i < text->construct_count; i++)
		for (int j = i - 1; j >= 0; j--) {
			const struct race_construct *outer = &text->constructs[j];
			int line = text->constructs[i].line;
			if (outer->begin <= line && line <= outer->end) {
				text->constructs[i].parent = j;
				break;
			}
		}
}

static void read_text(struct inst_arena *arena, struct race_text *text)
{
	struct text_file file;

	if (text_file_read(text->path, &file) != 0)
		return;
	/* The arena may jump out of this function, so it must own the bytes. */
	size_t length = file.length;
	char *bytes = length < (size_t)64 << 20 ? arena_copy(arena, file.bytes, length) : NULL;
	text_file_finish(&file);
	if (bytes == NULL)
		return;
	text->is_there = true;
	text->is_fortran = is_fortran_name(text->path);
	text->is_fixed = text->is_fortran && is_fixed_form(text->path);
	split_lines(arena, text, bytes, length);
	race_mask_comments(arena, text);
	if (text->is_fortran)
		race_fortran_constructs(arena, text);
	else
		race_c_constructs(arena, text, bytes, length);
	find_parents(text);
}

const struct race_text *race_source_text(struct race_sources *sources, const char *path)
{
	for (size_t i = 0; i < sources->count; i++)
		if (strcmp(sources->texts[i]->path, path) == 0)
			return sources->texts[i];
	struct race_text *text = arena_allocate(sources->arena, sizeof *text);
	text->path = arena_copy(sources->arena, path, strlen(path));
	read_text(sources->arena, text);
	*ARENA_ADD(sources->arena, sources->texts, sources->count, sources->room) = text;
	return text;
}

static const char *without_blanks(struct inst_arena *arena, const char *begin, size_t length)
{
	size_t blanks = strspn(begin, " \t");

	if (blanks > length)
		blanks = length;
	begin += blanks;
	length -= blanks;
	while (length > 0 && strchr(" \t", begin[length - 1]) != NULL)
		length--;
	return arena_copy(arena, begin, length);
}

const char *race_source_line(struct race_sources *sources, const struct race_text *text, int line)
{
	if (line < 1 || line > text->line_count)
		return "";
	const char *begin = text->lines[line - 1];
	return without_blanks(sources->arena, begin, strlen(begin));
}

/*
 * Statements are separated by semicolons and braces, except semicolons inside round brackets, as in
 * `for`.
 */
struct race_range race_source_range(const struct race_text *text, int line, int column)
{
	const char *code = text->code[line - 1];
	struct race_range range = {0, 0};
	int depth = 0;

	for (; code[range.end] != '\0'; range.end++) {
		size_t blanks = strspn(code + range.begin, " \t");
		depth += (code[range.end] == '(') - (code[range.end] == ')');
		if (depth > 0 || strchr(";{}", code[range.end]) == NULL)
			continue;
		/* Without a column, the first statement. */
		if (column > 0 ? range.end + 1 >= (size_t)column : range.begin + blanks < range.end)
			break;
		range.begin = range.end + 1;
	}
	return range;
}

const char *race_source_statement(
    struct race_sources *sources, const struct race_text *text, int line, int column)
{
	if (line < 1 || line > text->line_count)
		return "";
	struct race_range range = race_source_range(text, line, column);
	return without_blanks(
	    sources->arena, text->code[line - 1] + range.begin, range.end - range.begin);
}

int race_source_construct(const struct race_text *text, int line)
{
	int found = -1;

	for (int i = 0; i < text->construct_count && text->constructs[i].begin <= line; i++)
		if (line <= text->constructs[i].end)
			found = i;
	return found;
}

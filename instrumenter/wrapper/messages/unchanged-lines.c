/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares lines of preprocessed text with the user's. The preprocessor replaces tabs by blanks and
 * drops comments. If it expanded a macro, or dropped a comment inside a line, the line differs.
 */
#include "unchanged-lines.h"
#include "line-marker.h"
#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

void unchanged_lines_add(struct unchanged_lines *lines, const struct line_place *place)
{
	if (!ARRAY_PUSH(lines->places, lines->count, lines->capacity, *place))
		lines->failed = true;
}

void unchanged_lines_finish(struct unchanged_lines *lines)
{
	free(lines->places);
	*lines = (struct unchanged_lines){0};
}

/* Compares two places: by file, then by line. */
static int compare_places(const void *left, const void *right)
{
	const struct line_place *a = left, *b = right;

	if (a->file_length != b->file_length)
		return a->file_length < b->file_length ? -1 : 1;
	int order = memcmp(a->file, b->file, a->file_length);
	if (order != 0)
		return order;
	return a->line != b->line ? (a->line < b->line ? -1 : 1)
				  : (a->column > b->column) - (a->column < b->column);
}

static bool is_same_file(const struct line_place *a, const struct line_place *b)
{
	return a->file_length == b->file_length && memcmp(a->file, b->file, a->file_length) == 0;
}

/*
 * Is [text, text_end) of the preprocessed text the beginning of [user, user_end), and does it
 * include the column?
 */
static bool is_same_line(
    const char *text, const char *text_end, const char *user, const char *user_end, int column)
{
	const char *start = text;

	while (text_end > text && (text_end[-1] == ' ' || text_end[-1] == '\t'))
		text_end--;
	for (; text < text_end; text++, user++)
		if (user == user_end ||
		    (*text != *user && !(*text == ' ' && (*user == '\t' || *user == '\f'))))
			return false;
	if (column > 1) {
		/* A tab is one byte, but counts as one or more columns. */
		ptrdiff_t bytes = text_end - start, blanks = 0;
		for (const char *at = user - bytes; at < user; at++)
			blanks += *at == '\t' ? 7 : 0;
		return column <= bytes + blanks;
	}
	return true;
}

/*
 * The start of a line in a user's file, searching on from a line whose start is known; NULL if the
 * file has fewer lines.
 */
static const char *find_line(const struct text_file *file, const char *at, int from, int line)
{
	const char *end = file->bytes + file->length;

	for (; at != NULL && from < line; from++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at != NULL ? at + 1 : NULL;
	}
	return at;
}

/*
 * Checks one stretch of preprocessed text between line markers, for the places [first, last) in its
 * file. A line that the preprocessor left empty shows nothing; `seen` records which places were
 * shown.
 */
static bool check_stretch(const char *text, const char *end, int line,
    const struct line_place *first, const struct line_place *last, const struct text_file *user,
    bool *seen)
{
	const char *at = user->bytes;
	int at_line = 1;

	for (const char *start = text; start < end; line++) {
		const char *stop = memchr(start, '\n', (size_t)(end - start));
		stop = stop != NULL ? stop : end;
		for (const struct line_place *place = first; place < last; place++) {
			if (place->line != line)
				continue;
			const char *user_line = find_line(user, at, at_line, line);
			if (user_line == NULL)
				return false;
			at = user_line;
			at_line = line;
			const char *user_end = memchr(
			    user_line, '\n', (size_t)(user->bytes + user->length - user_line));
			user_end = user_end ? user_end : user->bytes + user->length;
			if (!is_same_line(start, stop, user_line, user_end, place->column))
				return false;
			seen[place - first] = true;
		}
		start = stop + 1;
	}
	return true;
}

/* Checks the places [first, last), which are all in one file. */
static bool check_file(const struct line_place *first, const struct line_place *last,
    const struct text_file *preprocessed)
{
	const char *end = preprocessed->bytes + preprocessed->length;
	char *name = strndup(first->file, first->file_length);
	bool *seen = calloc((size_t)(last - first), sizeof *seen);
	struct text_file user = {0};
	struct line_marker marker = {0}, next = {0};
	const char *stretch = preprocessed->bytes;
	bool holds = name != NULL && seen != NULL && text_file_read(name, &user) == 0;

	for (const char *at = preprocessed->bytes; holds && at <= end;) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): text is left */
		const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : end;
		stop = stop != NULL ? stop : end;
		if (at == end || line_marker_read(at, stop, &next)) {
			if (marker.file != NULL &&
			    line_marker_names(&marker, first->file, first->file_length))
				holds = check_stretch(
				    stretch, at, marker.line, first, last, &user, seen);
			marker = next;
			stretch = stop + 1;
		}
		at = stop + 1;
	}
	for (size_t i = 0; holds && i < (size_t)(last - first); i++)
		holds = seen[i];
	text_file_finish(&user);
	free(name);
	free(seen);
	return holds;
}

bool unchanged_lines_hold(const struct unchanged_lines *lines, const struct text_file *preprocessed)
{
	struct line_place *places = lines->places;
	size_t count = lines->count;

	if (lines->failed)
		return false;
	if (count > 1)
		qsort(places, count, sizeof *places, compare_places);
	for (size_t first = 0, last; first < count; first = last) {
		for (last = first + 1; last < count && is_same_file(&places[first], &places[last]);)
			last++;
		if (!check_file(&places[first], &places[last], preprocessed))
			return false;
	}
	return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares lines of preprocessed text with the user's. The preprocessor writes a blank for a tab
 * and drops comments; where it expanded a macro or dropped a comment amid a line, the line differs.
 */
#include "unchanged-lines.h"
#include "line-marker.h"
#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

void verbatim_add(struct verbatim *verbatim, const struct verbatim_place *place)
{
	if (!ARRAY_PUSH(verbatim->places, verbatim->count, verbatim->capacity, *place))
		verbatim->failed = true;
}

void verbatim_finish(struct verbatim *verbatim)
{
	free(verbatim->places);
	*verbatim = (struct verbatim){0};
}

/* Two orders of the places: by file, then by line. */
static int compare_places(const void *left, const void *right)
{
	const struct verbatim_place *a = left, *b = right;

	if (a->file_length != b->file_length)
		return a->file_length < b->file_length ? -1 : 1;
	int order = memcmp(a->file, b->file, a->file_length);
	if (order != 0)
		return order;
	return a->line != b->line ? (a->line < b->line ? -1 : 1)
				  : (a->column > b->column) - (a->column < b->column);
}

static bool is_same_file(const struct verbatim_place *a, const struct verbatim_place *b)
{
	return a->file_length == b->file_length && memcmp(a->file, b->file, a->file_length) == 0;
}

/* Is [theirs, theirs_end) the beginning of [user, user_end), and the column in it? */
static bool is_same_line(
    const char *theirs, const char *theirs_end, const char *user, const char *user_end, int column)
{
	const char *start = theirs;

	while (theirs_end > theirs && (theirs_end[-1] == ' ' || theirs_end[-1] == '\t'))
		theirs_end--;
	for (; theirs < theirs_end; theirs++, user++)
		if (user == user_end ||
		    (*theirs != *user && !(*theirs == ' ' && (*user == '\t' || *user == '\f'))))
			return false;
	if (column > 1) {
		/* Columns count tabs as wide as they look: at least one byte each. */
		ptrdiff_t bytes = theirs_end - start, blanks = 0;
		for (const char *at = user - bytes; at < user; at++)
			blanks += *at == '\t' ? 7 : 0;
		return column <= bytes + blanks;
	}
	return true;
}

/* The start of a line in a user's file, going on from a line that is known; NULL behind the end. */
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
 * One stretch of preprocessed text between line markers, for the places [first, last) of its file.
 * Lines that the preprocessor left empty show nothing; whether a place is ever seen is in `seen`.
 */
static bool check_stretch(const char *text, const char *end, int line,
    const struct verbatim_place *first, const struct verbatim_place *last,
    const struct text_file *user, bool *seen)
{
	const char *at = user->bytes;
	int at_line = 1;

	for (const char *start = text; start < end; line++) {
		const char *stop = memchr(start, '\n', (size_t)(end - start));
		stop = stop != NULL ? stop : end;
		for (const struct verbatim_place *place = first; place < last; place++) {
			if (place->line != line)
				continue;
			const char *theirs = find_line(user, at, at_line, line);
			if (theirs == NULL)
				return false;
			at = theirs;
			at_line = line;
			const char *user_end =
			    memchr(theirs, '\n', (size_t)(user->bytes + user->length - theirs));
			user_end = user_end ? user_end : user->bytes + user->length;
			if (!is_same_line(start, stop, theirs, user_end, place->column))
				return false;
			seen[place - first] = true;
		}
		start = stop + 1;
	}
	return true;
}

/* The places [first, last), all of one file. */
static bool check_file(const struct verbatim_place *first, const struct verbatim_place *last,
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

bool verbatim_holds(const struct verbatim *verbatim, const struct text_file *preprocessed)
{
	struct verbatim_place *places = verbatim->places;
	size_t count = verbatim->count;

	if (verbatim->failed)
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A patch as a unified diff. The edits say which lines differ, so that nothing has to be compared.
 */
#include "common/patch-edits.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT = 3 };

/* Lines [first, last) of the old text, counted from 0, that become other ones. */
struct change {
	size_t first, last;
};

struct diff {
	FILE *out;
	const struct patch_text *text;
	size_t *lines; /* offset of each line, and of the end */
	size_t line_count;
	struct change *changes;
	size_t change_count;
	long added; /* how many lines more the new text has so far */
};

static bool find_lines(struct diff *diff)
{
	const struct patch_text *text = diff->text;

	diff->lines = calloc(text->length + 2, sizeof *diff->lines);
	diff->changes = malloc((text->count + 1) * sizeof *diff->changes);
	if (diff->lines == NULL || diff->changes == NULL)
		return false;
	for (size_t at = 0; at < text->length;) {
		const char *end = memchr(text->bytes + at, '\n', text->length - at);
		diff->lines[diff->line_count++] = at;
		at = end != NULL ? (size_t)(end - text->bytes) + 1 : text->length;
	}
	diff->lines[diff->line_count] = text->length;
	return true;
}

static size_t line_of(const struct diff *diff, size_t offset)
{
	size_t line = 0;

	while (line + 1 < diff->line_count && diff->lines[line + 1] <= offset)
		line++;
	return line;
}

/* Edits that touch the same lines, or lines next to each other, are one change. */
static void find_changes(struct diff *diff)
{
	for (size_t i = 0; i < diff->text->count; i++) {
		const struct patch_edit *edit = &diff->text->edits[i];
		const size_t first = line_of(diff, edit->begin), length = strlen(edit->text);
		const bool whole = edit->begin == edit->end && edit->begin == diff->lines[first] &&
				   length > 0 && edit->text[length - 1] == '\n';
		const size_t end = edit->end > edit->begin ? edit->end - 1 : edit->end;
		struct change change = {first, whole ? first : line_of(diff, end) + 1};
		struct change *before =
		    diff->change_count > 0 ? &diff->changes[diff->change_count - 1] : NULL;

		if (before != NULL && before->last >= change.first) {
			if (change.last > before->last)
				before->last = change.last;
		} else {
			diff->changes[diff->change_count++] = change;
		}
	}
}

static size_t print_lines(FILE *out, char mark, const char *text, size_t length)
{
	size_t count = 0;

	for (size_t at = 0; at < length; count++) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t next = end != NULL ? (size_t)(end - text) + 1 : length;

		putc(mark, out);
		fwrite(text + at, 1, next - at, out);
		if (end == NULL)
			fputs("\n\\ No newline at end of file\n", out);
		at = next;
	}
	return count;
}

static void print_old(const struct diff *diff, FILE *out, char mark, size_t first, size_t last)
{
	print_lines(out, mark, diff->text->bytes + diff->lines[first],
	    diff->lines[last] - diff->lines[first]);
}

/* Prints the changes [begin, end), which are close to each other, as one hunk. */
static void print_hunk(struct diff *diff, size_t begin, size_t end)
{
	const struct change *changes = diff->changes;
	size_t first = changes[begin].first, last = changes[end - 1].last, length;
	size_t at = first < CONTEXT ? 0 : first - CONTEXT, start = at, old = 0, new = 0;
	char *body = NULL;
	FILE *out = open_memstream(&body, &length);

	last = last + CONTEXT < diff->line_count ? last + CONTEXT : diff->line_count;
	if (out == NULL)
		return;
	for (size_t i = begin; i < end; i++) {
		size_t size = 0;
		char *text = patch_text_apply(
		    diff->text, diff->lines[changes[i].first], diff->lines[changes[i].last], &size);

		print_old(diff, out, ' ', at, changes[i].first);
		print_old(diff, out, '-', changes[i].first, changes[i].last);
		new += changes[i].first - at;
		if (text != NULL)
			new += print_lines(out, '+', text, size);
		free(text);
		at = changes[i].last;
	}
	print_old(diff, out, ' ', at, last);
	new += last - at;
	old = last - start;
	if (fclose(out) == 0)
		fprintf(diff->out, "@@ -%zu,%zu +%ld,%zu @@\n%s", start + 1, old,
		    (long)start + 1 + diff->added, new, body);
	diff->added += (long)new - (long)old;
	free(body);
}

/* A full name of a file below the current folder without that folder, which `patch` needs. */
static const char *name_from_here(const char *name)
{
	char here[PATH_MAX] = "";
	size_t length;

	if (getcwd(here, sizeof here) == NULL)
		return name;
	length = strlen(here);
	return strncmp(name, here, length) == 0 && name[length] == '/' ? name + length + 1 : name;
}

char *patch_text_apply(const struct patch_text *text, size_t begin, size_t end, size_t *length)
{
	char *edited = NULL;
	FILE *out = open_memstream(&edited, length);
	size_t at = begin;

	if (out == NULL)
		return NULL;
	for (size_t i = 0; i < text->count; i++) {
		const struct patch_edit *edit = &text->edits[i];

		if (edit->begin < begin || edit->end > end)
			continue;
		fwrite(text->bytes + at, 1, edit->begin - at, out);
		fputs(edit->text, out);
		at = edit->end;
	}
	fwrite(text->bytes + at, 1, end - at, out);
	if (fclose(out) != 0) {
		free(edited);
		return NULL;
	}
	return edited;
}

void patch_text_print(FILE *out, const struct patch_text *text)
{
	struct diff diff = {.out = out, .text = text};
	const char *name = name_from_here(text->name), *tab = strchr(name, ' ') != NULL ? "\t" : "";
	const char *slash = !text->prefixed || name[0] == '/' ? "" : "/";

	if (find_lines(&diff)) {
		find_changes(&diff);
		fprintf(out, "--- %s%s%s%s\n+++ %s%s%s%s\n", text->prefixed ? "a" : "", slash, name,
		    tab, text->prefixed ? "b" : "", slash, name, tab);
		for (size_t i = 0, end; i < diff.change_count; i = end) {
			for (end = i + 1; end < diff.change_count; end++)
				if (diff.changes[end].first >
				    diff.changes[end - 1].last + (size_t)2 * CONTEXT)
					break;
			print_hunk(&diff, i, end);
		}
	}
	free(diff.lines);
	free(diff.changes);
}

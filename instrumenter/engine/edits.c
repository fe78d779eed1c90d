/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies edits. A directive must stand on a line of its own, and a call must not move what the
 * user wrote to another line or column: after each insertion a line marker restores the line, and
 * blanks restore the column. Inserted lines count as the line they belong to.
 */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

void edit_add(struct inst_arena *arena, struct edit_list *list, struct edit edit)
{
	list->edits = arena_grow(arena, list->edits, list->count, &list->room, sizeof *list->edits);
	list->edits[list->count++] = edit;
}

static int compare_edits(const void *left, const void *right)
{
	const struct edit *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->order == b->order)
		return 0;
	return (a->order < b->order) == (a->kind != EDIT_CLOSE) ? -1 : 1;
}

void add_marker(struct inst_buffer *out, enum inst_form form, struct inst_place place)
{
	buffer_format(out, "%s %d \"", form == INST_SOURCE ? "#line" : "#", place.line);
	buffer_add_escaped(out, place.file);
	if (form == INST_SOURCE || *place.flags == '\0')
		buffer_add_string(out, "\"\n");
	else
		buffer_format(out, "\" %s\n", place.flags);
}

/* Blanks as wide as the user's line up to `offset`; tabs stay. */
static void add_indentation(
    struct inst_buffer *out, const char *text, size_t line_start, size_t offset)
{
	for (size_t i = line_start; i < offset; i++)
		buffer_add_string(out, text[i] == '\t' ? "\t" : " ");
}

static bool is_directive_line(const char *line)
{
	return line[strspn(line, " \t")] == '#';
}

struct application {
	const struct inst_input *input;
	const struct inst_scan *scan;
	struct inst_buffer *out;
	size_t at; /* the text before it is written */
};

/*
 * Lines of code, each counting as the user's line `place`; the output is at a line start. Flag 3
 * makes our own statements system code, which no warning option of the user's is meant for; the
 * pragmas stay the user's. In source for people, only the pragmas are placed.
 */
static void add_lines(struct application *apply, const char *code, struct inst_place place)
{
	const enum inst_form form = apply->input->form;
	struct inst_place ours = place;

	ours.flags = "3";
	while (code != NULL && *code != '\0') {
		const char *end = strchr(code, '\n');
		size_t length = end != NULL ? (size_t)(end - code) : strlen(code);
		bool directive = is_directive_line(code);

		if (form == INST_PREPROCESSED || directive)
			add_marker(apply->out, form, directive ? place : ours);
		buffer_add(apply->out, code, length);
		buffer_add_string(apply->out, "\n");
		code = end != NULL ? end + 1 : NULL;
	}
}

/* All edits of one offset that put code in or take a pragma's place, as one piece of code. */
static void apply_code(struct application *apply, size_t begin, size_t end, const char *code)
{
	const struct inst_input *input = apply->input;
	const struct inst_scan *scan = apply->scan;
	struct inst_place place = scan_place(scan, begin);
	size_t line_start = scan_line_start(scan, begin);
	size_t rest = end;
	bool rest_is_blank;

	while (rest < input->length && (input->text[rest] == ' ' || input->text[rest] == '\t'))
		rest++; /* no further: a comment is the user's to keep */
	rest_is_blank = rest >= input->length || input->text[rest] == '\n';
	apply->at = end;
	/* Never behind the user's code on its line: that reads as misleading indentation. */
	if (begin != line_start)
		buffer_add_string(apply->out, "\n");
	add_lines(apply, code, place);
	if (begin != line_start && rest_is_blank && rest < input->length) {
		apply->at = rest + 1;
		end = rest + 1;
	}
	add_marker(apply->out, input->form, scan_place(scan, end));
	add_indentation(apply->out, input->text, scan_line_start(scan, end), end);
}

const char *edits_apply(const struct inst_input *input, const struct inst_scan *scan,
    struct edit_list *list, struct inst_buffer *out)
{
	struct application apply = {input, scan, out, 0};

	if (list->count > 1)
		qsort(list->edits, list->count, sizeof *list->edits, compare_edits);
	for (size_t i = 0; i < list->count;) {
		struct inst_buffer code = {.arena = out->arena};
		size_t begin = list->edits[i].begin, end = begin;

		if (begin < apply.at)
			return "two of its changes would overlap";
		buffer_add(out, input->text + apply.at, begin - apply.at);
		apply.at = begin;
		if (list->edits[i].kind == EDIT_PREAMBLE) {
			buffer_format(out, "%s\n", list->edits[i++].code);
			add_marker(out, input->form, scan_place(scan, begin));
			continue;
		}
		if (list->edits[i].kind == EDIT_WORD) {
			buffer_add_string(out, list->edits[i].code);
			apply.at = list->edits[i++].end;
			continue;
		}
		for (; i < list->count && list->edits[i].begin == begin &&
		       list->edits[i].kind != EDIT_WORD;
		     i++) {
			if (code.length > 0)
				buffer_add_string(&code, "\n");
			buffer_add_string(&code, list->edits[i].code);
			if (list->edits[i].end > end)
				end = list->edits[i].end;
		}
		apply_code(&apply, begin, end, code.data);
	}
	buffer_add(out, input->text + apply.at, input->length - apply.at);
	return NULL;
}

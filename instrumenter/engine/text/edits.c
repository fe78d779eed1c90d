/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies edits. A directive must be on a line of its own, and inserted code must not move the
 * user's text to another line or column: after each insertion a line marker restores the line, and
 * blanks restore the column.
 *
 * In preprocessed text, inserted lines count as the line to which they belong. The user's own text
 * is meant to be read: there, inserted lines are indented like the code around them, follow a
 * comment that ends the user's line, and have only as many markers as correct messages about the
 * user's lines need.
 */
#include "edits.h"

#include "lexer.h"

#include <stdlib.h>
#include <string.h>

void edit_add(struct inst_arena *arena, struct edit_list *list, struct edit edit)
{
	*ARENA_ADD(arena, list->edits, list->count, list->room) = edit;
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

/* Adds a line marker of preprocessed text. */
static void add_marker(struct inst_buffer *out, struct inst_place place)
{
	buffer_format(out, "# %d \"", place.line);
	buffer_add_escaped(out, place.file);
	if (*place.flags == '\0')
		buffer_add_string(out, "\"\n");
	else
		buffer_format(out, "\" %s\n", place.flags);
}

/* Adds blanks as wide as the user's line up to `offset`; tabs stay tabs. */
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
	size_t at; /* everything before it is already written */
	/* INST_SOURCE: */
	int line;            /* the line that the compiler assigns to the output's current line */
	const char *newline; /* the text's own line break */
};

/*
 * Adds lines of code that each count as the user's line `place`; the output is at a line start.
 * Flag 3 makes the added statements system code, to which the user's warning options do not apply.
 * Pragmas remain user code.
 */
static void add_lines(struct application *apply, const char *code, struct inst_place place)
{
	struct inst_place ours = place;

	ours.flags = "3";
	while (code != NULL && *code != '\0') {
		const char *end = strchr(code, '\n');
		size_t length = end != NULL ? (size_t)(end - code) : strlen(code);

		add_marker(apply->out, is_directive_line(code) ? place : ours);
		buffer_add(apply->out, code, length);
		buffer_add_string(apply->out, "\n");
		code = end != NULL ? end + 1 : NULL;
	}
}

/* Adds the combined code of all edits at one offset that insert code or replace a pragma. */
static void apply_code(struct application *apply, size_t begin, size_t end, const char *code)
{
	const struct inst_input *input = apply->input;
	const struct inst_scan *scan = apply->scan;
	struct inst_place place = scan_place(scan, begin);
	size_t line_start = scan_line_start(scan, begin);
	size_t rest = end;
	bool rest_is_blank;

	while (rest < input->length && (input->text[rest] == ' ' || input->text[rest] == '\t'))
		rest++; /* but not further, to keep a comment */
	rest_is_blank = rest >= input->length || input->text[rest] == '\n';
	apply->at = end;
	/*
	 * Not after user code on the same line, because compilers would warn of misleading
	 * indentation.
	 */
	if (begin != line_start)
		buffer_add_string(apply->out, "\n");
	add_lines(apply, code, place);
	if (begin != line_start && rest_is_blank && rest < input->length) {
		apply->at = rest + 1;
		end = rest + 1;
	}
	add_marker(apply->out, scan_place(scan, end));
	add_indentation(apply->out, input->text, scan_line_start(scan, end), end);
}

static bool is_line_start(const struct inst_buffer *out)
{
	return out->length == 0 || out->data[out->length - 1] == '\n';
}

/* The line break that the text's first line uses. */
static const char *newline_of(const struct inst_input *input)
{
	const char *newline = memchr(input->text, '\n', input->length);

	return newline != NULL && newline > input->text && newline[-1] == '\r' ? "\r\n" : "\n";
}

/* A piece of the user's text. */
struct piece {
	const char *text;
	size_t length;
};

/* The leading blanks of a line. */
static struct piece blanks_of_line(const struct inst_input *input, size_t line_start)
{
	size_t at = line_start;

	while (at < input->length && (input->text[at] == ' ' || input->text[at] == '\t'))
		at++;
	return (struct piece){input->text + line_start, at - line_start};
}

/*
 * The smallest indentation of the lines before `at` inside the block whose closing brace has the
 * indentation `brace`.
 */
static struct piece indentation_inside(
    const struct application *apply, size_t at, struct piece brace)
{
	const struct inst_input *input = apply->input;
	struct piece least = {"\t", 1};
	bool found = false;

	while (at > 0) {
		struct piece blanks;

		at = scan_line_start(apply->scan, at - 1);
		blanks = blanks_of_line(input, at);
		if (strchr("#\r\n", blanks.text[blanks.length]) != NULL)
			continue;
		if (blanks.length <= brace.length)
			break;
		if (!found || blanks.length < least.length)
			least = blanks;
		found = true;
	}
	return least;
}

/*
 * The indentation of the calls: that of the anchor's line. If that line is a directive in column 1,
 * the indentation of the code around it.
 */
static struct piece find_indentation(const struct application *apply, size_t anchor)
{
	const struct inst_input *input = apply->input;
	const struct inst_scan *scan = apply->scan;
	size_t start = scan_line_start(scan, anchor);
	struct piece blanks = blanks_of_line(input, start);
	struct lexer lexer;
	struct token token;

	if (blanks.length > 0 || start >= input->length || input->text[start] != '#')
		return blanks;
	lexer_init(&lexer, input->text, input->length, start);
	do
		token = lexer_next(&lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	if (token.kind == TOKEN_END)
		return blanks;
	blanks = blanks_of_line(input, scan_line_start(scan, token.begin));
	return token.punctuator == '}' ? indentation_inside(apply, start, blanks) : blanks;
}

/*
 * Where a directive's text may continue on another line: at a blank outside strings, before `width`
 * if possible. Returns its length if it need not or cannot be broken. A comment up to the end of
 * the line is not broken.
 */
static size_t find_break(const char *text, size_t length, size_t width)
{
	size_t found = length;
	char quote = '\0';

	if (length <= width)
		return length;
	for (size_t at = 0; at < length && (at <= width || found == length); at++) {
		if (quote != '\0') {
			if (text[at] == '\\')
				at++;
			else if (text[at] == quote)
				quote = '\0';
		} else if (text[at] == '"' || text[at] == '\'') {
			quote = text[at];
		} else if (text[at] == '/' && at + 1 < length && text[at + 1] == '/') {
			break;
		} else if (text[at] == ' ' && at > strlen("#pragma omp")) {
			found = at;
		}
	}
	return found;
}

static void end_line(struct application *apply)
{
	buffer_add_string(apply->out, apply->newline);
	apply->line++;
}

static void add_pragma(
    struct application *apply, const char *text, size_t length, struct piece indentation)
{
	enum { WIDTH = 98, MORE = 4 };
	size_t width = WIDTH;

	for (size_t i = 0; i < indentation.length; i++)
		width -= width > WIDTH / 2 ? (indentation.text[i] == '\t' ? 8 : 1) : 0;
	buffer_add(apply->out, indentation.text, indentation.length);
	for (size_t part; (part = find_break(text, length, width)) < length;) {
		buffer_add(apply->out, text, part);
		buffer_add_string(apply->out, " \\");
		end_line(apply);
		buffer_add(apply->out, indentation.text, indentation.length);
		buffer_format(apply->out, "%*s", MORE, "");
		text += part + 1;
		length -= part + 1;
		width = WIDTH - MORE;
	}
	buffer_add(apply->out, text, length);
	end_line(apply);
}

/*
 * Adds the lines of one edit, at a line start. A directive that replaces the user's counts as the
 * user's line, because compilers print messages about it.
 */
static void add_readable_lines(struct application *apply, const struct edit *edit)
{
	struct piece code = find_indentation(apply, edit->anchor);
	struct piece pragma =
	    blanks_of_line(apply->input, scan_line_start(apply->scan, edit->anchor));
	int line = scan_place(apply->scan, edit->begin).line;

	for (const char *at = edit->code; at != NULL && *at != '\0';) {
		const char *end = strchr(at, '\n');
		size_t length = end != NULL ? (size_t)(end - at) : strlen(at);

		if (strncmp(at, "#pragma", 7) == 0) {
			if (edit->kind == EDIT_REPLACE && apply->line != line) {
				buffer_format(apply->out, "#line %d%s", line, apply->newline);
				apply->line = line;
			}
			add_pragma(apply, at, length, pragma);
		} else {
			while (length > 0 && at[length - 1] == ' ')
				length--;
			if (*at != '#')
				buffer_add(apply->out, code.text, code.length);
			buffer_add(apply->out, at, length);
			end_line(apply);
		}
		at = end != NULL ? end + 1 : NULL;
	}
}

/*
 * Offset after the line if [at, end of line) contains only blanks (and, with `comments`, comments);
 * else 0.
 */
static size_t line_end_beyond_comments(const struct inst_input *input, size_t at, bool comments)
{
	size_t end = at;

	if (comments)
		end = skip_blanks(input->text, input->length, at, false);
	else
		while (end < input->length && strchr(" \t\r", input->text[end]) != NULL)
			end++;
	if (memchr(input->text + at, '\n', end - at) != NULL)
		return 0;
	if (end >= input->length)
		return input->length;
	return input->text[end] == '\n' ? end + 1 : 0;
}

/*
 * Does a comment in [begin, end) tell the compiler about falling through, which must be just before
 * a `case`?
 */
static bool mentions_falling_through(const struct inst_input *input, size_t begin, size_t end)
{
	return memmem(input->text + begin, end - begin, "all", strlen("all")) != NULL ||
	       memmem(input->text + begin, end - begin, "ALL", strlen("ALL")) != NULL;
}

/* Brings the output to a line start, for the code that an edit of [begin, end) inserts. */
static void leave_line(struct application *apply, size_t begin, size_t end)
{
	const struct inst_input *input = apply->input;
	struct inst_buffer *out = apply->out;
	size_t line_start = scan_line_start(apply->scan, begin), next;

	apply->at = end;
	if (begin == line_start)
		return;
	if (blanks_of_line(input, line_start).length == begin - line_start) {
		while (!is_line_start(out) && strchr(" \t", out->data[out->length - 1]) != NULL)
			out->data[--out->length] = '\0';
		if (is_line_start(out))
			return;
	}
	next = end == begin ? line_end_beyond_comments(input, end, true) : 0;
	if (next != 0 && !mentions_falling_through(input, end, next)) {
		size_t length = next - end;

		while (length > 0 && strchr(" \t\r\n", input->text[end + length - 1]) != NULL)
			length--;
		buffer_add(out, input->text + end, length);
		apply->at = next;
	}
	end_line(apply); /* not after user code: misleading indentation */
}

/* Adds the declarations, and a marker from which the user's lines count. */
static void add_preamble(struct application *apply, const struct edit *edit)
{
	leave_line(apply, edit->begin, edit->end);
	apply->line = scan_place(apply->scan, apply->at).line;
	for (const char *at = edit->code; *at != '\0'; at += *at == '\n') {
		size_t length = strcspn(at, "\n");

		buffer_add(apply->out, at, length);
		buffer_add_string(apply->out, apply->newline);
		at += length;
	}
	buffer_format(apply->out, "#line %d \"", apply->line);
	buffer_add_escaped(apply->out, scan_place(apply->scan, apply->at).file);
	buffer_format(apply->out, "\"%s", apply->newline);
}

/*
 * Applies all edits at the offset of edits[first], in readable form; returns the index of the next.
 */
static size_t apply_readable(struct application *apply, const struct edit_list *list, size_t first)
{
	const struct inst_input *input = apply->input;
	size_t begin = list->edits[first].begin, end = begin, last = first, next;

	if (list->edits[first].kind == EDIT_PREAMBLE) {
		add_preamble(apply, &list->edits[first]);
		return first + 1;
	}
	while (last < list->count && list->edits[last].begin == begin &&
	       list->edits[last].kind != EDIT_WORD) {
		if (list->edits[last].end > end)
			end = list->edits[last].end;
		last++;
	}
	leave_line(apply, begin, end);
	for (size_t i = first; i < last; i++)
		add_readable_lines(apply, &list->edits[i]);
	next = line_end_beyond_comments(input, apply->at, false);
	if (next != 0 && apply->at != scan_line_start(apply->scan, apply->at))
		apply->at = next;
	return last;
}

/* Continues with the user's text, in its own line and column. */
static void resume(struct application *apply)
{
	int line = scan_place(apply->scan, apply->at).line;

	if (apply->line != line)
		buffer_format(apply->out, "#line %d%s", line, apply->newline);
	apply->line = line;
	if (is_line_start(apply->out))
		add_indentation(apply->out, apply->input->text,
		    scan_line_start(apply->scan, apply->at), apply->at);
}

/* Copies the user's text up to `end`. */
static void copy_text(struct application *apply, size_t end)
{
	const struct inst_input *input = apply->input;
	bool source = input->form == INST_SOURCE;
	size_t begin = apply->at;

	while (source && is_line_start(apply->out) && begin < end &&
	       (input->text[begin] == ' ' || input->text[begin] == '\t'))
		begin++;
	if (begin == end)
		apply->at = end; /* only blanks between two edits */
	if (source && end > apply->at)
		resume(apply);
	buffer_add(apply->out, input->text + apply->at, end - apply->at);
	if (source && end > apply->at)
		apply->line = scan_place(apply->scan, end).line;
	apply->at = end;
}

/*
 * Applies all edits at the offset of edits[first], in the form for compilers; returns the index of
 * the next.
 */
static size_t apply_together(struct application *apply, const struct edit_list *list, size_t first)
{
	struct inst_buffer code = {.arena = apply->out->arena};
	size_t begin = list->edits[first].begin, end = begin, i = first;

	for (; i < list->count && list->edits[i].begin == begin && list->edits[i].kind != EDIT_WORD;
	     i++) {
		if (code.length > 0)
			buffer_add_string(&code, "\n");
		buffer_add_string(&code, list->edits[i].code);
		if (list->edits[i].end > end)
			end = list->edits[i].end;
	}
	apply_code(apply, begin, end, code.data);
	return i;
}

const char *edits_apply(const struct inst_input *input, const struct inst_scan *scan,
    struct edit_list *list, struct inst_buffer *out)
{
	struct application apply = {input, scan, out, 0, 1, newline_of(input)};

	if (list->count > 1)
		qsort(list->edits, list->count, sizeof *list->edits, compare_edits);
	for (size_t i = 0; i < list->count;) {
		const struct edit *edit = &list->edits[i];

		if (edit->begin < apply.at)
			return "two of its changes would overlap";
		copy_text(&apply, edit->begin);
		if (edit->kind == EDIT_WORD) {
			if (input->form == INST_SOURCE)
				resume(&apply);
			buffer_add_string(out, edit->code);
			apply.at = edit->end;
			i++;
		} else if (input->form == INST_SOURCE) {
			i = apply_readable(&apply, list, i);
		} else if (edit->kind == EDIT_PREAMBLE) {
			buffer_format(out, "%s\n", edit->code);
			add_marker(out, scan_place(scan, edit->begin));
			i++;
		} else {
			i = apply_together(&apply, list, i);
		}
	}
	copy_text(&apply, input->length);
	return NULL;
}

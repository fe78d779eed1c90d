/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors, and calls of the library. A call is text. The descriptor and the declaration that it
 * needs in front of the text are recorded in the unit for the preamble.
 */
#include "calls.h"

#include "lexer.h"
#include "added-names.h"
#include "user-file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * The last line of a directive. The preprocessor joins the lines of a directive; only the user's
 * file still shows them.
 */
static int last_line(struct unit *unit, const struct inst_pragma *pragma, struct inst_place place)
{
	const struct inst_input *input = unit->input;
	struct lexer lexer;
	struct token token;
	const char *line;
	size_t length;
	int last = place.line;

	if (pragma->attribute)
		return scan_place(&unit->scan, pragma->end - 1).line;
	if (!pragma->whole_lines || pragma->end == 0)
		return place.line;
	if (input->form == INST_SOURCE)
		return scan_place(&unit->scan, pragma->end - 1).line;
	line = user_line(unit, &unit->user_file, place, &length);
	if (line == NULL)
		return place.line;
	lexer_init(&lexer, line, length, 0);
	token = lexer_next(&lexer);
	if (token.kind != TOKEN_DIRECTIVE || /* from a macro */
	    memchr(line, '\n', token.begin) != NULL)
		return place.line;
	for (size_t i = token.begin; i < token.end; i++)
		last += line[i] == '\n';
	return last;
}

/* Offset of the last byte of code before `end`, skipping blanks and line markers. */
static size_t last_code(const struct unit *unit, size_t end)
{
	const char *text = unit->input->text;

	for (;;) {
		size_t line;

		while (end > 0 && strchr(" \t\r\n", text[end - 1]) != NULL)
			end--;
		if (end == 0)
			return 0;
		line = scan_line_start(&unit->scan, end - 1);
		if (text[line] != '#' || line == 0)
			return end - 1;
		end = line;
	}
}

size_t add_descriptor(struct unit *unit, const char *name, const char *sub_name,
    const struct inst_pragma *begin, const struct inst_pragma *end_pragma, size_t end)
{
	struct inst_place first = scan_place(&unit->scan, begin->begin);
	struct descriptor descriptor = {.name = name,
	    .sub_name = sub_name,
	    .file = first.file,
	    .begin_first = first.line,
	    .begin_last = last_line(unit, begin, first)};

	if (end_pragma != NULL) {
		struct inst_place last = scan_place(&unit->scan, end_pragma->begin);

		descriptor.end_first = last.line;
		descriptor.end_last = last_line(unit, end_pragma, last);
	} else if (end <= begin->end) { /* stands alone */
		descriptor.end_first = descriptor.begin_first;
		descriptor.end_last = descriptor.begin_last;
	} else {
		descriptor.end_first = scan_place(&unit->scan, last_code(unit, end)).line;
		descriptor.end_last = descriptor.end_first;
	}
	descriptor.first_use = descriptor.last_use = begin->begin;
	*ARENA_ADD(unit->arena, unit->descriptors, unit->descriptor_count, unit->descriptor_room) =
	    descriptor;
	return unit->descriptor_count - 1;
}

void declare_call(struct unit *unit, const char *name, bool gives_handle, int argument_count)
{
	for (size_t i = 0; i < unit->call_count; i++)
		if (strcmp(unit->calls[i].name, name) == 0)
			return;
	*ARENA_ADD(unit->arena, unit->calls, unit->call_count, unit->call_room) =
	    (struct call_declaration){name, gives_handle, argument_count};
}

/*
 * Ends a statement: in instrumented source the next statement begins a new line, otherwise it
 * continues on the same line.
 */
static void add_separator(const struct unit *unit, struct inst_buffer *code)
{
	if (code->length > 0 && strchr(" \n", code->data[code->length - 1]) == NULL)
		buffer_add_string(code, unit->input->form == INST_SOURCE ? "\n" : " ");
}

void add_remark(const struct unit *unit, struct inst_buffer *code, const char *format, ...)
{
	const char *before = code->data, *end;
	va_list arguments;
	char text[128];

	if (unit->input->form != INST_SOURCE || code->length == 0)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (strstr(text, "*/") != NULL || strstr(text, "/*") != NULL)
		return;
	while (before != NULL && *before == '#') {
		before = strchr(before, '\n');
		before += before != NULL;
	}
	if (before == NULL)
		return;
	end = before + strcspn(before, "\n");
	const char *rest = end;
	while (end > before && end[-1] == ' ')
		end--;
	before = code->data;
	*code = (struct inst_buffer){.arena = code->arena};
	buffer_add(code, before, (size_t)(end - before));
	buffer_format(code, " /* %s */%s", text, rest);
}

static const char *call_prefix(const struct unit *unit)
{
	return unit->includes_header ? "pomp_" : "__pomp_";
}

void add_call(struct unit *unit, struct inst_buffer *code, const char *name, size_t descriptor,
    const char *handle, bool gives_handle)
{
	declare_call(unit, name, gives_handle, handle != NULL ? 2 : 1);
	add_separator(unit, code);
	buffer_format(
	    code, "%s%s(%s", call_prefix(unit), name, descriptor_address(unit, descriptor));
	if (handle != NULL)
		buffer_format(code, ", %s", handle);
	buffer_add_string(code, ");");
}

void add_schedule_call(
    struct unit *unit, struct inst_buffer *code, size_t descriptor, int kind, int chunk)
{
	declare_call(unit, "schedule_set", true, 4);
	buffer_format(code, "%sschedule_set(%s, %d, %d);", call_prefix(unit),
	    descriptor_address(unit, descriptor), kind, chunk);
}

void add_schedule_end(struct unit *unit, struct inst_buffer *code, const char *before)
{
	declare_call(unit, "schedule_reset", false, 5);
	add_separator(unit, code);
	buffer_format(code, "%sschedule_reset(%s);", call_prefix(unit), before);
}

void add_grain_call(
    struct unit *unit, struct inst_buffer *code, size_t descriptor, const char *number, bool is_int)
{
	bool cplusplus = unit->input->cplusplus;

	declare_call(unit, "task_grain", true, 2);
	if (is_int)
		buffer_add_string(code, cplusplus ? "static_cast<int>(" : "(int)");
	buffer_format(code, "%stask_grain(%s, %s(%s))%s", call_prefix(unit),
	    descriptor_address(unit, descriptor),
	    cplusplus ? "static_cast<unsigned long>" : "(unsigned long)", number,
	    is_int && cplusplus ? ")" : "");
}

void add_plain_call(struct unit *unit, struct inst_buffer *code, const char *name)
{
	declare_call(unit, name, false, 0);
	buffer_format(code, "%s%s();", call_prefix(unit), name);
}

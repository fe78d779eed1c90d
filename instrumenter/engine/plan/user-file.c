/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What only the user's files show: the preprocessor joins the lines of a directive and begins it in
 * column 1. The caller reads the files; they need not exist.
 */
#include "user-file.h"

#include "lexer.h"

#include <string.h>

const char *user_line(
    struct unit *unit, struct user_file *file, struct inst_place place, size_t *length)
{
	const struct inst_input *input = unit->input;
	const char *text = input->read_file != NULL
			       ? input->read_file(input->read_file_context, place.file, length)
			       : NULL;

	if (text == NULL)
		return NULL;
	if (text != file->text || place.line < file->line)
		*file = (struct user_file){.text = text, .line = 1};
	for (; file->at < *length && file->line < place.line; file->at++)
		file->line += text[file->at] == '\n';
	*length -= file->at;
	return file->line < place.line ? NULL : text + file->at;
}

/* Offset of occurrence number `count` (from 0) of the word before `end`, or `otherwise`. */
static size_t find_word(
    const char *line, size_t end, const char *word, size_t count, size_t otherwise)
{
	const char *at = line;

	while (
	    (at = memmem(at, end - (size_t)(at - line), word, strlen(word))) != NULL && count-- > 0)
		at += strlen(word);
	return at != NULL ? (size_t)(at - line) : otherwise;
}

int user_column(struct unit *unit, struct user_file *file, const struct inst_pragma *pragma,
    struct inst_place place, size_t before)
{
	const struct inst_input *input = unit->input;
	const char *line;
	size_t length, end, column;

	if (!pragma->whole_lines)
		return place.column;
	line = input->text + pragma->begin;
	length = pragma->end - pragma->begin;
	if (input->form == INST_PREPROCESSED)
		line = user_line(unit, file, place, &length);
	if (line == NULL)
		return place.column;
	const char *newline = memchr(line, '\n', length);
	end = newline != NULL ? (size_t)(newline - line) : length;
	column = skip_blanks(line, end, 0, false);
	if (column < end && line[column] != '#' && line[column] != '%')
		column = find_word(line, end, "_Pragma", before, column);
	return (int)column + 1;
}

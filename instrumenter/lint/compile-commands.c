/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads only one kind of JSON document: an array of objects whose members are strings or arrays of
 * strings. Splits a command line as a shell does: blanks, quotes, backslashes.
 */
#include "compile-commands.h"

#include "compiler-command.h"
#include "shared/array.h"
#include "text-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at, *end;
	bool failed;
};

static char skip_blanks(struct reader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL)
		reader->at++;
	return reader->at < reader->end ? *reader->at : '\0';
}

static bool take(struct reader *reader, char byte)
{
	if (skip_blanks(reader) != byte) {
		reader->failed = true;
		return false;
	}
	reader->at++;
	return true;
}

/*
 * The byte for an escape sequence. A \u becomes "?", which occurs in no name that a compiler gets.
 */
static char escaped(struct reader *reader)
{
	char byte = reader->at < reader->end ? *reader->at++ : '\0';

	if (byte == 'n')
		return '\n';
	if (byte == 't')
		return '\t';
	if (byte != 'u')
		return byte;
	reader->at += reader->end - reader->at >= 4 ? 4 : 0;
	return '?';
}

/* A heap string, or NULL. */
static char *read_text(struct reader *reader)
{
	char *text, *to;

	if (!take(reader, '"'))
		return NULL;
	text = to = malloc((size_t)(reader->end - reader->at) + 1);
	while (text != NULL && reader->at < reader->end && *reader->at != '"')
		if (*reader->at == '\\') {
			reader->at++;
			*to++ = escaped(reader);
		} else {
			*to++ = *reader->at++;
		}
	if (text != NULL)
		*to = '\0';
	take(reader, '"');
	return text;
}

/* Splits a line into words as a shell does. */
static void split(const char *line, struct words *words)
{
	char *word = malloc(strlen(line) + 1), *to = word, quote = '\0';
	bool open = false;

	for (; word != NULL; line++) {
		if (*line == '\0' || (quote == '\0' && strchr(" \t\n", *line) != NULL)) {
			*to = '\0';
			if (open)
				words_add(words, word);
			open = false;
			to = word;
			if (*line == '\0')
				break;
			continue;
		}
		open = true;
		if (*line == quote)
			quote = '\0';
		else if (quote == '\0' && (*line == '"' || *line == '\''))
			quote = *line;
		else if (*line == '\\' && quote != '\'' && line[1] != '\0')
			*to++ = *++line;
		else
			*to++ = *line;
	}
	free(word);
}

static void read_words(struct reader *reader, struct words *words)
{
	take(reader, '[');
	while (!reader->failed && skip_blanks(reader) == '"') {
		char *word = read_text(reader);
		if (word != NULL)
			words_add(words, word);
		free(word);
		if (skip_blanks(reader) == ',')
			reader->at++;
	}
	take(reader, ']');
}

static void read_member(struct reader *reader, struct compile_command *command)
{
	char *key = read_text(reader), *value = NULL;

	if (key != NULL && take(reader, ':') && skip_blanks(reader) == '[')
		read_words(reader, &command->words);
	else if (key != NULL && !reader->failed)
		value = read_text(reader);
	if (value != NULL && strcmp(key, "directory") == 0 && command->directory == NULL) {
		command->directory = value;
		value = NULL;
	} else if (value != NULL && strcmp(key, "file") == 0 && command->file == NULL) {
		command->file = value;
		value = NULL;
	} else if (value != NULL && strcmp(key, "command") == 0) {
		split(value, &command->words);
	}
	free(value);
	free(key);
}

static void finish_command(struct compile_command *command)
{
	free(command->directory);
	free(command->file);
	words_finish(&command->words);
}

static void read_command(struct reader *reader, struct compile_commands *commands)
{
	struct compile_command command = {0};

	take(reader, '{');
	while (!reader->failed && skip_blanks(reader) == '"') {
		read_member(reader, &command);
		if (skip_blanks(reader) == ',')
			reader->at++;
	}
	take(reader, '}');
	if (reader->failed || command.file == NULL || command.directory == NULL ||
	    words_vector(&command.words) == NULL || command.words.count == 0 ||
	    !ARRAY_PUSH(commands->all, commands->count, commands->capacity, command)) {
		reader->failed = true;
		finish_command(&command);
	}
}

int compile_commands_read(const char *folder, struct compile_commands *commands, char **error)
{
	struct text_file text = {0};
	char *path = NULL;

	*commands = (struct compile_commands){0};
	*error = NULL;
	if (asprintf(&path, "%s/compile_commands.json", folder) < 0)
		return -1;
	int unread = text_file_read(path, &text);
	if (unread != 0 && asprintf(error, "%s: cannot read: %s", path, strerror(errno)) < 0)
		*error = NULL;
	struct reader reader = {text.bytes, text.bytes + text.length, unread != 0};
	if (unread == 0)
		take(&reader, '[');
	while (!reader.failed && skip_blanks(&reader) == '{') {
		read_command(&reader, commands);
		if (skip_blanks(&reader) == ',')
			reader.at++;
	}
	if (unread == 0 && (reader.failed || skip_blanks(&reader) != ']')) {
		reader.failed = true;
		if (asprintf(error,
			"%s: expected an array of objects with the texts directory, file and "
			"command, or the array arguments; it ends or differs at byte %td",
			path, reader.at - text.bytes) < 0)
			*error = NULL;
	}
	text_file_finish(&text);
	free(path);
	if (reader.failed)
		compile_commands_finish(commands);
	return reader.failed ? -1 : 0;
}

bool compile_command_is_for(const struct compile_command *command, const char *file)
{
	size_t length = strlen(command->file), wanted = strlen(file);

	if (strncmp(file, "./", 2) == 0) {
		file += 2;
		wanted -= 2;
	}
	return length >= wanted && strcmp(command->file + length - wanted, file) == 0 &&
	       (length == wanted || file[0] == '/' || command->file[length - wanted - 1] == '/');
}

void compile_commands_finish(struct compile_commands *commands)
{
	for (size_t i = 0; i < commands->count; i++)
		finish_command(&commands->all[i]);
	free(commands->all);
	*commands = (struct compile_commands){0};
}

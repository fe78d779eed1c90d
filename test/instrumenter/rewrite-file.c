/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rewrites one file with the engine alone: `rewrite-file [--source] [--c++] [--no-locks]
 * [--disable=GROUP] [--active=LINES] [--name=FILE] [--functions[=FILTER]] [--tunable-loops]
 * [--other-runtime] INPUT OUTPUT [clang arguments]`. Each line of the file LINES is a number and
 * what the preprocessor made of the directive there. Prints one line per directive on stdout. Exit
 * status 0 when the engine produced a text.
 */
#include "directives.h"
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	struct inst_input input;
	struct inst_options options;
	const char *input_name, *output_name;
	int lines[256];
	char *directives[256];
	struct {
		char *name, *text;
		size_t length;
	} files[32]; /* read for the engine, kept until the end */
	int file_count;
	char *filter;
};

/* Reads a whole file; NULL when that is not possible. */
static char *read_whole(const char *name, size_t *length)
{
	FILE *file = fopen(name, "rb");
	char *text = NULL;
	size_t room = 0, count;

	*length = 0;
	if (file == NULL)
		return NULL;
	do {
		char *moved;

		room = room == 0 ? 65536 : room * 2;
		moved = realloc(text, room);
		if (moved == NULL)
			exit(2);
		text = moved;
		count = fread(text + *length, 1, room - *length, file);
		*length += count;
	} while (*length == room);
	fclose(file);
	return text;
}

static void read_lines(struct request *request, const char *name)
{
	size_t length;
	char *text = read_whole(name, &length), *end;

	if (text == NULL)
		exit(2);
	end = text + length;
	for (char *at = text; at < end && request->input.active_line_count < 256;) {
		size_t i = request->input.active_line_count++;
		char *newline = memchr(at, '\n', (size_t)(end - at)), *words;

		request->lines[i] = (int)strtol(at, &words, 10);
		request->directives[i] =
		    words < newline ? strndup(words, (size_t)(newline - words)) : NULL;
		at = newline + 1;
	}
	request->input.active_lines = request->lines;
	request->input.active_directives = (const char *const *)request->directives;
	free(text);
}

static void read_filter(struct request *request, const char *name)
{
	size_t length;
	char *text = read_whole(name, &length);

	if (text == NULL)
		exit(2);
	request->options.functions = true;
	request->filter = strndup(text, length);
	request->options.function_filter = request->filter;
	free(text);
}

static void read_option(struct request *request, const char *option)
{
	if (strcmp(option, "--source") == 0)
		request->input.form = INST_SOURCE;
	else if (strcmp(option, "--c++") == 0)
		request->input.cplusplus = true;
	else if (strcmp(option, "--no-locks") == 0)
		request->options.locks = false;
	else if (strcmp(option, "--no-directives") == 0)
		request->options.no_directives = true;
	else if (strncmp(option, "--disable=", 10) == 0)
		request->options.disabled |= inst_find_group(option + 10, strlen(option + 10));
	else if (strcmp(option, "--tunable-loops") == 0)
		request->options.tunable_loops = true;
	else if (strcmp(option, "--tunable-tasks") == 0)
		request->options.tunable_tasks = true;
	else if (strcmp(option, "--other-runtime") == 0)
		request->options.other_runtime = true;
	else if (strcmp(option, "--functions") == 0)
		request->options.functions = true;
	else if (strncmp(option, "--functions=", 12) == 0)
		read_filter(request, option + 12);
	else if (strncmp(option, "--name=", 7) == 0)
		request->input.file_name = option + 7;
	else if (strncmp(option, "--active=", 9) == 0)
		read_lines(request, option + 9);
}

static const char *read_user_file(void *context, const char *name, size_t *length)
{
	struct request *request = context;
	int i = 0;

	while (i < request->file_count && strcmp(request->files[i].name, name) != 0)
		i++;
	if (i == request->file_count) {
		if (i == 32)
			return NULL;
		request->files[i].name = strdup(name);
		request->files[i].text = read_whole(name, &request->files[i].length);
		request->file_count++;
	}
	*length = request->files[i].length;
	return request->files[i].text;
}

static void free_files(struct request *request)
{
	for (size_t i = 0; i < request->input.active_line_count; i++)
		free(request->directives[i]);
	for (int i = 0; i < request->file_count; i++) {
		free(request->files[i].name);
		free(request->files[i].text);
	}
}

static void print_constructs(const struct inst_result *result)
{
	static const char *const status[] = {"instrumented", "skipped", "passed", "disabled"};

	for (size_t i = 0; i < result->construct_count; i++) {
		const struct inst_construct *construct = &result->constructs[i];

		printf("%s:%d: %s%s%s: %s%s%s\n", construct->file, construct->line,
		    construct->directive, construct->function != NULL ? " " : "",
		    construct->function != NULL ? construct->function : "",
		    status[construct->status], construct->reason != NULL ? ": " : "",
		    construct->reason != NULL ? construct->reason : "");
		for (size_t k = 0; k < construct->part_count; k++)
			if (construct->parts[k].schedule[0] != '\0')
				printf("%s:%d: schedule stays: %s\n", construct->file,
				    construct->line, construct->parts[k].schedule);
	}
}

int main(int count, char **arguments)
{
	static struct request request = {.options.locks = true};
	struct inst_result result;
	size_t length;
	char *text, *error;
	FILE *file;
	int i = 1;

	while (i < count && strncmp(arguments[i], "--", 2) == 0)
		read_option(&request, arguments[i++]);
	if (count - i < 2)
		return 2;
	request.input_name = arguments[i];
	request.output_name = arguments[i + 1];
	if (request.input.file_name == NULL)
		request.input.file_name = request.input_name;
	text = read_whole(request.input_name, &length);
	if (text == NULL)
		return 2;
	request.input.text = text;
	request.input.length = length;
	request.input.clang_arguments = (const char *const *)arguments + i + 2;
	request.input.clang_argument_count = (size_t)(count - i - 2);
	request.input.read_file = read_user_file;
	request.input.read_file_context = &request;
	if (inst_rewrite(&request.input, &request.options, &result, &error) != 0) {
		fprintf(stderr, "%s: %s\n", request.input_name, error);
		free(error);
		return 1;
	}
	print_constructs(&result);
	file = fopen(request.output_name, "wb");
	if (file == NULL || fwrite(result.text, 1, result.length, file) != result.length ||
	    fclose(file) != 0)
		return 2;
	inst_result_free(&result);
	free_files(&request);
	free(request.filter);
	free(text);
	return 0;
}

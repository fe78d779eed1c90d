/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the user's compiler: with the words of a step, with a question about itself, or with the
 * user's own words, by exec if nothing follows.
 */
#include "compiler-run.h"

#include "compiler-question.h"
#include "construct-report.h"
#include "response.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Command lines longer than this go through a response file. */
#define LONGEST_COMMAND ((size_t)64 * 1024)

void wrapper_add_compiler(const struct wrapper *wrapper, struct words *words)
{
	words_add_list(words, &wrapper->compiler.words);
}

/* Prints the command that would run, for --dry-run. */
static void print_command(const struct words *words)
{
	char *line = words_vector(words) != NULL ? words_command_line(words->items) : NULL;

	if (line != NULL)
		puts(line);
	free(line);
}

int wrapper_run(struct wrapper *wrapper, const struct words *words, int output, int error)
{
	size_t compiler = wrapper->compiler.words.count;
	struct words shorter = {0};
	const struct words *run = words;

	if (wrapper->options->dry_run) {
		print_command(words);
		return 0;
	}
	if (words_vector(words) != NULL && words_size(words) > LONGEST_COMMAND) {
		char *path = scratch_path(&wrapper->scratch, 0, "arguments");
		wrapper_add_compiler(wrapper, &shorter);
		words_add_format(&shorter, "@%s", path ? path : "");
		if (path != NULL && response_write(path, words->items + compiler) == 0)
			run = &shorter;
		free(path);
	}
	int code = process_run(&wrapper->watch, wrapper->compiler.program, words_vector(run),
	    (struct process_streams){wrapper->input, output, error});
	words_finish(&shorter);
	return code;
}

char *wrapper_ask(struct wrapper *wrapper, const char *const *words)
{
	return compiler_ask(&wrapper->watch, &wrapper->compiler, words);
}

static void add_original(const struct wrapper *wrapper, struct words *words)
{
	wrapper_add_compiler(wrapper, words);
	words_add_all(words, wrapper->arguments);
}

int wrapper_run_original(struct wrapper *wrapper)
{
	struct words words = {0};
	int code;

	if (wrapper->options->list != LIST_NONE)
		return 0;
	add_original(wrapper, &words);
	/* The compiler may need the space for its own temporary files. */
	scratch_empty(&wrapper->scratch);
	/* Not with wrapper_run(): the user's words need no response file of ours. */
	if (wrapper->options->dry_run) {
		print_command(&words);
		code = 0;
	} else {
		code = process_run(&wrapper->watch, wrapper->compiler.program, words_vector(&words),
		    (struct process_streams){wrapper->input, -1, -1});
		if (code < 0 && wrapper->watch.interrupted == 0)
			report_not_run(wrapper->compiler.program, errno);
	}
	words_finish(&words);
	return code;
}

int wrapper_become_compiler(const struct wrapper *wrapper)
{
	struct words words = {0};

	add_original(wrapper, &words);
	if (wrapper->options->dry_run) {
		print_command(&words);
		words_finish(&words);
		return 0;
	}
	fflush(NULL);
	process_log_command("becomes", wrapper->compiler.program, words_vector(&words));
	if (words_vector(&words) != NULL)
		execv(wrapper->compiler.program, words.items);
	report_not_run(wrapper->compiler.program, errno);
	words_finish(&words);
	return 126;
}

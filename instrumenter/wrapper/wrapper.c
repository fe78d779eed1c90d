/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wrapper door: decides what a compiler command needs. Most commands of a build need nothing
 * and become the compiler by exec, with the words the user wrote. What is left are compilations
 * with -fopenmp, which compile_input() does, and links of OpenMP programs, which get libpomp.
 *
 * Whatever goes wrong on the way, the user's own command still runs and its result counts; if that
 * succeeds, one warning says why there is no instrumentation. With --strict it is an error instead.
 */
#include "wrapper.h"
#include "compile.h"
#include "decision.h"
#include "build-program.h"
#include "construct-report.h"
#include "response.h"
#include "text-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A compiler may start ompinst again (a script, a launcher); one that never ends is cut off here.
 */
#define DEEPEST_NESTING 8

/* Command lines longer than this go through a response file. */
#define LONGEST_COMMAND (64 * 1024)

void wrapper_add_compiler(const struct wrapper *wrapper, struct words *words)
{
	words_add_list(words, &wrapper->compiler.words);
}

/* Prints words so that a shell reads them back. */
static void print_command(const struct words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->items[i];
		if (i > 0)
			putchar(' ');
		if (word[0] != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
							 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
							 "0123456789-_=+,./:@%")] == '\0') {
			fputs(word, stdout);
			continue;
		}
		putchar('\'');
		for (; *word != '\0'; word++)
			fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
		putchar('\'');
	}
	putchar('\n');
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
	if (words_vector(words) != NULL && words_weight(words) > LONGEST_COMMAND) {
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
	struct process_streams streams = {
	    -1, text_file_memory(), open("/dev/null", O_WRONLY | O_CLOEXEC)};
	struct words all = {0};
	struct text_file answer = {0};

	wrapper_add_compiler(wrapper, &all);
	words_add_all(&all, words);
	if (streams.output >= 0 && words_vector(&all) != NULL &&
	    process_run(&wrapper->watch, wrapper->compiler.program, all.items, streams) == 0)
		text_file_read_descriptor(streams.output, &answer);
	close(streams.output);
	close(streams.error);
	words_finish(&all);
	return answer.bytes;
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
	/* The compiler may need the room for temporary files of its own. */
	scratch_empty(&wrapper->scratch);
	/* Not by wrapper_run(): the user's own response files do for the user's own words. */
	if (wrapper->options->dry_run) {
		print_command(&words);
		code = 0;
	} else {
		code = process_run(&wrapper->watch, wrapper->compiler.program, words_vector(&words),
		    (struct process_streams){wrapper->input, -1, -1});
		if (code < 0 && wrapper->watch.interrupted == 0)
			report_error(NULL, "cannot run '%s': %s", wrapper->compiler.program,
			    strerror(errno));
	}
	words_finish(&words);
	return code;
}

/* Becomes the compiler. Returns only when that fails, with the exit code. */
static int become_compiler(const struct wrapper *wrapper)
{
	struct words words = {0};

	add_original(wrapper, &words);
	if (wrapper->options->dry_run) {
		print_command(&words);
		words_finish(&words);
		return 0;
	}
	fflush(NULL);
	if (words_vector(&words) != NULL)
		execv(wrapper->compiler.program, words.items);
	report_error(NULL, "cannot run '%s': %s", wrapper->compiler.program, strerror(errno));
	words_finish(&words);
	return 126;
}

int wrapper_tell_about_original(
    const struct wrapper *wrapper, const char *file, const struct compile_result *result)
{
	report_text(result->report);
	if (result->reason == NULL)
		return 0;
	if (wrapper->options->strict) {
		report_error(file, "cannot instrument: %s", result->reason);
		return 1;
	}
	if (wrapper->options->list != LIST_NONE)
		report_warning(file, "cannot instrument: %s", result->reason);
	else
		report_warning(file, "cannot instrument: %s; %s as it is", result->reason,
		    wrapper->command.source_count > 0 ? "compiled" : "linked");
	return 0;
}

void wrapper_discard(const struct wrapper *wrapper, const char *output)
{
	if (!wrapper->options->dry_run && wrapper->options->list == LIST_NONE)
		text_file_remove(output);
}

static void remove_outputs(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const char *unnamed = command->mode == COMMAND_LINK ? "a.out" : NULL;

	if (command->output != NULL || unnamed != NULL) {
		wrapper_discard(wrapper, command->output != NULL ? command->output : unnamed);
		return;
	}
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		char *output = command_part_is_ours(part) || command_part_obstacle(part) != NULL
				   ? command_output_of(command, part)
				   : NULL;
		if (output != NULL)
			wrapper_discard(wrapper, output);
		free(output);
	}
}

int wrapper_fall_back(struct wrapper *wrapper, const char *file, const char *reason)
{
	const struct compile_result result = {COMPILE_ORIGINAL, .reason = (char *)reason};
	int code = wrapper_run_original(wrapper);

	if (code != 0 || wrapper_tell_about_original(wrapper, file, &result) == 0)
		return code;
	remove_outputs(wrapper);
	return 1;
}

/*
 * After all: inputs of languages that nobody instruments, in one line for all of them. Returns the
 * exit code.
 */
static int tell_about_languages(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const struct command_part *first = NULL;
	size_t more = 0;
	char *reason = NULL;

	if (!command->openmp && !wrapper->options->engine.functions)
		return 0;
	for (size_t i = 0; i < command->part_count; i++) {
		if (command_part_obstacle(&command->parts[i]) == NULL)
			continue;
		more += first != NULL;
		if (first == NULL)
			first = &command->parts[i];
	}
	if (first == NULL)
		return 0;
	if (more == 0)
		reason = strdup(command_part_obstacle(first));
	else if (asprintf(&reason, "%s (and %zu more such file%s)", command_part_obstacle(first),
		     more, more > 1 ? "s" : "") < 0)
		reason = NULL;
	const struct compile_result result = {COMPILE_ORIGINAL, .reason = reason};
	int code = wrapper_tell_about_original(wrapper, first->value, &result);
	if (code != 0)
		remove_outputs(wrapper);
	free(reason);
	return code;
}

/* Writes a file to standard output. Returns the exit code. */
static int print_file(const char *path)
{
	struct text_file file;
	int failed = text_file_read(path, &file);

	if (failed == 0)
		failed = fwrite(file.bytes, 1, file.length, stdout) != file.length ||
			 fflush(stdout) != 0;
	if (failed != 0)
		report_error(NULL, "cannot write to standard output: %s", strerror(errno));
	text_file_finish(&file);
	return failed != 0 ? 1 : 0;
}

/* Compiles an input as the user wrote it, in place of compile_input(), which came to that result.
 */
static int compile_original(struct wrapper *wrapper, const struct command_part *part,
    const char *output, const struct compile_result *result)
{
	int code = wrapper->command.source_count == 1 ? wrapper_run_original(wrapper)
						      : compile_plain(wrapper, part, output);

	if (code != 0)
		return code;
	code = wrapper_tell_about_original(wrapper, part->value, result);
	if (code != 0)
		wrapper_discard(wrapper, output);
	return code;
}

/* One input to one object or assembly file. */
static int compile_one(struct wrapper *wrapper, size_t index)
{
	const struct command *command = &wrapper->command;
	const struct command_part *part = &command->parts[index];
	bool print = command->output != NULL && strcmp(command->output, "-") == 0;
	char *output = print ? scratch_path(&wrapper->scratch, index, "output")
			     : command_output_of(command, part);
	struct compile_result result = {COMPILE_ORIGINAL};
	int code = 1;

	if (command_part_is_ours(part) && output != NULL)
		result = compile_input(wrapper, index, part, output);
	if (wrapper->watch.interrupted != 0)
		code = 0;
	else if (result.outcome == COMPILE_DONE)
		code = print && wrapper->options->list == LIST_NONE && !wrapper->options->dry_run
			   ? print_file(output)
			   : 0;
	else if (result.outcome == COMPILE_FAILED)
		code = result.code;
	else
		code = compile_original(wrapper, part, print ? "-" : output, &result);
	free(result.reason);
	free(result.report);
	free(output);
	return code;
}

/* -c or -S: every input is a job of its own; like the compiler, go on after a failing one. */
static int compile_all(struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	int worst = 0;

	for (size_t i = 0; i < command->part_count && wrapper->watch.interrupted == 0; i++) {
		const struct command_part *part = &command->parts[i];
		if (part->role != ARGUMENT_INPUT || part->language == LANGUAGE_LINKER)
			continue;
		int code = compile_one(wrapper, i);
		if (code != 0 && worst == 0)
			worst = code;
	}
	return worst;
}

/*
 * Standard input can be read only once, and more than one step compiles it: it goes to a file in
 * memory. Returns 0, or -1 with errno.
 */
static int keep_standard_input(struct wrapper *wrapper)
{
	char buffer[16 * 1024];
	ssize_t count;
	bool named = false;

	for (size_t i = 0; i < wrapper->command.part_count; i++)
		named |= command_part_is_ours(&wrapper->command.parts[i]) &&
			 strcmp(wrapper->command.parts[i].value, "-") == 0;
	if (!named || wrapper->options->dry_run)
		return 0;
	wrapper->input = text_file_memory();
	if (wrapper->input < 0)
		return -1;
	while ((count = read(STDIN_FILENO, buffer, sizeof buffer)) != 0) {
		if (count < 0 && errno != EINTR)
			return -1;
		for (ssize_t done = 0; done < count;) {
			ssize_t now = write(wrapper->input, buffer + done, (size_t)(count - done));
			if (now < 0 && errno != EINTR)
				return -1;
			done += now > 0 ? now : 0;
		}
	}
	return 0;
}

/* The input that a message about the whole command names. */
static const char *first_input(const struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++)
		if (command_part_is_ours(&command->parts[i]) ||
		    command_part_obstacle(&command->parts[i]) != NULL)
			return command->parts[i].value;
	return NULL;
}

/* Compiles or links in steps that use temporary files and child processes. */
static int instrument(struct wrapper *wrapper)
{
	char *reason = NULL;
	int code;

	if (keep_standard_input(wrapper) != 0) {
		report_error(NULL, "cannot keep standard input: %s", strerror(errno));
		code = 1;
	} else if (scratch_init(&wrapper->scratch) != 0) {
		if (asprintf(&reason, "no temporary folder: %s", strerror(errno)) < 0)
			reason = NULL;
		code = wrapper_fall_back(wrapper, NULL, reason ? reason : "no temporary folder");
		free(reason);
	} else {
		code = wrapper->command.mode == COMMAND_LINK ? program_make(wrapper)
							     : compile_all(wrapper);
		if (code == 0 && wrapper->watch.interrupted == 0)
			code = tell_about_languages(wrapper);
	}
	scratch_finish(&wrapper->scratch);
	close(wrapper->input);
	return code;
}

/* Whatever the command needs; returns the exit code. */
static int treat(struct wrapper *wrapper)
{
	char *reason = NULL;
	int code = 0;

	process_watch_open(&wrapper->watch);
	if (decision_is_openmp_hidden(wrapper)) {
		wrapper->command.openmp = true;
		wrapper->command.roles |= ARGUMENT_HIDDEN_OPENMP;
	}
	enum decision decision = decision_make(wrapper, &reason);
	if (decision_lists_nothing(wrapper))
		decision = DECISION_COMPILER;
	if (decision == DECISION_INSTRUMENT)
		code = instrument(wrapper);
	else if (decision == DECISION_REFUSE)
		code = wrapper_fall_back(wrapper, first_input(&wrapper->command), reason);
	process_watch_close(&wrapper->watch);
	if (decision_lists_nothing(wrapper))
		report_warning(first_input(&wrapper->command),
		    "nothing to list: -fopenmp is not among the flags");
	else if (decision == DECISION_COMPILER)
		code = become_compiler(wrapper);
	free(reason);
	return code < 0 ? 126 : code;
}

/* Notes in the environment that ompinst is at work. Returns how many of them already were. */
static int note_nesting(void)
{
	const char *value = getenv("OMPINST_ACTIVE");
	int depth = value != NULL ? atoi(value) : 0;
	char next[16];

	snprintf(next, sizeof next, "%d", depth < 0 ? 1 : depth + 1);
	setenv("OMPINST_ACTIVE", next, 1);
	return depth;
}

int wrapper_main(const struct options *options, const char *const *vector)
{
	struct wrapper wrapper = {.options = options, .input = -1};
	const char *mode = getenv("OMPINST");
	char *error = NULL;
	int code = 127;

	size_t taken = compiler_find(vector, &wrapper.compiler, &error, &code);
	if (taken == 0) {
		report_error(NULL, "%s", error ? error : "out of memory");
		free(error);
		return code;
	}
	wrapper.arguments = vector + taken;
	int depth = note_nesting();
	if (depth > DEEPEST_NESTING) {
		report_error(NULL, "the compiler '%s' starts ompinst again and again",
		    wrapper.compiler.program);
		code = 126;
	} else if (depth > 0 || (mode != NULL && strcmp(mode, "off") == 0) ||
		   command_read(wrapper.arguments, wrapper.compiler.cxx_driver, &wrapper.command) !=
		       0) {
		code = become_compiler(&wrapper);
	} else {
		code = treat(&wrapper);
	}
	command_finish(&wrapper.command);
	compiler_finish(&wrapper.compiler);
	return code;
}

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
#include "link.h"
#include "mpi.h"
#include "program.h"
#include "report.h"
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

/* Compilations that build systems make to learn about the compiler, not to build the user's
 * program. */
static bool is_configure_check(const struct command *command)
{
	static const char *const places[] = {"/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/",
	    "/CompilerIdC", "/meson-private/tmp"};
	char *folder = getcwd(NULL, 0);
	bool found = false;

	for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
		found |= folder != NULL && strstr(folder, places[p]) != NULL;
		for (size_t i = 0; i < command->part_count; i++)
			found |= command->parts[i].role == ARGUMENT_INPUT &&
				 strstr(command->parts[i].value, places[p]) != NULL;
	}
	free(folder);
	for (size_t i = 0; i < command->part_count; i++)
		found |= command->parts[i].role == ARGUMENT_INPUT &&
			 strncmp(path_base(command->parts[i].value), "conftest.", 9) == 0;
	return found;
}

/* True when the command is none of our business. Functions may be in any file. */
static bool is_for_compiler_alone(const struct command *command, bool functions, bool mpi)
{
	if ((command->roles & ARGUMENT_UNTOUCHED) != 0 ||
	    (command->roles & (ARGUMENT_INPUT | ARGUMENT_LIBRARY)) == 0)
		return true;
	/* The result on standard output could not be taken back. */
	if (command->output != NULL && strcmp(command->output, "-") == 0)
		return true;
	if (command->has_header || is_configure_check(command))
		return true;
	if (command->mode == COMMAND_LINK)
		return !link_is_openmp(command) && !functions && !mpi;
	if ((!command->openmp && !functions) || command_count_ours(command) == 0)
		return true;
	/* -o with several inputs is an error that the compiler should report. */
	return command->source_count > 1 && command->output != NULL;
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
	report_warning(file, "cannot instrument: %s; compiled as it is", result->reason);
	return 0;
}

int wrapper_fall_back(struct wrapper *wrapper, const char *file, const char *reason)
{
	const struct compile_result result = {COMPILE_ORIGINAL, .reason = (char *)reason};
	const struct command *command = &wrapper->command;
	int code = wrapper_run_original(wrapper);

	if (code != 0 || wrapper_tell_about_original(wrapper, file, &result) == 0)
		return code;
	for (size_t i = 0; command->mode != COMMAND_LINK && i < command->part_count; i++) {
		char *output = command_part_is_ours(&command->parts[i])
				   ? command_output_of(command, &command->parts[i])
				   : NULL;
		if (output != NULL)
			text_file_remove(output);
		free(output);
	}
	return 1;
}

/* One input to one object or assembly file. */
static int compile_one(struct wrapper *wrapper, size_t index)
{
	const struct command *command = &wrapper->command;
	const struct command_part *part = &command->parts[index];
	char *output = command_output_of(command, part);
	struct compile_result result = {COMPILE_ORIGINAL};
	int code = 1;

	if (output == NULL)
		return code;
	if (command_part_is_ours(part))
		result = compile_input(wrapper, index, part, output);
	if (wrapper->watch.interrupted != 0 || result.outcome == COMPILE_DONE) {
		code = 0;
	} else if (result.outcome == COMPILE_FAILED) {
		code = result.code;
	} else {
		code = command->source_count == 1 ? wrapper_run_original(wrapper)
						  : compile_plain(wrapper, part, output);
		if (code == 0) {
			code = wrapper_tell_about_original(wrapper, part->value, &result);
			if (code != 0)
				text_file_remove(output);
		}
	}
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

/* Does what needs temporary files and child processes. */
static int instrument(struct wrapper *wrapper)
{
	int code;

	process_watch_open(&wrapper->watch);
	if (scratch_init(&wrapper->scratch) != 0) {
		char *reason = NULL;
		if (asprintf(&reason, "no temporary folder: %s", strerror(errno)) < 0)
			reason = NULL;
		code = wrapper_fall_back(wrapper, NULL, reason ? reason : "no temporary folder");
		free(reason);
	} else {
		code = wrapper->command.mode == COMMAND_LINK ? program_make(wrapper)
							     : compile_all(wrapper);
	}
	scratch_finish(&wrapper->scratch);
	process_watch_close(&wrapper->watch);
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
		       0 ||
		   is_for_compiler_alone(&wrapper.command, options->engine.functions,
		       mpi_is_compiler(&wrapper.compiler))) {
		code = become_compiler(&wrapper);
	} else {
		code = instrument(&wrapper);
	}
	command_finish(&wrapper.command);
	compiler_finish(&wrapper.compiler);
	return code;
}

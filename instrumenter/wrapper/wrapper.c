/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wrapper: decides what a compiler command needs. Most commands of a build need nothing and
 * become the compiler by exec, with the user's words. The others are compilations with -fopenmp,
 * which compile_input() handles, and links of OpenMP programs, to which libpomp is added.
 *
 * Whatever fails on the way, the user's own command still runs and its result counts. If it
 * succeeds, one warning gives the reason why there is no instrumentation. With --strict it is an
 * error instead.
 */
#include "wrapper.h"

#include "build-program.h"
#include "compile.h"
#include "construct-report.h"
#include "decision.h"
#include "fallback.h"
#include "forgotten-openmp.h"
#include "languages.h"
#include "lint-options.h"
#include "text-file.h"
#include "shared/debug-log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A compiler (a script, a launcher) may start ompinst again; this nesting depth is an error. */
#define DEEPEST_NESTING 8

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

/*
 * Compiles an input as the user wrote it, after compile_input() returned `result` without compiling
 * it.
 */
static int compile_original(struct wrapper *wrapper, const struct command_part *part,
    const char *output, const struct compile_result *result)
{
	int code = wrapper->command.source_count == 1 ? wrapper_run_original(wrapper)
						      : compile_plain(wrapper, part, output);

	if (code != 0)
		return code;
	code = fallback_report(wrapper, part->value, result->reason, result->report);
	if (code != 0)
		fallback_discard(wrapper, output);
	return code;
}

/* Compiles one input to one object or assembly file. */
static int compile_one(struct wrapper *wrapper, size_t index)
{
	const struct command *command = &wrapper->command;
	const struct command_part *part = &command->parts[index];
	bool print = command->output != NULL && strcmp(command->output, "-") == 0;
	char *output = print ? scratch_path(&wrapper->scratch, index, "output")
			     : command_output_of(command, part);
	struct compile_result result = {COMPILE_ORIGINAL};
	int code = 1;

	if (command_part_is_instrumentable(part) && output != NULL)
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

/*
 * For -c or -S: every input is compiled by itself. Like the compiler, continues with the others
 * after one has failed.
 */
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
 * Copies standard input to a file in memory, because it can be read only once and several steps
 * compile it. Returns 0, or -1 with errno.
 */
static int keep_standard_input(struct wrapper *wrapper)
{
	char buffer[16 * 1024];
	ssize_t count;
	bool named = false;

	for (size_t i = 0; i < wrapper->command.part_count; i++)
		named |= command_part_is_instrumentable(&wrapper->command.parts[i]) &&
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
static const char *first_input(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;

	for (size_t i = 0; i < command->part_count; i++)
		if (command_part_is_instrumentable(&command->parts[i]) ||
		    language_skip_reason(wrapper, &command->parts[i]) != NULL)
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
		code = fallback_run(wrapper, NULL, reason ? reason : "no temporary folder");
		free(reason);
	} else {
		code = wrapper->command.mode == COMMAND_LINK ? build_program(wrapper)
							     : compile_all(wrapper);
		if (code == 0 && wrapper->watch.interrupted == 0)
			code = fallback_report_languages(wrapper);
	}
	scratch_finish(&wrapper->scratch);
	close(wrapper->input);
	return code;
}

/* Does what the command needs; returns the exit code. */
static int handle_command(struct wrapper *wrapper)
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
	else
		forgotten_openmp_report(wrapper);
	if (decision == DECISION_INSTRUMENT)
		code = instrument(wrapper);
	else if (decision == DECISION_REFUSE)
		code = fallback_run(
		    wrapper, first_input(wrapper), reason != NULL ? reason : "out of memory");
	process_watch_close(&wrapper->watch);
	if (decision_lists_nothing(wrapper))
		report_warning(
		    first_input(wrapper), "nothing to list: -fopenmp is not among the flags");
	else if (decision == DECISION_COMPILER)
		code = wrapper_become_compiler(wrapper);
	free(reason);
	return code < 0 ? 126 : code;
}

/* Records in the environment that ompinst is running. Returns how many were already running. */
static int note_nesting(void)
{
	const char *value = getenv("OMPINST_ACTIVE");
	int depth = value != NULL ? atoi(value) : 0;
	char next[16];

	snprintf(next, sizeof next, "%d", depth < 0 ? 1 : depth + 1);
	setenv("OMPINST_ACTIVE", next, 1);
	return depth;
}

/*
 * Separates the switches of `ompinst lint` from the compiler's words, which are returned, and
 * collects the checks that they enable. NULL if memory ran out.
 */
static const char *const *take_switches(
    const char *const *vector, struct words *words, lint_set *checks)
{
	for (; *vector != NULL; vector++)
		if (!lint_read_switch(*vector, checks))
			words_add(words, *vector);
	if (words->count == 0)
		return words->failed ? NULL : vector;
	return (const char *const *)words_vector(words);
}

static int wrap(struct wrapper *wrapper)
{
	const char *mode = getenv("OMPINST");
	int depth = note_nesting();

	if (depth > DEEPEST_NESTING) {
		report_error(NULL, "the compiler '%s' starts ompinst again and again",
		    wrapper->compiler.program);
		return 126;
	}
	if (depth > 0)
		DEBUG_LOG(decide, "the command passes through: ompinst started this compiler");
	else if (mode != NULL && strcmp(mode, "off") == 0)
		DEBUG_LOG(decide, "the command passes through: OMPINST is off");
	else if (command_read(
		     wrapper->arguments, wrapper->compiler.cxx_driver, &wrapper->command) != 0)
		DEBUG_LOG(decide, "the command passes through: it cannot be read");
	else
		return handle_command(wrapper);
	return wrapper_become_compiler(wrapper);
}

int wrapper_main(const struct options *options, const char *const *vector)
{
	struct options with_checks = *options;
	struct wrapper wrapper = {.options = &with_checks, .input = -1};
	struct words words = {0};
	char *error = NULL;
	int code = 127;

	size_t taken = compiler_find(vector, options->by_name ? SEARCH_BEHIND_OURS : SEARCH_ALL,
	    &wrapper.compiler, &error, &code);
	if (taken == 0) {
		report_error(NULL, "%s", error ? error : "out of memory");
		free(error);
		return code;
	}
	wrapper.arguments = vector + taken;
	if (vector[taken] != NULL)
		wrapper.arguments = take_switches(vector + taken, &words, &with_checks.lint);
	if (wrapper.arguments != NULL)
		code = wrap(&wrapper);
	command_finish(&wrapper.command);
	compiler_finish(&wrapper.compiler);
	words_finish(&words);
	return code;
}

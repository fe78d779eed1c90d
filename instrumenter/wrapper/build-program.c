/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that make a program or library: they link, or compile and link in one step. In the
 * second case every input that can be instrumented is first compiled to an object file. The others
 * stay in the link command as sources, so that the compiler treats them as it would without
 * ompinst.
 */
#include "build-program.h"
#include "compile.h"
#include "construct-report.h"
#include "fallback.h"
#include "link.h"
#include "text-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The object file that a source becomes before the link. It is a temporary file, unless other files
 * are named after it (-save-temps, --coverage): then it is where the compiler would put it. gcc
 * then puts the program's name before the source's, unless the two are the same.
 */
static char *object_path(struct wrapper *wrapper, size_t index)
{
	const struct command *command = &wrapper->command;
	const struct command_part *part = &command->parts[index];
	struct command plain = *command;
	char *path = NULL;

	plain.mode = COMMAND_OBJECT;
	plain.output = NULL;
	char *name = command_output_of(&plain, part);
	if (name == NULL)
		return NULL;
	const char *program = command->output != NULL ? command->output : "a";
	size_t length = strlen(path_base(program));
	bool same = command->source_count == 1 && strlen(name) == length + 2 &&
		    strncmp(name, path_base(program), length) == 0;
	if ((command->roles &
		(ARGUMENT_SAVE_TEMPS | ARGUMENT_SIDE_FILES | ARGUMENT_MODULE_OUTPUT)) == 0)
		path = scratch_path(&wrapper->scratch, index, name);
	else if (wrapper->compiler.kind == COMPILER_CLANG || same)
		path = strdup(name);
	else if (asprintf(&path, "%s-%s", program, name) < 0)
		path = NULL;
	free(name);
	return path;
}

/*
 * Compiles the inputs that can be instrumented into objects[]. Inputs with nothing to instrument
 * stay in the link command, with the reason in results[]. Returns 0, or the exit code to end with.
 */
static int compile_for_link(struct wrapper *wrapper, char **objects, struct compile_result *results)
{
	const struct command *command = &wrapper->command;
	int worst = 0;

	for (size_t i = 0; i < command->part_count && wrapper->watch.interrupted == 0; i++) {
		if (!command_part_is_instrumentable(&command->parts[i]))
			continue;
		char *path = object_path(wrapper, i);
		if (path == NULL)
			continue;
		results[i] = compile_input(wrapper, i, &command->parts[i], path);
		if (results[i].outcome == COMPILE_DONE)
			objects[i] = path;
		else
			free(path);
		if (results[i].outcome == COMPILE_FAILED && worst == 0)
			worst = results[i].code;
	}
	return worst;
}

/* Prints the messages of the link step, which were held back in case it failed. */
static void show_messages(int messages)
{
	struct text_file text;

	if (messages >= 0 && text_file_read_descriptor(messages, &text) == 0) {
		fwrite(text.bytes, 1, text.length, stderr);
		text_file_finish(&text);
	}
}

/*
 * Called after the link: reports how the Fortran in the program is measured, or why it is not.
 * Returns the exit code.
 */
static int report_fortran(struct wrapper *wrapper, const char *output)
{
	const char *obstacle = link_fortran_obstacle(wrapper);

	if (wrapper->options->dry_run)
		return 0;
	if (obstacle == NULL && wrapper->compiler.kind == COMPILER_CLANG)
		report_note(output, "Fortran is measured through the OpenMP runtime");
	else if (obstacle == NULL)
		report_note(output, "Fortran is measured through the OpenMP runtime, which does "
				    "not see static loops and 'master'");
	else if (!wrapper->options->strict)
		report_warning(output, "cannot measure its Fortran: %s", obstacle);
	else
		report_error(output, "cannot measure its Fortran: %s", obstacle);
	return obstacle != NULL && wrapper->options->strict ? 1 : 0;
}

/* Links the compiled objects, together with the sources that were not compiled. */
static int link_objects(struct wrapper *wrapper, char *const *objects,
    const struct compile_result *results, bool compiles)
{
	const struct command *command = &wrapper->command;
	const char *output = command->output != NULL ? command->output : "a.out";
	bool fortran = link_has_fortran(wrapper);
	int messages = compiles || fortran ? text_file_memory() : -1;
	struct words words = {0};

	link_command(wrapper, objects, &words);
	int code = wrapper_run(wrapper, &words, -1, messages);
	words_finish(&words);
	bool linked = code == 0;
	if (linked)
		show_messages(messages);
	else if (messages >= 0 && wrapper->watch.interrupted == 0)
		code = fallback_run(wrapper, output,
		    fortran ? "it does not link with libpomp_tool"
			    : "it does not link with libpomp");
	if (messages >= 0)
		close(messages);
	for (size_t i = 0; code == 0 && i < command->part_count; i++) {
		if (results[i].outcome != COMPILE_ORIGINAL)
			continue;
		code = fallback_report(
		    wrapper, command->parts[i].value, results[i].reason, results[i].report);
		if (code != 0)
			fallback_discard(wrapper, output);
	}
	if (linked && code == 0 && fortran) {
		code = report_fortran(wrapper, output);
		if (code != 0)
			fallback_discard(wrapper, output);
	}
	return code;
}

int build_program(struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	char **objects = calloc(command->part_count, sizeof *objects);
	struct compile_result *results = calloc(command->part_count, sizeof *results);
	int code = 0;

	const char *reason = link_skip_reason(command);
	const char *output = command->output != NULL ? command->output : "a.out";

	if (objects == NULL || results == NULL || reason != NULL) {
		code = fallback_run(wrapper, output, reason ? reason : "out of memory");
	} else {
		bool compiles = (command->openmp || wrapper->options->engine.functions) &&
				command_count_instrumentable(command) > 0;
		if (compiles)
			code = compile_for_link(wrapper, objects, results);
		if (code == 0 && wrapper->options->list == LIST_NONE &&
		    wrapper->watch.interrupted == 0)
			code = link_objects(wrapper, objects, results, compiles);
	}
	for (size_t i = 0; i < command->part_count; i++) {
		if (objects != NULL) {
			if (objects[i] != NULL && (command->roles & ARGUMENT_SAVE_TEMPS) == 0)
				text_file_remove(objects[i]);
			free(objects[i]);
		}
		if (results != NULL) {
			free(results[i].reason);
			free(results[i].report);
		}
	}
	free(objects);
	free(results);
	return code;
}

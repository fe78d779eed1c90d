/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides what becomes of a compiler command. Most commands of a build need nothing. Each other
 * command that compiles OpenMP and cannot be instrumented gets a reason here, for a warning.
 */
#include "decision.h"
#include "languages.h"
#include "link.h"
#include "mpi-link.h"
#include "shared/debug-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool decision_is_configure_check(const struct command *command)
{
	static const char *const places[] = {"/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/",
	    "/CompilerId", "/meson-private/tmp"};
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

/*
 * Counts inputs that may contain OpenMP: those that can be instrumented, and those for which a
 * reason is reported.
 */
static size_t count_openmp_inputs(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	size_t count = 0;

	for (size_t i = 0; i < command->part_count; i++)
		count += command_part_is_instrumentable(&command->parts[i]) ||
			 language_skip_reason(wrapper, &command->parts[i]) != NULL;
	return count;
}

static bool has_word(const struct command *command, const char *word)
{
	for (size_t i = 0; i < command->words.count; i++)
		if (strcmp(command->words.items[i], word) == 0)
			return true;
	return false;
}

/* Will the compiler reject the command? */
static bool is_invalid(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	bool clang = wrapper->compiler.kind == COMPILER_CLANG;

	/* -o with several inputs. */
	if (command->mode != COMMAND_LINK && command->source_count > 1 && command->output != NULL)
		return true;
	/* gcc's assembler cannot write to standard output. */
	if (command->mode == COMMAND_OBJECT && !clang && command->output != NULL &&
	    strcmp(command->output, "-") == 0)
		return true;
	return clang && (has_word(command, "-C") || has_word(command, "-CC"));
}

bool decision_lists_nothing(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;

	return wrapper->options->list != LIST_NONE && !command->openmp &&
	       !wrapper->options->engine.functions && command_count_instrumentable(command) > 0 &&
	       (command->roles & ARGUMENT_UNTOUCHED) == 0 && !decision_is_configure_check(command);
}

/*
 * Why ompinst has nothing to add to the command, or NULL if it makes or links code that may be
 * instrumented. With --functions, any file may contain such code.
 */
static const char *find_irrelevance(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	bool functions = wrapper->options->engine.functions;

	if ((command->roles & ARGUMENT_UNTOUCHED) != 0)
		return "it makes no code";
	if ((command->roles & (ARGUMENT_INPUT | ARGUMENT_LIBRARY)) == 0)
		return "it has no inputs";
	if (decision_is_configure_check(command))
		return "it is a check of a build system";
	if (is_invalid(wrapper))
		return "the compiler will reject it";
	if (command->has_header && count_openmp_inputs(wrapper) == 0)
		return "it precompiles a header";
	if (command->mode == COMMAND_LINK && (command->roles & ARGUMENT_RELOCATABLE) == 0 &&
	    (functions || link_is_openmp(command) || mpi_is_compiler(&wrapper->compiler)))
		return NULL;
	if (!command->openmp && !functions)
		return "-fopenmp is not among its flags";
	return count_openmp_inputs(wrapper) > 0 ? NULL
						: "no input holds OpenMP that can be instrumented";
}

/* Why the command cannot be divided into steps (heap), or NULL. */
static char *find_skip_reason(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	size_t from_standard_input = 0;
	char *reason = NULL;

	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		if (part->role == ARGUMENT_UNREADABLE &&
		    asprintf(&reason, "%s %s", command->words.items[part->first], part->why) >= 0)
			return reason;
		from_standard_input +=
		    part->role == ARGUMENT_INPUT && strcmp(part->value, "-") == 0;
	}
	if (command->has_header)
		return strdup("a header to be precompiled stands among the inputs");
	return from_standard_input > 1 ? strdup("standard input is read twice") : NULL;
}

enum decision decision_make(const struct wrapper *wrapper, char **reason)
{
	const char *irrelevance = find_irrelevance(wrapper);

	*reason = NULL;
	if (irrelevance != NULL) {
		DEBUG_LOG(decide, "the command passes through: %s", irrelevance);
		return DECISION_COMPILER;
	}
	if (count_openmp_inputs(wrapper) == 0 ||
	    (!wrapper->command.openmp && !wrapper->options->engine.functions)) {
		DEBUG_LOG(decide, "the command links a program of OpenMP or MPI");
		return DECISION_INSTRUMENT;
	}
	*reason = find_skip_reason(wrapper);
	if (*reason == NULL)
		DEBUG_LOG(decide, "the command is instrumented");
	else
		DEBUG_LOG(decide, "the command cannot be instrumented: %s", *reason);
	return *reason != NULL ? DECISION_REFUSE : DECISION_INSTRUMENT;
}

/* May a wrapper script have this name, such as mpicc? */
static bool may_be_script(const struct compiler *compiler)
{
	const char *name = path_base(compiler->words.items[compiler->words.count - 1]);

	return compiler->kind == COMPILER_UNKNOWN &&
	       (strstr(name, "cc") != NULL || strstr(name, "CC") != NULL ||
		   strncmp(name, "mpi", 3) == 0 || compiler_name_is_cxx(name));
}

/*
 * Does the compiler enable OpenMP? Its macros for an empty text show it, or the flags that an MPI
 * compiler adds.
 */
static bool ask_for_openmp(struct wrapper *wrapper)
{
	bool mpi = mpi_is_compiler(&wrapper->compiler);
	struct words question = {0};
	char *answer = NULL;

	if (mpi) {
		words_add(&question, "-show");
	} else {
		command_add(&wrapper->command, ARGUMENT_FLAG, &question);
		words_add_all(
		    &question, (const char *const[]){"-E", "-dM", "-x", "c", "/dev/null", NULL});
	}
	if (words_vector(&question) != NULL)
		answer = wrapper_ask(wrapper, (const char *const *)question.items);
	bool found =
	    answer != NULL && strstr(answer, mpi ? " -fopenmp" : "#define _OPENMP ") != NULL;
	DEBUG_LOG(decide, "%s compiles %s OpenMP by itself", wrapper->compiler.program,
	    found ? "with" : "without");
	free(answer);
	words_finish(&question);
	return found;
}

bool decision_is_openmp_hidden(struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	bool configured = false;

	for (size_t i = 0; i < command->words.count; i++)
		configured |= strncmp(command->words.items[i], "--config", 8) == 0;
	if (command->openmp || (command->roles & (ARGUMENT_UNTOUCHED | ARGUMENT_NO_OPENMP)) != 0 ||
	    (command->roles & (ARGUMENT_INPUT | ARGUMENT_LIBRARY)) == 0 ||
	    (!configured && !may_be_script(&wrapper->compiler)) ||
	    decision_is_configure_check(command))
		return false;
	if (command->mode != COMMAND_LINK && command_count_instrumentable(command) == 0)
		return false;
	return ask_for_openmp(wrapper);
}

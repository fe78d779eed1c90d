/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompinst: runs as a wrapper of a compiler, instruments a source file, or runs a program. Which,
 * and with which compiler, follows from the name that it is called by and from the first words:
 *
 *   ompinst gcc -c x.c         wrapper, compiler gcc
 *   ompinst -c x.c             wrapper, the compiler of --cc, OMPINST_CC, else cc
 *   ompinst-gcc -c x.c         wrapper, compiler gcc; options come from OMPINST_OPTIONS alone
 *   gcc -c x.c                 (a link named gcc in PATH) wrapper, the next gcc in PATH
 *   ompinst x.c                source file
 *   ompinst run PROGRAM        a program that is there already
 *   ompinst lint FILE          reports what is wrong in a file, compiles nothing
 *   ompinst race ...           finds data races: see race-command.c
 *   ompinst sharing ...        finds shared cache lines: see sharing-command.c
 *   ompinst why|stacks PID     what a process, or a core file, is doing
 *   ompinst top [PID|NAME]     what OpenMP programs do while they run
 *   ompinst snapshot PID|NAME  the profile so far of a running program
 *   ompinst trace PID          makes a trace of a running program's last seconds
 *   ompinst control PID        changes settings of a running program
 *   ompinst machine            measures what this machine can do
 *   ompinst tune PROGRAM       searches settings with which a program gets faster
 */
#include "arguments.h"
#include "compiler-command.h"
#include "control-command.h"
#include "machine-command.h"
#include "mistake.h"
#include "options.h"
#include "own-words.h"
#include "construct-report.h"
#include "inspect-command.h"
#include "launch.h"
#include "lint-main.h"
#include "race-command.h"
#include "recorder-command.h"
#include "sharing-command.h"
#include "snapshot-command.h"
#include "source-mode.h"
#include "top-command.h"
#include "tune-command.h"
#include "wrapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit code for a command line that ompinst does not understand. */
#define USAGE 2

static const char *default_compiler(const struct options *options)
{
	const char *compiler = options->compiler ? options->compiler : getenv("OMPINST_CC");

	return compiler != NULL && compiler[0] != '\0' ? compiler : "cc";
}

/* Runs the wrapper with a compiler that is not among the words; its text may be "ccache gcc". */
static int wrap_with(const struct options *options, const char *compiler, char **arguments)
{
	struct words words = {0};

	words_add_text(&words, compiler);
	words_add_all(&words, (const char *const *)arguments);
	int code = 1;
	if (words_vector(&words) != NULL)
		code = wrapper_main(options, (const char *const *)words.items);
	words_finish(&words);
	return code;
}

/*
 * Prints the versions of ompinst and of the compiler, because build systems run `ompinst --version`
 * to find out which compiler this is.
 */
static int print_version(const struct options *options, char **rest)
{
	char *ask[] = {"--version", NULL};

	printf("ompinst " OMPINST_VERSION "\n");
	fflush(stdout);
	if (rest[0] == NULL)
		return wrap_with(options, default_compiler(options), ask);
	return 0;
}

static int run_lint(const char *const *words, const struct options *options)
{
	return lint_main(words + 1, default_compiler(options));
}

static int run_inspect(const char *const *words, const struct options *options)
{
	(void)options;
	return inspect_main(words[0], words + 1);
}

/* What a command does: with the words behind it, or with all of them and ompinst's own options. */
static const struct {
	int (*run)(const char *const *words);
	int (*run_with)(const char *const *words, const struct options *options);
} commands[OWN_WORDS] = {
    [OWN_RUN] = {launch_main, NULL},
    [OWN_RACE] = {race_main, NULL},
    [OWN_SHARING] = {sharing_main, NULL},
    [OWN_TUNE] = {tune_main, NULL},
    [OWN_WHY] = {NULL, run_inspect},
    [OWN_STACKS] = {NULL, run_inspect},
    [OWN_TOP] = {top_main, NULL},
    [OWN_SNAPSHOT] = {snapshot_main, NULL},
    [OWN_TRACE] = {recorder_main, NULL},
    [OWN_CONTROL] = {control_main, NULL},
    [OWN_LINT] = {NULL, run_lint},
    [OWN_MACHINE] = {machine_main, NULL},
};

/* Prints an error (heap, NULL if memory ran out); returns the exit code. */
static int refuse(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return USAGE;
}

/* Runs the command or file after ompinst's own options. Returns the exit code. */
static int run_mode(const struct options *options, char **arguments)
{
	const char *const *words = (const char *const *)arguments;
	char *mistake = mistake_find(words);

	if (mistake != NULL)
		return refuse(mistake);
	bool command = words[0][0] == '-' || language_of_file(words[0], 0) == LANGUAGE_LINKER;
	const char *useless = options->only_for[command ? USE_SOURCE : USE_WRAPPER];
	if (useless != NULL) {
		report_error(NULL, "option '%s' has no effect on a %s; expected a %s after it",
		    useless, command ? "command" : "source file",
		    command ? "C or C++ source file" : "compiler's command");
		return USAGE;
	}
	if (words[0][0] == '-')
		return wrap_with(options, default_compiler(options), arguments);
	return command ? wrapper_main(options, words) : source_main(options, words);
}

/* Runs as ompinst itself: options first, then a compiler, its arguments or a source file. */
static int run_as_ompinst(struct options *options, char **arguments)
{
	const char *const *words = (const char *const *)arguments;
	enum own_word own = *words != NULL ? own_word_find(*words) : OWN_WORDS;
	char *error = NULL;

	if (own != OWN_WORDS)
		return commands[own].run != NULL ? commands[own].run(words + 1)
						 : commands[own].run_with(words, options);
	for (; *arguments != NULL && (*arguments)[0] == '-'; arguments++) {
		enum option_outcome outcome = options_read_word(*arguments, options, &error);
		if (outcome == OPTION_WRONG)
			return refuse(error);
		if (outcome == OPTION_UNKNOWN)
			break;
	}
	/* A compiler would need more words, so a single -h is for ompinst. */
	if (*arguments != NULL && strcmp(*arguments, "-h") == 0 && arguments[1] == NULL)
		options->help = true;
	if (options->help) {
		options_print_help(stdout);
		return 0;
	}
	if (options->version)
		return print_version(options, arguments);
	if (*arguments == NULL) {
		report_error(NULL, "expected a compiler's command or a C or C++ source file; "
				   "see 'ompinst --help'");
		return USAGE;
	}
	return run_mode(options, arguments);
}

/* Chooses the mode by the name with which the program was called. */
static int run_by_name(struct options *options, const char *name, char **arguments)
{
	/* Options from the environment apply to wrapper and source files alike. */
	options->only_for[USE_WRAPPER] = options->only_for[USE_SOURCE] = NULL;
	if (strcmp(name, "ompinst") == 0)
		return run_as_ompinst(options, arguments);
	options->by_name = strncmp(name, "ompinst-", 8) != 0;
	if (!options->by_name)
		name += 8;
	return wrap_with(options, name, arguments);
}

int main(int argc, char **argv)
{
	struct options options = {.engine.locks = true};
	struct words more_words = {0};
	const char *name = argc > 0 ? path_base(argv[0]) : "ompinst";
	const char *more = getenv("OMPINST_OPTIONS");
	char *error = NULL;
	int code = USAGE;

	if (more != NULL && options_read_list(more, &more_words, &options, &error) != 0)
		report_error(NULL, "%s", error ? error : "out of memory");
	else
		code = run_by_name(&options, name, argv + (argc > 0));
	free(error);
	words_finish(&more_words);
	return code;
}

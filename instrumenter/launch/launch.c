/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst run [options] PROGRAM ARGUMENT...`: finds the program as a shell does, decides what is
 * attached to it, prints one line if it cannot be measured, and becomes it by exec. Process,
 * signals, streams and exit status are therefore the program's own. The attached library reports
 * what becomes known later.
 */
#include "launch.h"

#include "attachment.h"
#include "compiler-command.h"
#include "construct-report.h"
#include "launch-options.h"
#include "program.h"
#include "tuned-variables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USAGE = 2, NOT_MEASURED = 1, NOT_RUN = 126 };

/* Programs that start MPI ranks, perhaps on other machines. */
static const char *const rank_starters[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun",
    "mpiexec.hydra", "mpirun.openmpi", "mpirun.mpich", "mpiexec.openmpi", "mpiexec.mpich"};

static bool starts_ranks(const char *name)
{
	for (size_t i = 0; i < sizeof rank_starters / sizeof rank_starters[0]; i++)
		if (strcmp(path_base(name), rank_starters[i]) == 0)
			return true;
	return false;
}

/* Is this one of many ranks of a program, other than the one that reports what is measured? */
static bool is_later_rank(void)
{
	static const char *const variables[] = {
	    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *rank = getenv(variables[i]);
		if (rank != NULL)
			return atoi(rank) != 0;
	}
	return false;
}

static int fail(char *error, int code)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return code;
}

/*
 * The words with argv[0] as the user wrote it; for a text file without "#!", a shell is put in
 * front.
 */
static void add_command(
    const struct program *program, const char *const *words, struct words *command)
{
	if (program->kind != PROGRAM_TEXT) {
		words_add_all(command, words);
		return;
	}
	words_add(command, "sh");
	words_add(command, program->path);
	words_add_all(command, words + 1);
}

static int print_command(const struct attachment *attachment, const struct words *command)
{
	struct words line = {0};

	words_add(&line, "env");
	words_add_list(&line, &attachment->variables);
	words_add_list(&line, command);
	char *text = words_vector(&line) != NULL ? words_command_line(line.items) : NULL;
	if (text != NULL)
		puts(text);
	free(text);
	words_finish(&line);
	return text == NULL;
}

static int become(const struct program *program, const struct attachment *attachment,
    const char *name, char *const *command)
{
	const char *path = program->kind == PROGRAM_TEXT ? "/bin/sh" : program->path;

	for (size_t i = 0; i < attachment->variables.count; i++)
		putenv(attachment->variables.items[i]);
	fflush(NULL);
	execv(path, command);
	int problem = errno;
	bool interpreter = problem == ENOENT && program->binary != NULL;
	const char *missing = program->loader != NULL ? program->loader : program->binary;
	if (interpreter)
		report_error(
		    NULL, "cannot run '%s': its interpreter '%s' does not exist", name, missing);
	else
		report_error(NULL, "cannot run '%s': %s", name, strerror(problem));
	return NOT_RUN;
}

/* Attaches what is possible, reports what is not, and becomes the program. */
static int launch(const struct launch_options *options, const struct program *program,
    const struct words *tuned, const char *const *words)
{
	struct attachment attachment = {0};
	struct words command = {0};
	bool quiet = options->quiet || is_later_rank();
	const char *state = getenv("OMPINST");
	int code = NOT_MEASURED;

	if (state == NULL || strcmp(state, "off") != 0)
		attachment_make(program, options, quiet, &attachment);
	for (size_t i = 0; i < tuned->count; i++)
		tuned_variables_add(&attachment.variables, tuned->items[i]);
	add_command(program, words, &command);
	if (words_vector(&command) == NULL || attachment.failed)
		code = fail(NULL, NOT_RUN);
	else if (attachment.obstacle != NULL && options->strict)
		report_error(NULL, "'%s' cannot be measured: %s", words[0], attachment.obstacle);
	else {
		if (attachment.obstacle != NULL && !quiet)
			report_warning(
			    NULL, "'%s' is not measured: %s", words[0], attachment.obstacle);
		if (attachment.unused_tools != NULL && !quiet)
			report_warning(NULL,
			    "OMP_TOOL_LIBRARIES='%s' is not loaded: an OpenMP runtime takes one tool, "
			    "here that of ompinst",
			    attachment.unused_tools);
		if (program->kind == PROGRAM_TEXT && !quiet)
			report_warning(NULL,
			    "'%s' has no line '#!' that says what runs it; run by /bin/sh, as a "
			    "shell would do",
			    words[0]);
		code = options->dry_run ? print_command(&attachment, &command)
					: become(program, &attachment, words[0], command.items);
	}
	attachment_finish(&attachment);
	words_finish(&command);
	return code;
}

int launch_main(const char *const *words)
{
	struct launch_options options = {0};
	struct program program = {0};
	struct words tuned = {0};
	char *error = NULL;
	int count = launch_options_read(words, &options, &error);

	if (count < 0)
		return fail(error, USAGE);
	words += count;
	if (options.help) {
		launch_options_print_help(stdout);
		return 0;
	}
	if (words[0] == NULL) {
		report_error(NULL, "expected a program to run; see 'ompinst run --help'");
		return USAGE;
	}
	if (starts_ranks(words[0]) && options.mpi == LAUNCH_MPI_AUTO) {
		report_error(NULL,
		    "'%s' starts the program that is to be measured; write: %s ... ompinst run "
		    "PROGRAM",
		    words[0], words[0]);
		return USAGE;
	}
	if (options.tuned != NULL && !tuned_variables_read(options.tuned, &tuned, &error)) {
		words_finish(&tuned);
		return fail(error, USAGE);
	}
	int code = program_find(words[0], &program, &error);
	if (code != 0) {
		fail(error, code);
	} else {
		program_examine(&program);
		code = launch(&options, &program, &tuned, words);
	}
	words_finish(&tuned);
	program_finish(&program);
	return code;
}

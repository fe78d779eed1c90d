/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A changed program is built in a temporary folder by the user's command with `ompinst race` in
 * front, and examined by `ompinst race run`. Its results with several threads have to be those of
 * the user's program with one thread.
 */
#include "fix-trial.h"

#include "kept-output.h"
#include "limited-run.h"
#include "patched-copy.h"
#include "standing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BUILD_LIMIT = 600,   /* seconds */
	SHORTEST_LIMIT = 10, /* that a run may take */
	TIMES_THE_FIRST = 20,
	RUNS = 8, /* of `ompinst race run` */
	COMPARED_RUNS = 4,
};

static double run_limit(const struct fix_trial *trial)
{
	double limit = TIMES_THE_FIRST * trial->seconds;

	return limit > SHORTEST_LIMIT ? limit : SHORTEST_LIMIT;
}

/*
 * Runs a command within the limit. Returns its exit status, or -1. output: a descriptor, or -1 to
 * drop what it prints.
 */
static int run_command(struct fix_trial *trial, const char *program, const struct words *command,
    double limit, int output)
{
	struct limited_run run = {.status = -1};
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), input = race_input_again(trial->input);
	const struct process_start start = {.program = program,
	    .arguments = words_vector(command),
	    .streams = {input, output >= 0 ? output : nowhere, nowhere}};
	int problem =
	    start.arguments == NULL ? -1 : process_run_limited(trial->watch, &start, limit, &run);

	close(nowhere);
	if (input >= 0)
		close(input);
	return problem == 0 && run.end == LIMITED_EXITED ? run.status : -1;
}

/* The command with copies in place of its sources, and the program in the scratch folder. */
static bool add_build(
    struct fix_trial *trial, const char *copies, const char *program, struct words *words)
{
	const struct race_fixes *fixes = trial->fixes;
	const char *const *arguments =
	    (const char *const *)fixes->command.items + fixes->compiler_words;
	struct command command;
	bool complete = true, modules = false;

	if (command_read(arguments, fixes->compiler.cxx_driver, &command) != 0)
		return false;
	words_add(words, "ompinst");
	words_add(words, "race");
	words_add_list(words, &fixes->compiler.words);
	words_add(words, "-Wno-openmp");
	for (size_t i = 0; i < command.part_count; i++) {
		const struct command_part *part = &command.parts[i];

		if (part->role == ARGUMENT_OUTPUT)
			continue;
		if (part->role == ARGUMENT_INPUT &&
		    (command_part_is_instrumentable(part) || part->language == LANGUAGE_FORTRAN)) {
			const bool fortran = part->language == LANGUAGE_FORTRAN;
			char *copy = patched_copy_make(&fixes->patch, copies, part->value);
			const size_t folder = (size_t)(path_base(part->value) - part->value);

			complete &= copy != NULL;
			words_add(words, fortran ? "-I" : "-iquote");
			words_add_bytes(
			    words, folder > 0 ? part->value : ".", folder > 0 ? folder : 1);
			words_add(words, copy != NULL ? copy : part->value);
			free(copy);
			modules |= fortran;
			continue;
		}
		for (size_t j = 0; j < part->count; j++)
			words_add(words, command.words.items[part->first + j]);
	}
	if (modules) { /* the compiler writes .mod files, by default to the current folder */
		words_add(words, "-J");
		words_add(words, copies);
	}
	words_add(words, "-o");
	words_add(words, program);
	complete &= command.mode == COMMAND_LINK;
	command_finish(&command);
	return complete;
}

/*
 * How many races the report has that count, but for those that do not in the user's program; with
 * deadlocks that the program does not have.
 */
static size_t count_races(const struct fix_trial *trial, const char *path)
{
	const struct race_findings *findings = trial->findings;
	const struct race_deadlocks *deadlocks = trial->deadlocks;
	struct baseline report, aside = {0};
	size_t count = 0;
	char *error;

	if (!baseline_read(path, &race_baseline_form, &report, &error)) {
		free(error);
		return SIZE_MAX;
	}
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].verdict.standing != RACE_COUNTS)
			words_add(&aside.prints, findings->items[i].verdict.fingerprint);
	for (size_t i = 0; i < deadlocks->count; i++)
		words_add(&aside.prints, deadlocks->items[i].verdict.fingerprint);
	for (size_t i = 0; i < report.prints.count; i++)
		count += !baseline_has(&aside, report.prints.items[i]);
	baseline_finish(&aside);
	baseline_finish(&report);
	return count;
}

/* Runs the program with a number of threads; its output is the arena's, its status in *status. */
static const char *results_of(struct fix_trial *trial, const struct words *program,
    const char *threads, bool alone, int *status)
{
	struct words command = {0};
	int output = race_output_open();
	const char *text;

	words_add(&command, "env");
	words_add_format(&command, "OMP_NUM_THREADS=%s", threads);
	if (alone)
		words_add(&command, "OMP_THREAD_LIMIT=1");
	words_add(&command, "TSAN_OPTIONS=report_bugs=0:exitcode=0");
	words_add_list(&command, program);
	*status = run_command(trial, "/usr/bin/env", &command, run_limit(trial), output);
	text = race_output_text(trial->arena, output);
	close(output);
	words_finish(&command);
	return text;
}

/* Compares the changed program's results with those of the user's program with one thread. */
static const char *compare_results(struct fix_trial *trial, const char *path)
{
	struct words program = {0};
	const char *problem = NULL;

	words_add(&program, path);
	words_add_all(&program, (const char *const *)trial->program->items + 1);
	if (trial->serial == NULL)
		trial->serial = results_of(trial, trial->program, "1", true, &trial->serial_status);
	if (trial->serial == NULL || trial->serial_status != 0)
		problem = "has nothing to be compared with: with one thread the program fails";
	for (int i = 0; i < COMPARED_RUNS && problem == NULL; i++) {
		int status;
		const char *text =
		    results_of(trial, &program, i % 2 == 0 ? "4" : "3", false, &status);

		if (text == NULL || status < 0)
			problem = "is killed, or runs too long, with several threads";
		else if (status != trial->serial_status || strcmp(text, trial->serial) != 0)
			problem = "has other results than the program with one thread";
	}
	words_finish(&program);
	return problem;
}

/* Examines the built program: what is wrong with it, or NULL. */
static const char *examine(
    struct fix_trial *trial, const char *program, const char *report, size_t only)
{
	const size_t fixed = race_fixes_count(trial->fixes, only);
	struct words command = {0};
	size_t races;
	int status;

	words_add(&command, "ompinst");
	words_add(&command, "race");
	words_add(&command, "run");
	words_add(&command, "--quiet");
	words_add_format(&command, "--runs=%d", RUNS);
	words_add_format(&command, "--run-time=%.0f", run_limit(trial));
	words_add(&command, "--format=json");
	words_add_format(&command, "--output=%s", report);
	words_add(&command, program);
	words_add_all(&command, (const char *const *)trial->program->items + 1);
	status = run_command(trial, "/proc/self/exe", &command, (RUNS + 1) * run_limit(trial), -1);
	races = count_races(trial, report);
	trial->left = races;
	words_finish(&command);
	if (status < 0 || status > 1 || races == SIZE_MAX)
		return "could not be examined";
	if (races > trial->races)
		return "has more races";
	return races + fixed > trial->races ? "still has the race" : NULL;
}

/* Tries all remedies that are offered, or one: what is wrong with them, or NULL. */
static const char *try_fixes(struct fix_trial *trial, size_t only)
{
	char *copies = scratch_path(&trial->scratch, 0, "copies");
	char *program = scratch_path(&trial->scratch, 0, "program");
	char *report = scratch_path(&trial->scratch, 0, "report");
	const char *problem = "cannot be written to a temporary folder";
	struct words build = {0};

	finding_fixes_collect(&trial->fixes->run.findings, &trial->fixes->patch, only);
	if (copies != NULL && program != NULL && report != NULL) {
		problem = "is not made by the command of --cc";
		if (add_build(trial, copies, program, &build))
			problem = run_command(trial, "/proc/self/exe", &build, BUILD_LIMIT, -1) != 0
				      ? "does not compile"
				      : examine(trial, program, report, only);
		if (problem == NULL)
			problem = compare_results(trial, program);
	}
	if (trial->watch->interrupted != 0)
		problem = "was not examined to the end";
	words_finish(&build);
	free(copies);
	free(program);
	free(report);
	scratch_empty(&trial->scratch);
	return problem;
}

static void withdraw(struct fix_trial *trial, size_t number, const char *problem)
{
	struct findings *findings = &trial->fixes->run.findings;
	const struct lint_finding *finding = &findings->all[number];

	findings->fixes[number].offered = false;
	fprintf(stderr, "%s:%d:%d: note: no change is offered: the changed program %s\n",
	    finding->place.file, finding->place.line, finding->place.column, problem);
}

void race_fixes_verify(struct fix_trial *trial)
{
	struct findings *findings = &trial->fixes->run.findings;
	const size_t offered = finding_fixes_offered(findings);
	const char *problem = NULL;

	if (offered == 0)
		return;
	problem = scratch_init(&trial->scratch) == 0 ? try_fixes(trial, FINDING_ALL)
						     : "cannot be built in a temporary folder";
	for (size_t i = 0; i < findings->count && problem != NULL; i++) {
		const char *alone = !findings->fixes[i].offered ? NULL
				    : offered == 1              ? problem
								: try_fixes(trial, i);
		if (alone != NULL)
			withdraw(trial, i, alone);
	}
	if (problem != NULL && finding_fixes_offered(findings) > 0)
		problem = try_fixes(trial, FINDING_ALL);
	for (size_t i = 0; i < findings->count && problem != NULL; i++)
		if (findings->fixes[i].offered)
			withdraw(trial, i, problem);
	finding_fixes_collect(findings, &trial->fixes->patch, FINDING_ALL);
	scratch_finish(&trial->scratch);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst lint [options] FILE... [-- FLAGS]` and `ompinst lint [options] COMPILER ARGUMENT...`:
 * distinguishes the two as ompinst itself does: a word with the name of a source file is a file.
 */
#include "lint-main.h"

#include "compile-commands.h"
#include "construct-report.h"
#include "finding-fixes.h"
#include "lint-command.h"
#include "patched-files.h"
#include "print-findings.h"
#include "verification.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTHING_FOUND = 0, FOUND = 1, USAGE = 2 };

static int refuse(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return USAGE;
}

/*
 * Finds the compiler among the words and returns how many words it takes; 0 after an error was
 * printed.
 */
static size_t find_compiler(const char *const *words, struct compiler *compiler)
{
	char *error = NULL;
	int code = USAGE;
	size_t taken = compiler_find(words, SEARCH_ALL, compiler, &error, &code);

	if (taken == 0)
		refuse(error);
	return taken;
}

/* Checks FILE... -- FLAGS as a command of the default compiler. */
static void check_files(struct lint_run *run, const char *const *words)
{
	struct compiler compiler = {0};
	struct words arguments = {0}, named = {0};

	for (; *words != NULL && strcmp(*words, "--") != 0; words++) {
		if ((*words)[0] == '-') {
			report_error(NULL,
			    "unexpected '%s': options come before the files, the compiler's flags "
			    "after --",
			    *words);
			run->trouble = true;
			words_finish(&arguments);
			return;
		}
		words_add(&arguments, *words);
	}
	if (*words != NULL)
		words_add_all(&arguments, words + 1);
	words_add_text(&named, run->options->compiler);
	if (words_vector(&named) == NULL ||
	    find_compiler((const char *const *)named.items, &compiler) == 0)
		run->trouble = true;
	else if (words_vector(&arguments) != NULL)
		lint_check_command(run, &compiler, (const char *const *)arguments.items, true);
	compiler_finish(&compiler);
	words_finish(&named);
	words_finish(&arguments);
}

static void check_command(struct lint_run *run, const char *const *words)
{
	struct compiler compiler = {0};
	struct words arguments = {0};
	lint_set *checks = &((struct lint_options *)run->options)->checks;
	size_t taken = find_compiler(words, &compiler);

	if (taken == 0)
		run->trouble = true;
	for (words += taken; taken > 0 && *words != NULL; words++)
		if (!lint_read_switch(*words, checks))
			words_add(&arguments, *words);
	if (taken > 0 && words_vector(&arguments) != NULL)
		lint_check_command(run, &compiler, (const char *const *)arguments.items, true);
	else if (taken > 0)
		refuse(strdup("the compiler's command names no file to check"));
	run->trouble |= arguments.count == 0;
	compiler_finish(&compiler);
	words_finish(&arguments);
}

/*
 * Checks one entry, in the folder for which it was written. With --fix, the file gets its full
 * name, which is the same file in every folder.
 */
static void check_entry(struct lint_run *run, const struct compile_command *entry)
{
	char *path;

	if (chdir(entry->directory) != 0) {
		report_error(entry->directory, "cannot change to it: %s", strerror(errno));
		run->trouble = true;
		return;
	}
	path = run->options->fix ? realpath(entry->file, NULL) : NULL;
	for (size_t i = 0; i < entry->words.count && path != NULL; i++)
		if (strcmp(entry->words.items[i], entry->file) == 0) {
			free(entry->words.items[i]);
			entry->words.items[i] = strdup(path);
		}
	free(path);
	check_command(run, (const char *const *)entry->words.items);
}

/* For -p FOLDER: checks all entries that can contain OpenMP, or those of the named files. */
static void check_build(struct lint_run *run, const char *const *files)
{
	struct compile_commands commands;
	char *error = NULL;
	int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (compile_commands_read(run->options->build, &commands, &error) != 0) {
		run->trouble = true;
		refuse(error);
	}
	for (size_t i = 0; i < commands.count && files[0] == NULL; i++)
		if (language_of_file(commands.all[i].file, 0) != LANGUAGE_FORTRAN)
			check_entry(run, &commands.all[i]);
	for (; *files != NULL; files++) {
		bool known = false;
		for (size_t i = 0; i < commands.count; i++)
			if (compile_command_is_for(&commands.all[i], *files)) {
				check_entry(run, &commands.all[i]);
				known = true;
			}
		if (!known && commands.count > 0)
			report_error(*files, "no command of compile_commands.json compiles it");
		run->trouble |= !known;
	}
	if (home < 0 || fchdir(home) != 0)
		run->trouble = true;
	close(home);
	compile_commands_finish(&commands);
}

/*
 * The findings, or with --fix as text the diff, after the findings on standard error: so a pipe to
 * patch has the diff alone.
 */
static void print_result(FILE *out, const struct lint_run *run, const struct patch *patch)
{
	const struct lint_options *options = run->options;
	const bool diff = options->fix && options->format == LINT_FORMAT_TEXT;

	findings_print(
	    diff ? stderr : out, &run->findings, options->fix ? patch : NULL, options->format);
	if (diff && !options->apply)
		patch_print(out, patch);
}

/* How many findings are neither known nor in unchanged lines. */
static size_t counted(const struct findings *findings)
{
	return findings->count - findings->known - findings->unchanged;
}

static int print_findings(const struct lint_run *run, const struct patch *patch)
{
	const char *path = run->options->output;
	FILE *out = path != NULL ? fopen(path, "w") : stdout;

	fflush(stdout);
	findings_print_errors(stderr, &run->findings);
	if (out == NULL) {
		report_error(path, "cannot write: %s", strerror(errno));
		return USAGE;
	}
	print_result(out, run, patch);
	bool failed = ferror(out) != 0;
	failed |= (path != NULL ? fclose(out) : fflush(out)) != 0;
	if (failed) {
		report_error(path, "cannot write: %s", strerror(errno));
		return USAGE;
	}
	if (run->trouble || run->findings.errors > 0 || run->findings.failed || patch->failed)
		return USAGE;
	return counted(&run->findings) > 0 ? FOUND : NOTHING_FOUND;
}

/* Writes the changed files. Returns the command's status: 0 if nothing is left to fix. */
static int apply(const struct lint_run *run, const struct patch *patch, int code)
{
	if (!patched_files_write(patch))
		return USAGE;
	return code == FOUND && finding_fixes_offered(&run->findings) == counted(&run->findings)
		   ? NOTHING_FOUND
		   : code;
}

/* Prepares the check; returns false after a failure. */
static bool begin(struct lint_run *run)
{
	process_watch_open(&run->watch);
	if (scratch_init(&run->scratch) == 0)
		return true;
	report_error(NULL, "no temporary folder: %s", strerror(errno));
	return false;
}

static void end(struct lint_run *run)
{
	scratch_finish(&run->scratch);
	process_watch_close(&run->watch);
	findings_finish(&run->findings);
}

static void check_words(struct lint_run *run, const char *const *words)
{
	if (run->options->build != NULL)
		check_build(run, words);
	else if (language_of_file(words[0], 0) != LANGUAGE_LINKER)
		check_files(run, words);
	else
		check_command(run, words);
}

static int run_checks(const struct lint_options *options, const char *const *words)
{
	struct lint_run run = {.options = options};
	struct patch patch = {0};
	struct baseline baseline = {0};
	struct changed_lines changed = {0};
	int code = USAGE;
	char *error;

	if (options->baseline != NULL) {
		if (!baseline_read(options->baseline, &lint_baseline_form, &baseline, &error))
			return refuse(error);
		run.findings.baseline = &baseline;
	}
	if (options->since != NULL) {
		if (!changed_lines_read(options->since, &changed, &error)) {
			baseline_finish(&baseline);
			return refuse(error);
		}
		run.findings.changed = &changed;
	}
	if (begin(&run)) {
		check_words(&run, words);
		if (options->fix) {
			finding_fixes_make(&run.findings, &patch);
			finding_fixes_collect(&run.findings, &patch, FINDING_ALL);
		}
		if (options->verify && finding_fixes_offered(&run.findings) > 0)
			lint_verify(&run, &patch, check_words, words);
		code = print_findings(&run, &patch);
		if (options->apply && code != USAGE && run.watch.interrupted == 0)
			code = apply(&run, &patch, code);
	}
	patch_finish(&patch);
	end(&run);
	baseline_finish(&baseline);
	changed_lines_finish(&changed);
	return code;
}

int lint_main(const char *const *words, const char *compiler)
{
	struct lint_options options = {.compiler = compiler};
	char *error = NULL;
	int count = lint_options_read(words, &options, &error);

	if (count < 0)
		return refuse(error);
	words += count;
	if (options.help) {
		lint_options_print_help(stdout);
		return 0;
	}
	if (options.list) {
		lint_options_print_checks(stdout);
		return 0;
	}
	options.fix |= options.apply || options.verify;
	if (options.build == NULL && (words[0] == NULL || strcmp(words[0], "--") == 0)) {
		report_error(NULL, "expected a C or C++ source file or a compiler's command; see "
				   "'ompinst lint --help'");
		return USAGE;
	}
	return run_checks(&options, words);
}

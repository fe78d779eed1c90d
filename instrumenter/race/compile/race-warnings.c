/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the checks of `ompinst lint` during a compilation for `ompinst race run`. They find what
 * running does not show: conflicts between the lanes of a simd loop, which one thread executes one
 * after the other, and code that no run reaches. Compilations with which a build system tests the
 * compiler are left alone, because the build system reads their output.
 */
#include "race-warnings.h"

#include "decision.h"
#include "lint-command.h"
#include "print-findings.h"

#include <stdio.h>

void race_warnings_print(
    const struct compiler *compiler, const struct command *command, lint_set checks)
{
	struct lint_options options = {.checks = checks};
	struct lint_run run = {.options = &options, .aside = true};
	struct words words = {0};

	if (checks == 0 || !command->openmp || command_count_instrumentable(command) == 0 ||
	    decision_is_configure_check(command))
		return;
	words_add_list(&words, &command->words);
	/* Its macro counts, as in the compilation. */
	words_add(&words, "-fsanitize=thread");
	process_watch_open(&run.watch);
	if (words_vector(&words) != NULL && scratch_init(&run.scratch) == 0)
		lint_check_command(&run, compiler, (const char *const *)words.items, false);
	findings_print(stderr, &run.findings, NULL, LINT_FORMAT_TEXT);
	findings_finish(&run.findings);
	scratch_finish(&run.scratch);
	words_finish(&words);
	process_watch_close(&run.watch);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All remedies are tried together, which is the usual case. If the files then do not pass, each is
 * tried alone, and those that pass alone once more together. Findings are counted for each check,
 * because edits move lines.
 */
#include "verification.h"

#include "finding-fixes.h"
#include "lint-options.h"

#include <stdio.h>
#include <stdlib.h>

struct trial {
	struct lint_run *run; /* the first one, of the user's files */
	struct patch *patch;
	lint_check_words *check;
	const char *const *words;
	struct scratch copies;
};

/* The number of findings of each check, errors last. */
static void count_findings(const struct findings *findings, size_t counts[LINT_CHECK_COUNT + 1])
{
	for (size_t i = 0; i <= LINT_CHECK_COUNT; i++)
		counts[i] = 0;
	for (size_t i = 0; i < findings->count; i++)
		counts[findings->all[i].check]++;
}

/* Compares the findings with those of the user's files: what is wrong, or NULL. */
static const char *compare(const struct trial *trial, const struct findings *now, size_t only)
{
	const struct findings *before = &trial->run->findings;
	size_t old[LINT_CHECK_COUNT + 1], new[LINT_CHECK_COUNT + 1];

	count_findings(before, old);
	count_findings(now, new);
	for (size_t i = 0; i <= LINT_CHECK_COUNT; i++)
		if (new[i] > old[i])
			return "has a finding that the file does not have now";
	for (size_t i = 0; i < before->count; i++)
		if (before->fixes[i].offered && (only == FINDING_ALL || only == i))
			old[before->all[i].check]--;
	for (size_t i = 0; i <= LINT_CHECK_COUNT; i++)
		if (new[i] > old[i])
			return "still has the finding";
	return NULL;
}

/* Tries all remedies that are offered, or one: what is wrong with them, or NULL. */
static const char *try_patch(struct trial *trial, size_t only)
{
	struct lint_run run = {.options = trial->run->options,
	    .watch = trial->run->watch,
	    .patch = trial->patch,
	    .aside = true};
	const char *problem = "cannot be written to a temporary folder";
	char *folder = scratch_path(&trial->copies, 0, "copies");

	finding_fixes_collect(&trial->run->findings, trial->patch, only);
	if (folder != NULL && scratch_init(&run.scratch) == 0) {
		run.copies = folder;
		trial->check(&run, trial->words);
		problem = run.watch.interrupted != 0 ? "was not checked to the end" : run.problem;
		if (problem == NULL)
			problem = compare(trial, &run.findings, only);
		scratch_finish(&run.scratch);
	}
	trial->run->watch.interrupted = run.watch.interrupted;
	scratch_empty(&trial->copies);
	findings_finish(&run.findings);
	free(folder);
	return problem;
}

static void withdraw(struct trial *trial, size_t number, const char *problem)
{
	struct findings *findings = &trial->run->findings;
	const struct lint_finding *finding = &findings->all[number];

	findings->fixes[number].offered = false;
	fprintf(stderr, "%s:%d:%d: note: no change is offered for %s: the changed file %s\n",
	    finding->place.file, finding->place.line, finding->place.column,
	    lint_checks[finding->check].name, problem);
}

void lint_verify(
    struct lint_run *run, struct patch *patch, lint_check_words *check, const char *const *words)
{
	struct trial trial = {.run = run, .patch = patch, .check = check, .words = words};
	const char *problem = "cannot be written to a temporary folder";

	if (scratch_init(&trial.copies) == 0 && finding_fixes_offered(&run->findings) > 0)
		problem = try_patch(&trial, FINDING_ALL);
	for (size_t i = 0; i < run->findings.count && problem != NULL; i++) {
		const char *alone = run->findings.fixes[i].offered ? try_patch(&trial, i) : NULL;
		if (alone != NULL)
			withdraw(&trial, i, alone);
	}
	if (problem != NULL && finding_fixes_offered(&run->findings) > 0)
		problem = try_patch(&trial, FINDING_ALL);
	for (size_t i = 0; i < run->findings.count && problem != NULL; i++)
		if (run->findings.fixes[i].offered)
			withdraw(&trial, i, problem);
	finding_fixes_collect(&run->findings, patch, FINDING_ALL);
	scratch_finish(&trial.copies);
}

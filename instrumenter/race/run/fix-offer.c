/* SPDX-License-Identifier: BSD-3-Clause */
/* What `--fix` and its relatives do beside the report. */
#include "fix-offer.h"

#include "construct-report.h"
#include "patched-files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool race_fixes_find(struct race_fix_request *request)
{
	struct race_fixes *fixes = request->trial.fixes;
	char *error = NULL;
	bool found = race_fixes_make(fixes, request->trial.watch, request->options->compiler,
			 request->findings, request->words, request->arena, &error) == 0;

	if (!found && request->options->fix)
		report_error(
		    NULL, "no changes can be offered: %s", error != NULL ? error : strerror(errno));
	free(error);
	fixes->wanted = request->options->fix;
	if (found && request->options->verify && words_vector(request->trial.program) != NULL)
		race_fixes_verify(&request->trial);
	for (size_t i = 0; i < request->findings->count && found; i++)
		race_fixes_advise(fixes, i, request->arena, &request->words[i]);
	return found;
}

/* How many races the changes end: the change for one may end others, as the verified program shows.
 */
static size_t count_fixed(const struct race_fix_request *request)
{
	const struct fix_trial *trial = &request->trial;
	const size_t changes = race_fixes_count(trial->fixes, FINDING_ALL);

	return changes > 0 && request->options->verify && trial->left + changes < trial->races
		   ? trial->races - trial->left
		   : changes;
}

/* The same in causes, as the report counts. */
static size_t count_fixed_causes(const struct race_fix_request *request, bool all)
{
	const struct race_findings *findings = request->findings;
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].verdict.standing == RACE_COUNTS &&
			 findings->items[i].cause == i &&
			 (all || race_fixes_has(request->trial.fixes, i));
	return count;
}

const char *race_fixes_diff(const struct race_fix_request *request)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		return "";
	patch_print(out, &request->trial.fixes->patch);
	const bool written = fclose(out) == 0;
	const char *copy = written ? arena_copy(request->arena, text, length) : "";
	free(text);
	return copy;
}

bool race_fixes_offer(const struct race_fix_request *request)
{
	const struct race_options *options = request->options;
	const struct race_fixes *fixes = request->trial.fixes;
	const size_t races = race_cause_count(request->findings, RACE_COUNTS);
	const bool all = count_fixed(request) == request->trial.races;
	const size_t fixed = count_fixed_causes(request, all);
	FILE *out = options->fix_file != NULL ? fopen(options->fix_file, "we") : stderr;

	fprintf(stderr, "ompinst race: changes for %zu of %zu race%s%s\n", fixed, races,
	    races == 1 ? "" : "s", options->verify && fixed > 0 ? ", verified" : "");
	if (out == NULL) {
		report_error(options->fix_file, "cannot write: %s", strerror(errno));
		return false;
	}
	if (options->fix_file != NULL || !options->apply)
		patch_print(out, &fixes->patch);
	if (options->fix_file != NULL && fclose(out) != 0)
		report_error(options->fix_file, "cannot write: %s", strerror(errno));
	return options->apply && patched_files_write(&fixes->patch) && all;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search compares schedules in a program in which all loops ask for their schedule when they
 * begin. Here both sides are built by the user's own compiler, and the schedule is in the text.
 */
#include "patched-gain.h"

#include <stdlib.h>
#include <string.h>

static void measure(struct patched_gain *gain, const struct gain_subject *subject,
    struct tuned_settings *settings, struct tuned_runner *runner, struct gain_result *result)
{
	struct gain_subject again = *subject;

	if (!tuned_build_make(&gain->build, runner->watch, runner->options->build,
		runner->program->path, &gain->patch.patch, &gain->problem))
		return;
	runner->built = gain->build.programs;
	runner->patched = tuned_settings_add_patched(settings, result->best);
	again.setting_count = settings->count;
	if (!settings->failed)
		gain->trial = gain_search_compare(&again, result, runner->patched);
}

void patched_gain_find(struct patched_gain *gain, const struct gain_subject *subject,
    struct tuned_settings *settings, struct tuned_runner *runner, struct gain_result *result)
{
	struct words variables = {0};

	tuned_settings_variables(settings, result->best, &variables);
	tuned_patch_make(&variables, runner->program->path, &gain->patch);
	words_finish(&variables);
	if (runner->options->build == NULL || gain->patch.changes == 0)
		return;
	if (result->ended)
		gain->problem = strdup("the budget is used up");
	else if (runner->options->region != NULL)
		gain->problem = strdup("built without ompinst, it does not measure its regions");
	else
		measure(gain, subject, settings, runner, result);
	if (runner->watch->interrupted != 0 && gain->trial == NULL) {
		free(gain->problem);
		gain->problem = strdup("it was interrupted");
	}
}

void patched_gain_finish(struct patched_gain *gain)
{
	tuned_build_finish(&gain->build);
	tuned_patch_finish(&gain->patch);
	free(gain->problem);
}

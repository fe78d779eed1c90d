/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as one JSON document, with the ratios of all pairs. */
#include "tune-report.h"

#include "common/json-writer.h"
#include "shared/tuned-file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMALS = 6 };

static void put_variables(
    struct json_writer *json, const struct tuned_settings *settings, gain_set set)
{
	struct words variables = {0};

	tuned_settings_variables(settings, set, &variables);
	json_open_object(json, "variables");
	for (size_t i = 0; i < variables.count; i++) {
		char *name = variables.items[i];
		size_t length = tuned_name(name);
		name[length] = '\0';
		json_put_text(json, name, name + length + 1);
	}
	json_close_object(json);
	words_finish(&variables);
}

static void put_gain(struct json_writer *json, const struct gain_trial *trial)
{
	const double nothing = NAN;
	bool has_interval = trial->state == GAIN_JUDGED;

	json_put_decimal(json, "gain",
	    trial->state != GAIN_UNUSABLE ? exp(trial->judgement.estimate) : nothing, DECIMALS);
	json_put_decimal(json, "low", has_interval ? exp(trial->judgement.low) : nothing, DECIMALS);
	json_put_decimal(
	    json, "high", has_interval ? exp(trial->judgement.high) : nothing, DECIMALS);
}

static void put_predicted(struct json_writer *json, const struct predicted_gain *predicted)
{
	if (predicted == NULL)
		return;
	json_open_object(json, "predicted");
	json_put_decimal(json, "gain", predicted->gain > 0 ? predicted->gain : NAN, DECIMALS);
	json_put_decimal(json, "low", predicted->low, DECIMALS);
	json_put_decimal(json, "high", predicted->high, DECIMALS);
	json_close_object(json);
}

static void put_ratios(
    struct json_writer *json, const char *key, const double *differences, size_t count)
{
	json_open_array(json, key);
	for (size_t i = 0; i < count; i++)
		json_put_decimal(json, NULL, exp(differences[i]), DECIMALS);
	json_close_array(json);
}

static void put_trial(
    struct json_writer *json, const struct tune_report *report, const struct gain_trial *trial)
{
	char *title = tune_trial_title(report, trial);
	char *against = tuned_settings_title(report->settings, trial->reference);

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "setting", title);
	put_variables(json, report->settings, trial->set);
	json_put_text(json, "against", against);
	put_gain(json, trial);
	put_predicted(json, tune_trial_predicted(report, trial));
	json_put_text(json, "verdict", tune_trial_verdict(report, trial));
	json_put_text(json, "problem",
	    trial->state == GAIN_UNUSABLE ? tuned_runner_refusal(report->runner, trial->set)
					  : NULL);
	put_ratios(json, "first_ratios", trial->screened, trial->screened_count);
	put_ratios(json, "ratios", trial->differences, trial->count);
	json_close_object(json);
	free(title);
	free(against);
}

static void put_files(
    struct json_writer *json, const struct tuned_runner *runner, const char *key, bool differing)
{
	struct words names = {0};

	written_files_list(runner->written, runner->inputs.count, differing, &names);
	json_open_array(json, key);
	for (size_t i = 0; i < names.count; i++)
		json_put_text(json, NULL, names.items[i]);
	json_close_array(json);
	words_finish(&names);
}

static void put_best(struct json_writer *json, const struct tune_report *report)
{
	const struct gain_trial *whole = tune_whole(report);

	json_begin_line(json);
	if (report->result->best == 0) {
		json_put_null(json, "best");
		return;
	}
	json_open_object(json, "best");
	put_variables(json, report->settings, report->result->best);
	if (whole != NULL)
		put_gain(json, whole);
	json_close_object(json);
}

/* The patch as text, so that no file is needed. */
static void put_patch(struct json_writer *json, const struct tune_report *report)
{
	const struct tuned_patch *patch = report->patch;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		return;
	tune_report_patch(report, out);
	bool is_written = fclose(out) == 0;
	json_begin_line(json);
	json_open_object(json, "patch");
	json_put_number(json, "changes", patch->changes);
	json_put_text(json, "text", is_written ? text : NULL);
	json_open_array(json, "left_out");
	for (size_t i = 0; i < patch->left_out.count; i++)
		json_put_text(json, NULL, patch->left_out.items[i]);
	json_close_array(json);
	json_put_text(json, "not_measured", report->patch_problem);
	if (report->patched != NULL) {
		put_gain(json, report->patched);
		json_put_text(json, "verdict", tune_trial_verdict(report, report->patched));
	}
	json_close_object(json);
	free(text);
}

void tune_report_json(const struct tune_report *report, FILE *out)
{
	struct json_writer json;
	bool interrupted = report->runner->watch->interrupted != 0;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "command", report->command);
	json_put_number(&json, "seed", report->options->seed);
	json_put_number(&json, "runs", report->runner->runs);
	json_put_decimal(&json, "seconds", report->seconds, 3);
	json_put_decimal(&json, "other_programs", report->others >= 0 ? report->others : NAN, 3);
	json_put_decimal(&json, "min_gain", report->options->min_gain, DECIMALS);
	json_put_text(&json, "metric",
	    report->options->metric != NULL   ? report->options->metric
	    : report->options->region != NULL ? "region"
					      : "wall");
	json_put_text(&json, "region", report->options->region);
	json_put_text(&json, "ended",
	    !report->result->ended ? NULL
	    : report->runner->end  ? report->runner->end
	    : interrupted          ? "interrupted"
				   : "budget");
	json_put_text(&json, "different_output", report->runner->unsteady);
	json_put_number(&json, "repeated_runs", report->runner->repeated);
	json_begin_line(&json);
	put_files(&json, report->runner, "written_files", false);
	put_files(&json, report->runner, "different_files", true);
	json_begin_line(&json);
	json_open_array(&json, "not_tried");
	for (size_t i = 0; i < report->settings->left_out.count; i++)
		json_put_text(&json, NULL, report->settings->left_out.items[i]);
	json_close_array(&json);
	json_begin_line(&json);
	json_open_array(&json, "settings");
	for (size_t i = 0; i < report->result->trial_count; i++)
		put_trial(&json, report, &report->result->trials[i]);
	json_close_array(&json);
	put_best(&json, report);
	put_patch(&json, report);
	json_close_object(&json);
	json_finish(&json);
}

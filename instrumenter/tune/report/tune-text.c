/* SPDX-License-Identifier: BSD-3-Clause */
/* The report for people, the words that all forms share, and the file of settings. */
#include "tune-report.h"

#include "common/figure-table.h"
#include "shared/tuned-file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From so many processors on, other programs are mentioned. */
#define BUSY 0.2

static bool is_combined(const struct gain_trial *trial)
{
	return (trial->set & (trial->set - 1)) != 0;
}

char *tune_trial_title(const struct tune_report *report, const struct gain_trial *trial)
{
	char *title, *longer;

	if (is_combined(trial) && trial->reference == 0)
		return strdup("all of them together");
	title = tuned_settings_title(report->settings, trial->set & ~trial->reference);
	if (title == NULL || (trial->reference == 0 && !trial->again))
		return title;
	if (asprintf(&longer, trial->again ? "%s, once more" : "... and %s", title) < 0)
		longer = NULL;
	free(title);
	return longer;
}

const char *tune_trial_verdict(const struct tune_report *report, const struct gain_trial *trial)
{
	double least = log1p(report->options->min_gain);

	switch (trial->state) {
	case GAIN_TRIED:
		return "not finished";
	case GAIN_UNUSABLE:
		return "cannot be used";
	case GAIN_UNSEEN:
		return trial->judgement.estimate < -least ? "seems worse" : "no gain in sight";
	case GAIN_BEHIND:
		return "others are better";
	case GAIN_JUDGED:
		break;
	}
	switch (trial->judgement.verdict) {
	case GAIN_SURE:
		return "gain";
	case GAIN_SMALL:
		return trial->judgement.high < 0 ? "worse" : "too small a gain";
	case GAIN_OPEN:
	case GAIN_UNDECIDED:
		break;
	}
	return "not sure";
}

const struct gain_trial *tune_whole(const struct tune_report *report)
{
	return report->result->has_whole ? &report->result->trials[report->result->best_one] : NULL;
}

static const char *better(const struct tune_report *report)
{
	return report->options->metric == NULL ? "faster" : "better";
}

int tune_print_best(const struct tune_report *report, FILE *out)
{
	const struct gain_trial *whole = tune_whole(report);

	if (report->result->best == 0)
		return fprintf(out, "No setting is a sure gain of at least %g %%.",
		    100 * report->options->min_gain);
	if (whole == NULL)
		return fprintf(out,
		    "The settings below are sure gains, each added to those before; "
		    "together they were not compared.");
	return fprintf(out, "%.2f times %s (%.2f to %.2f), %zu pairs of runs%s.",
	    exp(whole->judgement.estimate), better(report), exp(whole->judgement.low),
	    exp(whole->judgement.high), whole->count,
	    report->result->confirmed ? "" : "; it was not compared once more");
}

enum column { SETTING, GAIN, LOW, HIGH, PAIRS, VERDICT, PREDICTED, COLUMNS };

static const struct table_column columns[] = {
    [SETTING] = {"setting", "setting", CELL_TEXT, 0, 0},
    [GAIN] = {"gain", "gain", CELL_FACTOR, 0, 0},
    [LOW] = {"low", "from", CELL_FACTOR, 0, 0},
    [HIGH] = {"high", "to", CELL_FACTOR, 0, 0},
    [PAIRS] = {"pairs", "pairs", CELL_COUNT, 0, 0},
    [VERDICT] = {"verdict", "verdict", CELL_TEXT, 0, 0},
    [PREDICTED] = {"predicted", "predicted", CELL_TEXT, 0, 0},
};

const struct predicted_gain *tune_trial_predicted(
    const struct tune_report *report, const struct gain_trial *trial)
{
	for (unsigned i = 0; i < report->settings->count; i++)
		if (trial->set == (gain_set)1 << i && trial->reference == 0 &&
		    report->settings->items[i].predicted.high > 0)
			return &report->settings->items[i].predicted;
	return NULL;
}

static void print_predicted(const struct predicted_gain *predicted, char buffer[TEXT_SIZE])
{
	if (predicted == NULL)
		buffer[0] = '\0';
	else if (predicted->gain > 0)
		snprintf(buffer, TEXT_SIZE, "%.2f (%.2f to %.2f)", predicted->gain, predicted->low,
		    predicted->high);
	else
		snprintf(buffer, TEXT_SIZE, "%.2f to %.2f", predicted->low, predicted->high);
}

static struct cell cell_of(const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct tune_report *report = context;
	const struct gain_trial *trial = &report->result->trials[row];
	bool has_interval = trial->state == GAIN_JUDGED && isfinite(trial->judgement.low);
	struct cell cell = {.ratio = -1};
	char *title;

	switch ((enum column)column) {
	case SETTING:
		title = tune_trial_title(report, trial);
		snprintf(buffer, TEXT_SIZE, "%s", title != NULL ? title : "");
		free(title);
		cell.text = buffer;
		break;
	case GAIN:
		cell.ratio = trial->state != GAIN_UNUSABLE ? exp(trial->judgement.estimate) : -1;
		break;
	case LOW:
		cell.ratio = has_interval ? exp(trial->judgement.low) : -1;
		break;
	case HIGH:
		cell.ratio = has_interval ? exp(trial->judgement.high) : -1;
		break;
	case PAIRS:
		cell.number = trial->count > 0 ? trial->count : trial->screened_count;
		break;
	case VERDICT:
		cell.text = tune_trial_verdict(report, trial);
		break;
	case PREDICTED:
	case COLUMNS:
		print_predicted(tune_trial_predicted(report, trial), buffer);
		cell.text = buffer;
		break;
	}
	return cell;
}

static bool has_predictions(const struct tune_report *report)
{
	bool has_some = false;

	for (unsigned i = 0; i < report->settings->count; i++)
		has_some |= report->settings->items[i].predicted.high > 0;
	return has_some;
}

static void print_table(const struct tune_report *report, FILE *out, int width)
{
	const struct figure_table table = {
	    .title = report->options->metric == NULL ? "SETTINGS (gain: how many times faster)"
						     : "SETTINGS (gain: how many times better)",
	    .rest = " settings",
	    .columns = columns,
	    .column_count = has_predictions(report) ? COLUMNS : PREDICTED,
	    .rows = report->result->trial_count,
	    .text_rows = report->result->trial_count,
	    .cut_end = true,
	    .cell = cell_of,
	    .context = report,
	};

	table_print_text(out, &table, width);
}

enum { NAMED = 4 }; /* files */

static void print_names(const struct words *names, FILE *out)
{
	for (size_t i = 0; i < names->count && i < NAMED; i++) {
		fputs(i > 0 ? ", '" : "'", out);
		text_print_plain(out, names->items[i]);
		fputc('\'', out);
	}
	if (names->count > NAMED)
		fprintf(out, " and %zu more", names->count - NAMED);
}

/* Which files the program writes. */
static void print_files(const struct tune_report *report, FILE *out)
{
	const struct tuned_runner *runner = report->runner;
	struct words all = {0}, differing = {0};

	written_files_list(runner->written, runner->inputs.count, false, &all);
	written_files_list(runner->written, runner->inputs.count, true, &differing);
	if (all.count > 0) {
		fputs("The program writes files (", out);
		print_names(&all, out);
		fputs("), and each run finds those of the run before", out);
		if (differing.count > 0) {
			fputs("; not compared, because two unchanged runs leave other content: ",
			    out);
			print_names(&differing, out);
		}
		fputs(".\n", out);
	} else if (runner->folder.is_incomplete) {
		fprintf(out,
		    "The current folder has more than %d files: those that the program writes are "
		    "not compared.\n",
		    WRITTEN_LOOKED_AT);
	}
	words_finish(&all);
	words_finish(&differing);
}

/* Why settings cannot be used, and what was not tried. */
static void print_notes(const struct tune_report *report, FILE *out)
{
	for (size_t i = 0; i < report->result->trial_count; i++) {
		const struct gain_trial *trial = &report->result->trials[i];
		const char *why = tuned_runner_refusal(report->runner, trial->set);
		char *title = tune_trial_title(report, trial);
		if (trial->state == GAIN_UNUSABLE && why != NULL && title != NULL) {
			text_print_plain(out, title);
			fputs(": the program ", out);
			text_print_plain(out, why);
			fputs(".\n", out);
		}
		free(title);
	}
	if (report->options->region != NULL) {
		fputs("The gains are those of the time in region '", out);
		text_print_plain(out, report->options->region);
		fputs("', on average of its threads.\n", out);
	}
	for (size_t i = 0; i < report->settings->left_out.count; i++)
		fprintf(out, "%s.\n", report->settings->left_out.items[i]);
	if (report->runner->unsteady != NULL) {
		fputs("Two unchanged runs print different output (", out);
		text_print_plain(out, report->runner->unsteady);
		fputs("): runs were compared by their exit status only; --ignore=PATTERN leaves "
		      "lines out.\n",
		    out);
	}
	if (report->runner->repeated > 0)
		fprintf(out, "%u unchanged run%s did not end in time, and %s repeated.\n",
		    report->runner->repeated, report->runner->repeated == 1 ? "" : "s",
		    report->runner->repeated == 1 ? "was" : "were");
	print_files(report, out);
	if (report->others >= BUSY)
		fprintf(out,
		    "Other programs used %.1f processors meanwhile: gains are those beside them.\n",
		    report->others);
	if (report->runner->end != NULL) {
		text_print_plain(out, report->runner->end);
		fputs(": nothing more was measured.\n", out);
	} else if (report->result->ended) {
		fputs(report->runner->watch->interrupted != 0
			  ? "Interrupted before everything was decided.\n"
			  : "The budget was used up before everything was decided.\n",
		    out);
	}
}

/* How much better the patched program is. */
static void print_patched(const struct tune_report *report, FILE *out)
{
	const struct gain_trial *trial = report->patched;

	if (report->patch_problem != NULL) {
		fputs("The patched program was not measured: ", out);
		text_print_plain(out, report->patch_problem);
		fputs(".\n", out);
	}
	if (trial == NULL)
		return;
	if (trial->state == GAIN_JUDGED && trial->judgement.verdict == GAIN_SURE)
		fprintf(out,
		    "Both built by the command of --build, the patched program is %.2f times %s than "
		    "the unchanged one (%.2f to %.2f), %zu pairs of runs%s.\n",
		    exp(trial->judgement.estimate), better(report), exp(trial->judgement.low),
		    exp(trial->judgement.high), trial->count,
		    report->settings->items[report->settings->count - 1].variables.count > 0
			? ", with the other settings"
			: "");
	else
		fprintf(out,
		    "Both built by the command of --build, the patched program has no sure gain "
		    "over the unchanged one: %s.\n",
		    tune_trial_verdict(report, trial));
}

bool tune_has_patch(const struct tune_report *report)
{
	return report->patch->changes > 0 &&
	       (report->patched == NULL || report->patched->state != GAIN_UNUSABLE);
}

/* What the patch changes, and what it does not. */
static void print_patch(const struct tune_report *report, FILE *out)
{
	const size_t changes = report->patch->changes;
	const char *file = report->options->patch, *many = changes == 1 ? "" : "s";

	for (size_t i = 0; i < report->patch->left_out.count; i++) {
		text_print_plain(out, report->patch->left_out.items[i]);
		fputs(".\n", out);
	}
	if (file != NULL && tune_has_patch(report)) {
		fprintf(out, "%zu clause%s of the program's text as a patch: git apply ", changes,
		    many);
		text_print_plain(out, file);
		fputs(", or patch -p1.\n", out);
	} else if (file != NULL) {
		fputs("No clause is a sure gain that a patch can make: '", out);
		text_print_plain(out, file);
		fputs("' is not written.\n", out);
	} else if (tune_has_patch(report)) {
		fprintf(out, "--patch=FILE writes %zu clause%s of the program's text as a patch.\n",
		    changes, many);
	}
	print_patched(report, out);
}

void tune_report_patch(const struct tune_report *report, FILE *out)
{
	patch_print(out, &report->patch->patch);
}

/* The command with the best settings, as a shell reads it. */
static void print_command(const struct tune_report *report, FILE *out)
{
	struct words line = {0};

	words_add(&line, "env");
	tuned_settings_variables(report->settings, report->result->best, &line);
	char *text = words_vector(&line) != NULL ? words_command_line(line.items) : NULL;
	fputs("  ", out);
	text_print_plain(out, text != NULL ? text : "");
	fputc(' ', out);
	text_print_plain(out, report->command);
	fputc('\n', out);
	free(text);
	words_finish(&line);
}

void tune_report_text(const struct tune_report *report, FILE *out, int width)
{
	print_table(report, out, width);
	fputc('\n', out);
	print_notes(report, out);
	tune_print_best(report, out);
	fputc('\n', out);
	if (report->result->best != 0)
		print_command(report, out);
	print_patch(report, out);
	fprintf(out, "%u runs in %.1f s, seed %u.", report->runner->runs, report->seconds,
	    report->options->seed);
	fprintf(out, " The chance of any false gain is at most %g %%.\n", 100 * GAIN_FALSE);
}

void tune_report_settings(const struct tune_report *report, FILE *out)
{
	struct words variables = {0};

	fputs("# Settings that 'ompinst tune' has found for: ", out);
	text_print_plain(out, report->command);
	fputs("\n# ", out);
	tune_print_best(report, out);
	fprintf(out, "\n# For 'ompinst run --tuned=FILE', and POMP_TUNED=FILE; seed %u\n",
	    report->options->seed);
	tuned_settings_variables(report->settings, report->result->best, &variables);
	for (size_t i = 0; i < variables.count; i++)
		fprintf(out, "%s\n", variables.items[i]);
	words_finish(&variables);
}

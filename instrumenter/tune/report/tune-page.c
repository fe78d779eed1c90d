/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as a page for the browser: the table, and for each row a picture of its pairs on one
 * logarithmic scale. The page needs no script and nothing from outside.
 */
#include "tune-report.h"

#include "common/html-page.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 420, HEIGHT = 26, MARGIN = 8 };

/* The ratios that the pictures show. */
struct scale {
	double low, high; /* logarithms; low < 0 < high */
};

static const char style[] =
    "table{border-collapse:collapse;width:100%}\n"
    "th{text-align:left;font-weight:normal;color:var(--quiet)}\n"
    "td,th{padding:.15rem .6rem .15rem 0;font-variant-numeric:tabular-nums}\n"
    "tr+tr td{border-top:1px solid var(--line)}\n"
    "svg{display:block}\n"
    ".one{stroke:var(--quiet);stroke-dasharray:3 2}\n"
    ".range{stroke:var(--quiet);stroke-width:3;opacity:.5}\n"
    ".mean{stroke:var(--ink);stroke-width:2}\n"
    ".pair{fill:var(--point);opacity:.55}\n"
    ".first{fill:none;stroke:var(--point);opacity:.8}\n"
    ".gain td:last-child{color:var(--gain);font-weight:bold}\n";

static void widen(struct scale *scale, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		scale->low = fmin(scale->low, values[i]);
		scale->high = fmax(scale->high, values[i]);
	}
}

/* From the least to the greatest ratio of any pair, with some room on both sides. */
static struct scale scale_of(const struct gain_result *result)
{
	struct scale scale = {-0.05, 0.05};

	for (size_t i = 0; i < result->trial_count; i++) {
		widen(&scale, result->trials[i].screened, result->trials[i].screened_count);
		widen(&scale, result->trials[i].differences, result->trials[i].count);
	}
	return scale;
}

static double place_of(const struct scale *scale, double value)
{
	double part = (value - scale->low) / (scale->high - scale->low);

	return MARGIN + (WIDTH - 2 * MARGIN) * fmin(fmax(part, 0), 1);
}

/* Points in turns at three heights, so that equal ones show. */
static void put_points(
    FILE *out, const struct scale *scale, const char *kind, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "<circle class='%s' cx='%.1f' cy='%d' r='3'/>", kind,
		    place_of(scale, values[i]), HEIGHT / 2 + 5 * (int)(i % 3) - 5);
}

static void put_line(FILE *out, const char *kind, double from, double to, int top, int bottom)
{
	fprintf(out, "<line class='%s' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>", kind, from, to, top,
	    bottom);
}

static void put_picture(FILE *out, const struct scale *scale, const struct gain_trial *trial)
{
	const struct gain_judgement *judgement = &trial->judgement;
	double one = place_of(scale, 0), mean = place_of(scale, judgement->estimate);

	fprintf(out,
	    "<svg role='img' width='%d' height='%d' aria-label='%zu pairs of runs: how many times "
	    "better each is'>",
	    WIDTH, HEIGHT, trial->count > 0 ? trial->count : trial->screened_count);
	put_line(out, "one", one, one, 0, HEIGHT);
	if (trial->state == GAIN_JUDGED)
		put_line(out, "range", place_of(scale, judgement->low),
		    place_of(scale, judgement->high), HEIGHT / 2, HEIGHT / 2);
	put_points(out, scale, "first", trial->screened, trial->screened_count);
	put_points(out, scale, "pair", trial->differences, trial->count);
	if (!isnan(judgement->estimate) && trial->state != GAIN_UNUSABLE)
		put_line(out, "mean", mean, mean, 2, HEIGHT - 2);
	fputs("</svg>", out);
}

static void put_row(
    FILE *out, const struct tune_report *report, const struct scale *scale, size_t index)
{
	const struct gain_trial *trial = &report->result->trials[index];
	const char *refusal = tuned_runner_refusal(report->runner, trial->set);
	char *title = tune_trial_title(report, trial);
	bool is_gain = trial->state == GAIN_JUDGED && trial->judgement.verdict == GAIN_SURE;

	fprintf(out, "<tr%s><td>", is_gain ? " class='gain'" : "");
	html_page_put(out, title);
	fputs("</td><td>", out);
	put_picture(out, scale, trial);
	fputs("</td><td>", out);
	if (!isnan(trial->judgement.estimate) && trial->state != GAIN_UNUSABLE)
		fprintf(out, "%.2f", exp(trial->judgement.estimate));
	fputs("</td><td>", out);
	if (trial->state == GAIN_JUDGED && isfinite(trial->judgement.low))
		fprintf(out, "%.2f to %.2f", exp(trial->judgement.low), exp(trial->judgement.high));
	fprintf(
	    out, "</td><td>%zu</td><td>", trial->count > 0 ? trial->count : trial->screened_count);
	fputs(tune_trial_verdict(report, trial), out);
	if (trial->state == GAIN_UNUSABLE && refusal != NULL) {
		fputs(": ", out);
		html_page_put(out, refusal);
	}
	fputs("</td></tr>\n", out);
	free(title);
}

static void put_table(FILE *out, const struct tune_report *report)
{
	const struct scale scale = scale_of(report->result);

	fprintf(out,
	    "<section><table>\n<tr><th>setting</th><th>pairs of runs: %.2f to %.2f times</th>"
	    "<th>gain</th><th>interval</th><th>pairs</th><th>verdict</th></tr>\n",
	    exp(scale.low), exp(scale.high));
	for (size_t i = 0; i < report->result->trial_count; i++)
		put_row(out, report, &scale, i);
	fputs(
	    "</table>\n<p class='quiet'>A point is one pair of runs: how many times better the "
	    "setting was (right of the broken line) than what it was compared with. Rings are the "
	    "first few pairs, from which nothing is concluded. The band is the interval, the "
	    "stroke the estimate.</p></section>\n",
	    out);
}

void tune_report_page(const struct tune_report *report, FILE *out)
{
	struct words variables = {0};

	html_page_begin(out, "tune", report->command, style);
	fputs("<p>", out);
	tune_print_best(report, out);
	fputs("</p>\n", out);
	tuned_settings_variables(report->settings, report->result->best, &variables);
	for (size_t i = 0; i < variables.count; i++) {
		fputs("<div><code>", out);
		html_page_put(out, variables.items[i]);
		fputs("</code></div>\n", out);
	}
	words_finish(&variables);
	put_table(out, report);
	fprintf(out,
	    "<p class='quiet'>%u runs in %.1f s, seed %u.%s The chance of any false gain is at "
	    "most %g %%. Written by ompinst tune.</p>\n",
	    report->runner->runs, report->seconds, report->options->seed,
	    report->result->ended ? " It ended before everything was decided." : "",
	    100 * GAIN_FALSE);
	html_page_end(out);
}

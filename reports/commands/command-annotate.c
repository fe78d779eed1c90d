/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport annotate: prints the source with what its regions lost in the margin, and with the part
 * of the samples that each line has. Lines far from all of them are left out.
 */
#include <stdint.h>
#include <stdlib.h>

#include "commands.h"
#include "common/terminal-text.h"
#include "excerpts.h"
#include "memory.h"
#include "report.h"
#include "sampled-code.h"
#include "sarif.h"
#include "source-lines.h"
#include "streams.h"
#include "tried-file.h"
#include "tried-patch.h"

enum { TAB_WIDTH = 8 };

/*
 * Prints as much as fits into the columns, with blanks for tabs and '?' for terminal control
 * characters.
 */
static void put_source(FILE *out, const char *text, int columns)
{
	for (int used = 0, needs; *text; used += needs) {
		bool is_tab = *text == '\t';
		const char *shown;
		int bytes;

		needs = text_next_column(&text, &shown, &bytes);
		if (is_tab)
			needs = TAB_WIDTH - used % TAB_WIDTH;
		if (used + needs > columns)
			break;
		if (is_tab)
			fprintf(out, "%*s", needs, "");
		else
			fwrite(shown, 1, (size_t)bytes, out);
	}
	fputc('\n', out);
}

#define MARGIN "%7s %7s %7s"
enum { FIGURE_COLUMNS = 8, LINE_COLUMNS = 8 };

/* A line without regions that has less than this part of the samples is not shown. */
#define HEAT_SHOWN 0.01

/* What is printed; the annotations are collected already. */
struct listing {
	FILE *out;
	const struct options *options;
	const struct annotations *annotations;
	struct sources sources;
	int margin; /* columns before the lines' numbers */
	bool has_samples;
};

static void put_line(struct listing *listing, int line, const char *text)
{
	fprintf(listing->out, "%6d  ", line);
	put_source(listing->out, text, listing->options->width - listing->margin - LINE_COLUMNS);
}

static void put_heat(const struct listing *listing, double heat)
{
	char share[SUMMARY_FIGURE_SIZE];

	if (listing->has_samples)
		fprintf(listing->out, " %7s", heat > 0 ? summary_format_share(share, heat) : "");
	fputs("  ", listing->out);
}

static void put_margin(const struct listing *listing, const struct annotation *annotation)
{
	uint64_t lost = annotation->share < 0 ? SUMMARY_NOT_MEASURED : annotation->gain;
	char gain[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE], time[SUMMARY_FIGURE_SIZE];

	if (annotation->region)
		fprintf(listing->out, MARGIN, summary_format_time(gain, lost),
		    summary_format_share(share, annotation->share),
		    summary_format_time(time, annotation->region->time));
	else
		fprintf(listing->out, MARGIN, "", "", "");
	put_heat(listing, annotation->heat);
}

/* Prints the lines first to last, which have no annotations. */
static void put_context(struct listing *listing, const char *file, int first, int last)
{
	for (int line = first; line <= last; line++) {
		const char *text = sources_written_line(&listing->sources, file, line);

		if (!text)
			return;
		fprintf(listing->out, "%*s", listing->margin, "");
		put_line(listing, line, text);
	}
}

/* Prints the annotations of one line: the first beside the source, the others with their names. */
static void put_annotations(
    struct listing *listing, const struct annotation *annotations, size_t count)
{
	const char *text =
	    sources_written_line(&listing->sources, annotations[0].file, annotations[0].line);

	for (size_t i = 0; i < count; i++) {
		put_margin(listing, &annotations[i]);
		if (i == 0 && text) {
			put_line(listing, annotations[0].line, text);
		} else {
			fprintf(listing->out, "%*s", text ? LINE_COLUMNS : 0, "");
			put_source(listing->out, annotations[i].name,
			    listing->options->width - listing->margin);
		}
	}
}

/* A file's annotated lines with the lines around them. */
static void put_file(struct listing *listing, const struct annotated_file *file)
{
	const struct annotations *annotations = listing->annotations;
	struct excerpt excerpt = {0};

	while (excerpt_next(&excerpt, annotations, file, listing->options->context)) {
		if (excerpt.skipped > 0)
			fprintf(listing->out, "%*s%6s\n", listing->margin, "", "...");
		put_context(listing, file->path, excerpt.first, excerpt.line - 1);
		put_annotations(listing,
		    &annotations->annotations[file->first + excerpt.annotation], excerpt.regions);
		put_context(listing, file->path, excerpt.line + 1, excerpt.last);
	}
}

static void put_legend(const struct listing *listing)
{
	const struct annotations *annotations = listing->annotations;
	bool some = listing->options->thread || listing->options->rank;
	char share[SUMMARY_FIGURE_SIZE];

	if (annotations->count == 0)
		fputs("No region has a line.\n", listing->out);
	if (annotations->unplaced > 0)
		fprintf(listing->out, "\n%zu region%s without a line %s not shown.\n",
		    annotations->unplaced, annotations->unplaced == 1 ? "" : "s",
		    annotations->unplaced == 1 ? "is" : "are");
	if (annotations->left_out > 0)
		fprintf(listing->out,
		    "\nLines with few samples, and code without lines, are not shown: %s of the samples.\n"
		    "ompreport hot lists them.\n",
		    summary_format_share(share, annotations->left_out));
	fprintf(listing->out,
	    "\nlost: thread time that waits took; share: of %s time;\n"
	    "time: of %s, with what is nested in the region\n",
	    some ? "the chosen threads'" : "all threads'",
	    some ? "the chosen threads" : "all threads");
	if (listing->has_samples)
		fputs("samples: the line's part of the processor time\n", listing->out);
}

static void put_text(struct listing *listing)
{
	FILE *out = listing->out;

	for (size_t i = 0; i < listing->annotations->file_count; i++) {
		const struct annotated_file *file = &listing->annotations->files[i];
		const char *known =
		    sources_remark(&listing->sources, file->path, listing->options->path);

		if (i > 0)
			fputc('\n', out);
		put_source(out, file->path, INT32_MAX);
		if (known[0])
			fprintf(out, "(%s)\n", known);
		fprintf(out, MARGIN "%s  %6s\n", "lost", "share", "time",
		    listing->has_samples ? " samples" : "", "line");
		put_file(listing, file);
	}
	put_legend(listing);
	sources_free(&listing->sources);
}

/* Adds the samples by line. Returns whether there are any. */
static bool add_samples(
    struct annotations *annotations, const struct report *report, const struct options *options)
{
	struct hot_code hot =
	    hot_code_collect(report->analysis, HOT_LINES, report_takes_name, options);
	struct line_heat *lines = memory_new(hot.count, sizeof(lines[0]));
	bool has_samples = hot.samples > 0;
	size_t count = 0;

	for (size_t i = 0; i < hot.count; i++) {
		const struct hot_row *row = &hot.rows[i];
		double share = summary_share(row->samples, hot.chosen);

		if (row->line > 0 && row->file[0])
			lines[count++] = (struct line_heat){
			    row->file, row->line, hot_row_name(row, HOT_LINES), share};
		else
			annotations->left_out += share;
	}
	annotations_add_heat(annotations, lines, count, HEAT_SHOWN);
	for (size_t i = 0; i < count; i++)
		free((char *)lines[i].name);
	free(lines);
	hot_code_finish(&hot);
	return has_samples;
}

static int write_sarif(const struct report *report, const struct options *options)
{
	struct annotations annotations;
	FILE *out;

	if (!options->sarif)
		return 0;
	out = command_open_output(options->sarif);
	if (!out)
		return 1;
	annotations =
	    annotations_collect(&report->summary, &report->figures, report_takes_name, options);
	annotations_write_sarif(out, &annotations);
	annotations_finish(&annotations);
	return command_close_output(out, options->sarif) ? 1 : 0;
}

static int write_text(const struct report *report, const struct options *options)
{
	struct annotations annotations;
	struct listing listing = {
	    .out = command_open_output(options->output),
	    .options = options,
	    .annotations = &annotations,
	};

	if (!listing.out)
		return 1;
	annotations =
	    annotations_collect(&report->summary, &report->figures, report_takes_name, options);
	listing.has_samples = add_samples(&annotations, report, options);
	listing.margin = (listing.has_samples ? 4 : 3) * FIGURE_COLUMNS + 1;
	put_text(&listing);
	annotations_finish(&annotations);
	return command_close_output(listing.out, options->output) ? 1 : 0;
}

static int write_patch(
    struct report *report, const struct options *options, const struct tried_file *tried)
{
	FILE *out = options->patch ? command_open_output(options->patch) : NULL;

	if (!options->patch)
		return 0;
	if (!out)
		return 1;
	report->summary.tried = tried->tried;
	report->summary.tried_count = tried->count;
	if (tried_patch_print(out, &report->summary) == 0)
		fprintf(stream_messages(),
		    "ompreport annotate: '%s' has no change: no schedule of the archive's loops has "
		    "a sure gain in '%s' that its source takes\n",
		    options->patch, options->tried);
	return command_close_output(out, options->patch) ? 1 : 0;
}

int command_annotate(const struct options *options)
{
	struct report report;
	struct tried_file tried;
	int status = 1;

	if (!options->patch != !options->tried) {
		fprintf(stream_messages(), "ompreport annotate: %s\n",
		    options->patch
			? "--patch: expected --tried=FILE, too: a run alone does not show which "
			  "schedule is faster; `ompinst tune --json` tries them"
			: "--tried: expected --patch=FILE, too; see ompreport annotate --help");
		return 2;
	}
	if (tried_file_read(&tried, options->tried) != 0)
		return 1;
	if (report_read(&report, options->path, options) == 0) {
		status = write_text(&report, options);
		status |= write_sarif(&report, options);
		status |= write_patch(&report, options, &tried);
	}
	report_finish(&report);
	tried_file_free(&tried);
	return status;
}

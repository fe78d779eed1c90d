/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport annotate: prints the source with what its regions lost in the margin. Lines far from
 * all regions are left out.
 */
#include <stdint.h>

#include "commands.h"
#include "common/terminal-text.h"
#include "excerpts.h"
#include "report.h"
#include "sarif.h"
#include "source-lines.h"

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

#define MARGIN "%7s %7s %7s  "
enum { MARGIN_COLUMNS = 3 * 8 + 1, LINE_COLUMNS = 8 };

static void put_line(FILE *out, const struct options *options, int line, const char *text)
{
	fprintf(out, "%6d  ", line);
	put_source(out, text, options->width - MARGIN_COLUMNS - LINE_COLUMNS);
}

static void put_margin(FILE *out, const struct annotation *annotation)
{
	uint64_t lost = annotation->share < 0 ? SUMMARY_NOT_MEASURED : annotation->gain;
	char gain[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE], time[SUMMARY_FIGURE_SIZE];

	fprintf(out, MARGIN, summary_format_time(gain, lost),
	    summary_format_share(share, annotation->share),
	    summary_format_time(time, annotation->region->time));
}

/* Prints the lines first to last, which have no regions. */
static void put_context(FILE *out, const struct options *options, struct sources *sources,
    const char *file, int first, int last)
{
	for (int line = first; line <= last; line++) {
		const char *text = sources_written_line(sources, file, line);

		if (!text)
			return;
		fprintf(out, "%*s", MARGIN_COLUMNS, "");
		put_line(out, options, line, text);
	}
}

/* Prints the regions of one line: the first beside the source, the others with their names. */
static void put_annotations(FILE *out, const struct options *options, struct sources *sources,
    const struct annotation *annotations, size_t count)
{
	const struct summary_region *region = annotations[0].region;
	const char *text = sources_written_line(sources, region->file, region->begin_line);

	for (size_t i = 0; i < count; i++) {
		put_margin(out, &annotations[i]);
		if (i == 0 && text) {
			put_line(out, options, region->begin_line, text);
		} else {
			fprintf(out, "%*s", text ? LINE_COLUMNS : 0, "");
			put_source(out, annotations[i].name, options->width - MARGIN_COLUMNS);
		}
	}
}

/* A file's regions with the lines around them. */
static void put_file(FILE *out, const struct options *options, struct sources *sources,
    const struct annotations *annotations, const struct annotated_file *file)
{
	struct excerpt excerpt = {0};

	while (excerpt_next(&excerpt, annotations, file, options->context)) {
		if (excerpt.skipped > 0)
			fprintf(out, "%*s%6s\n", MARGIN_COLUMNS, "", "...");
		put_context(out, options, sources, file->path, excerpt.first, excerpt.line - 1);
		put_annotations(out, options, sources,
		    &annotations->annotations[file->first + excerpt.annotation], excerpt.regions);
		put_context(out, options, sources, file->path, excerpt.line + 1, excerpt.last);
	}
}

static void put_text(
    FILE *out, const struct options *options, const struct annotations *annotations)
{
	bool some = options->thread || options->rank;
	struct sources sources = {0};

	for (size_t i = 0; i < annotations->file_count; i++) {
		const struct annotated_file *file = &annotations->files[i];
		const char *known = sources_remark(&sources, file->path, options->path);

		if (i > 0)
			fputc('\n', out);
		put_source(out, file->path, INT32_MAX);
		if (known[0])
			fprintf(out, "(%s)\n", known);
		fprintf(out, MARGIN "%6s\n", "lost", "share", "time", "line");
		put_file(out, options, &sources, annotations, file);
	}
	if (annotations->count == 0)
		fputs("No region has a line.\n", out);
	if (annotations->unplaced > 0)
		fprintf(out, "\n%zu region%s without a line %s not shown.\n", annotations->unplaced,
		    annotations->unplaced == 1 ? "" : "s",
		    annotations->unplaced == 1 ? "is" : "are");
	fprintf(out,
	    "\nlost: thread time that waits took; share: of %s time;\n"
	    "time: of %s, with what is nested in the region\n",
	    some ? "the chosen threads'" : "all threads'",
	    some ? "the chosen threads" : "all threads");
	sources_free(&sources);
}

static int write_sarif(const struct options *options, const struct annotations *annotations)
{
	FILE *out;

	if (!options->sarif)
		return 0;
	out = command_open_output(options->sarif);
	if (!out)
		return 1;
	annotations_write_sarif(out, annotations);
	return command_close_output(out, options->sarif) ? 1 : 0;
}

static bool takes(const void *options, const char *name)
{
	return report_takes_region(options, name);
}

int command_annotate(const struct options *options)
{
	struct annotations annotations;
	struct report report;
	int status = 1;

	if (report_read(&report, options->path, options) == 0) {
		FILE *out = command_open_output(options->output);

		annotations = annotations_collect(&report.summary, &report.figures, takes, options);
		if (out) {
			put_text(out, options, &annotations);
			status = command_close_output(out, options->output) ? 1 : 0;
			status |= write_sarif(options, &annotations);
		}
		annotations_finish(&annotations);
	}
	report_finish(&report);
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport export: converts the selected part of the trace for other viewers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column-files.h"
#include "commands.h"
#include "cube-profile.h"
#include "export-choice.h"
#include "report.h"
#include "samples.h"
#include "streams.h"

/* Viewers of Chrome's JSON read all of it into memory, which takes many times its size. */
#define MANY_SLICES 1000000

static const struct export_format *const formats[] = {
    [TARGET_PERFETTO] = &export_perfetto,
    [TARGET_CHROME] = &export_chrome,
    [TARGET_CSV] = &export_csv,
};

static const struct sample_format *const sample_formats[] = {
    [TARGET_PPROF] = &sample_pprof,
    [TARGET_SPEEDSCOPE] = &sample_speedscope,
    [TARGET_FOLDED] = &sample_folded,
};

static const struct sample_format *sample_format_of(enum export_target target)
{
	return target < sizeof(sample_formats) / sizeof(sample_formats[0]) ? sample_formats[target]
									   : NULL;
}

static void write_slices(struct archive *archive, const struct options *options, FILE *out)
{
	const struct export_choice choice = export_choice_of(options);
	uint64_t slices = export_slices(archive, &choice, out, formats[options->target]);

	if (options->target == TARGET_CHROME && slices > MANY_SLICES)
		fprintf(stream_messages(),
		    "ompreport: %s: %" PRIu64
		    " slices are many for a viewer of this format; use --perfetto, or choose fewer "
		    "with --from, --to, --min-duration, --thread and --region\n",
		    options->path, slices);
}

/* Formats of sums over whole stacks. */
typedef void export_stacks(struct archive *archive, const struct export_choice *choice, FILE *out);

static export_stacks *const stack_formats[] = {
    [TARGET_FLAMEGRAPH] = export_flamegraph,
    [TARGET_HATCHET] = export_hatchet,
    [TARGET_CUBE] = export_cube,
};

static export_stacks *stack_format_of(enum export_target target)
{
	return target < sizeof(stack_formats) / sizeof(stack_formats[0]) ? stack_formats[target]
									 : NULL;
}

static void write_stacks(struct archive *archive, const struct options *options, FILE *out)
{
	const struct export_choice choice = export_choice_of(options);

	stack_format_of(options->target)(archive, &choice, out);
}

static void write_samples(struct archive *archive, const struct options *options, FILE *out)
{
	const struct export_choice choice = export_choice_of(options);

	if (export_samples(archive, &choice, out, sample_format_of(options->target)) == 0)
		fprintf(stream_messages(),
		    "ompreport: %s: there are no samples%s; the output is empty\n", options->path,
		    archive->context_count > 0 ? " in the chosen part" : " in this archive");
}

/* The summary, of the threads that were chosen. */
static int write_metrics(const struct options *options)
{
	struct report report;
	int status = 1;

	if (report_read(&report, options->path, options) == 0) {
		FILE *out = command_open_output(options->output);

		if (out) {
			summary_print(out, &report.summary, SUMMARY_OPENMETRICS, 0, 0);
			status = command_close_output(out, options->output) ? 1 : 0;
		}
	}
	report_finish(&report);
	return status;
}

/* Returns whether the options for choosing apply to the format; otherwise it says why not. */
static bool check_choice(const struct options *options)
{
	static const struct {
		enum export_target target;
		const char *whole;
	} sums[] = {
	    {TARGET_FLAMEGRAPH, "--flamegraph sums up whole stacks"},
	    {TARGET_HATCHET, "--hatchet sums up whole stacks"},
	    {TARGET_CUBE, "--cube sums up whole stacks"},
	    {TARGET_OPENMETRICS, "--openmetrics has all constructs"},
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		if (options->target != sums[i].target ||
		    !(options->region || options->min_duration))
			continue;
		fprintf(stream_messages(),
		    "ompreport export: %s; --region and --min-duration do not apply\n",
		    sums[i].whole);
		return false;
	}
	if (sample_format_of(options->target) && options->min_duration) {
		fputs("ompreport export: a sample has no duration; --min-duration does not apply\n",
		    stream_messages());
		return false;
	}
	return true;
}

/* Writes a folder of columns. */
static int write_columns(const struct options *options)
{
	const struct trace_kind *kind = trace_kind_find(options->columns);
	char *error = NULL;
	int status = 0;

	if (!kind || !options->output || strcmp(options->output, "-") == 0) {
		fprintf(stream_messages(),
		    "ompreport export: --columns='%s': expected " TRACE_KINDS
		    ", and a folder to make: --output=FOLDER; nothing was written\n",
		    options->columns);
		return 2;
	}
	if (!export_choice_suits(kind, options))
		return 2;
	struct columns *columns = export_read_columns(kind, options);

	if (!columns)
		return 1;
	struct ompreport_table *table = columns_finish(columns, 0);

	if (!column_files_write(table, options->output, &error)) {
		fprintf(stream_messages(), "ompreport: %s; the columns are incomplete\n", error);
		status = 1;
	}
	columns_free(table);
	free(error);
	return status;
}

int command_export(const struct options *options)
{
	struct archive *archive;
	int status = 1;
	FILE *out;

	if (options->columns)
		return write_columns(options);
	if (options->target == TARGET_NONE) {
		fputs(
		    "ompreport export: no format: expected --perfetto, --chrome, --flamegraph, --hatchet, --cube, --csv or "
		    "--openmetrics, or --pprof, --speedscope or --folded for samples; nothing was written\n",
		    stream_messages());
		return 2;
	}
	if (!check_choice(options))
		return 2;
	if (options->target == TARGET_OPENMETRICS)
		return write_metrics(options);
	archive = command_open(options->path, options);
	if (!archive)
		return 1;
	/* The progress bar would be mixed with the lines of the output. */
	if (command_prints_to_terminal(options))
		archive->progress = NULL;
	out = command_open_output(options->output);
	if (out) {
		if (stack_format_of(options->target))
			write_stacks(archive, options, out);
		else if (sample_format_of(options->target))
			write_samples(archive, options, out);
		else
			write_slices(archive, options, out);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	command_print_warnings(options->path, archive);
	archive_close(archive);
	return status;
}

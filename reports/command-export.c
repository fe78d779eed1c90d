/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport export: the trace for other viewers. Slices are clipped to --from and --to, which count
 * from the first event, and chosen by thread, region and length before a format sees them.
 */
#include <inttypes.h>

#include "export.h"
#include "report.h"

/* Viewers of Chrome's JSON read all of it into memory, at many times its size. */
#define MANY_SLICES 1000000

struct exporting {
	struct export export;
	const struct export_format *format;
	const struct options *options;
	uint64_t from, to; /* ticks */
	uint64_t shortest;
};

uint64_t export_nanoseconds(const struct export *export, uint64_t ticks)
{
	return (
	    uint64_t)((unsigned __int128)ticks * 1000000000 / export->archive->ticks_per_second);
}

static uint64_t ticks_of(const struct exporting *exporting, uint64_t nanoseconds)
{
	return (uint64_t)((unsigned __int128)nanoseconds *
			  exporting->export.archive->ticks_per_second / 1000000000);
}

static void start(void *context, uint64_t time)
{
	struct exporting *exporting = context;
	const struct options *options = exporting->options;

	exporting->export.origin = time;
	exporting->from = time + ticks_of(exporting, options->from);
	exporting->to = options->to == SUMMARY_NOT_MEASURED
			    ? UINT64_MAX
			    : time + ticks_of(exporting, options->to);
	exporting->shortest = ticks_of(exporting, options->min_duration);
}

/* Formats write a slice when it ends. */
static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	(void)context, (void)location, (void)region, (void)time;
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct exporting *exporting = context;
	struct export *export = &exporting->export;

	if (end - begin < exporting->shortest || end < exporting->from || begin > exporting->to ||
	    (end > begin && (end == exporting->from || begin == exporting->to)) ||
	    !report_takes_thread(exporting->options, export->archive, location) ||
	    !report_takes_region(exporting->options, slices_region_name(export->archive, region)))
		return;
	begin = begin < exporting->from ? exporting->from : begin;
	end = end > exporting->to ? exporting->to : end;
	export->slices++;
	exporting->format->slice(export, location, region, begin, end, depth);
}

static void export_slices(struct archive *archive, const struct options *options, FILE *out,
    const struct export_format *format)
{
	struct exporting exporting = {
	    .export = {.archive = archive, .out = out}, .format = format, .options = options};
	struct slice_sink sink = {&exporting, start, open, close};

	if (format->begin)
		format->begin(&exporting.export);
	slices_read(archive, &sink);
	if (format->end)
		format->end(&exporting.export);
	if (format == &export_chrome && exporting.export.slices > MANY_SLICES)
		fprintf(stderr,
		    "ompreport: %s: %" PRIu64
		    " slices are much for a viewer of this format; --from, "
		    "--to, --min-duration, --thread and --region choose fewer\n",
		    options->path, exporting.export.slices);
}

int command_export(const struct options *options)
{
	struct archive *archive;
	int status = 1;
	FILE *out;

	if (options->target == TARGET_NONE) {
		fputs("ompreport export: which format? see ompreport export --help\n", stderr);
		return 2;
	}
	if (options->target == TARGET_FLAMEGRAPH && (options->region || options->min_duration)) {
		fputs("ompreport export: --flamegraph sums up whole stacks; --region and "
		      "--min-duration do not apply\n",
		    stderr);
		return 2;
	}
	archive = command_open(options->path);
	if (!archive)
		return 1;
	out = command_open_output(options->output);
	if (out) {
		if (options->target == TARGET_FLAMEGRAPH)
			export_flamegraph(archive, options, out);
		else
			export_slices(archive, options, out,
			    options->target == TARGET_CHROME ? &export_chrome : &export_csv);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	command_print_warnings(options->path, archive);
	archive_close(archive);
	return status;
}

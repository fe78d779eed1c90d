/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport export: the trace for other viewers. Slices are clipped to --from and --to, which count
 * from the first event, and chosen by thread, region and length before a format sees them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands.h"
#include "export.h"
#include "memory.h"
#include "message-numbers.h"
#include "report.h"

/* Viewers of Chrome's JSON read all of it into memory, at many times its size. */
#define MANY_SLICES 1000000

/* What is open on a location. */
struct open_slice {
	uint32_t region;
	uint64_t begin;
};

/* A message that is not handed out yet, since the begins around it are not. */
struct pending_message {
	struct export_message message;
	size_t depth; /* of the innermost slice around it, 0: none */
};

struct export_lane {
	struct open_slice *items;
	size_t depth, room;
	size_t begun; /* of them: begins that are written, for formats that write both ends */
	struct pending_message *messages;
	size_t message_count, message_room;
};

struct exporting {
	struct export export;
	const struct export_format *format;
	const struct options *options;
	uint64_t from, to; /* ticks */
	uint64_t shortest;
	bool begun;
	struct export_lane *lanes; /* by location */
	struct message_numbers numbers;
};

static uint64_t ticks_of(const struct exporting *exporting, uint64_t nanoseconds)
{
	return (uint64_t)((unsigned __int128)nanoseconds *
			  exporting->export.archive->ticks_per_second / 1000000000);
}

/* Once the first event is read, the program's name is known. */
static void begin_format(struct exporting *exporting)
{
	if (!exporting->begun && exporting->format->begin)
		exporting->format->begin(&exporting->export);
	exporting->begun = true;
}

static void start(void *context, uint64_t time)
{
	struct exporting *exporting = context;
	const struct options *options = exporting->options;

	exporting->export.origin = time;
	begin_format(exporting);
	exporting->from = time + ticks_of(exporting, options->from);
	exporting->to = options->to == SUMMARY_NOT_MEASURED
			    ? UINT64_MAX
			    : time + ticks_of(exporting, options->to);
	exporting->shortest = ticks_of(exporting, options->min_duration);
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct exporting *exporting = context;
	struct export_lane *lane = &exporting->lanes[location];

	lane->items =
	    memory_grow(lane->items, &lane->room, lane->depth + 1, sizeof(lane->items[0]));
	lane->items[lane->depth++] = (struct open_slice){region, time};
}

static bool takes_region(const struct exporting *exporting, uint32_t region)
{
	return report_takes_region(
	    exporting->options, slices_region_name(exporting->export.archive, region));
}

static bool takes_slice(const struct exporting *exporting, uint32_t location, uint32_t region,
    uint64_t begin, uint64_t end)
{
	/* The filters come first: they note that they took something. */
	return report_takes_thread(exporting->options, exporting->export.archive, location) &&
	       takes_region(exporting, region) && end - begin >= exporting->shortest &&
	       end >= exporting->from && begin <= exporting->to &&
	       (end == begin || (end != exporting->from && begin != exporting->to));
}

static uint64_t clip(const struct exporting *exporting, uint64_t time)
{
	if (time < exporting->from)
		return exporting->from;
	return time > exporting->to ? exporting->to : time;
}

/*
 * Whether a slice is taken is known at its end, and what is around a taken one is at least as long:
 * so its begin is written then, after the begins around it that were not written yet.
 */
static void write_begins(struct exporting *exporting, uint32_t location, struct export_lane *lane)
{
	for (; lane->begun < lane->depth; lane->begun++) {
		const struct open_slice *item = &lane->items[lane->begun];

		if (takes_region(exporting, item->region))
			exporting->format->open(&exporting->export, location, item->region,
			    clip(exporting, item->begin));
	}
}

/* Hands out what happened in slices of that depth and those within. */
static void write_messages(struct exporting *exporting, struct export_lane *lane, size_t depth)
{
	size_t first = lane->message_count;

	while (first > 0 && lane->messages[first - 1].depth >= depth)
		first--;
	for (size_t i = first; i < lane->message_count; i++)
		exporting->format->message(&exporting->export, &lane->messages[i].message);
	lane->message_count = first;
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct exporting *exporting = context;
	struct export *export = &exporting->export;
	struct export_lane *lane = &exporting->lanes[location];
	bool taken = takes_slice(exporting, location, region, begin, end);

	export->slices += taken;
	if (taken && exporting->format->open)
		write_begins(exporting, location, lane);
	/* What is around one that is not taken may be, and takes its messages. */
	if (lane->message_count > 0 && (taken || lane->depth == 1))
		write_messages(exporting, lane, lane->depth);
	if (taken && exporting->format->open)
		exporting->format->close(export, location, clip(exporting, end));
	else if (taken)
		exporting->format->slice(
		    export, location, region, clip(exporting, begin), clip(exporting, end), depth);
	if (lane->begun == lane->depth--)
		lane->begun--;
}

/* Of messages and metrics: by thread and time, and by the region that they are in. */
static bool takes_event(const struct exporting *exporting, const struct archive_event *event)
{
	const struct export_lane *lane = &exporting->lanes[event->location];
	const struct options *options = exporting->options;

	if (event->time < exporting->from || event->time > exporting->to ||
	    !report_takes_thread(options, exporting->export.archive, event->location))
		return false;
	return !options->region ||
	       (lane->depth > 0 && takes_region(exporting, lane->items[lane->depth - 1].region));
}

static void export_message(
    struct exporting *exporting, const struct archive_event *event, uint64_t number)
{
	const struct archive *archive = exporting->export.archive;
	struct export_lane *lane = &exporting->lanes[event->location];
	uint32_t own = archive->locations[event->location].group;
	struct pending_message *pending;

	lane->messages = memory_grow(lane->messages, &lane->message_room, lane->message_count + 1,
	    sizeof(lane->messages[0]));
	pending = &lane->messages[lane->message_count++];
	pending->depth = lane->depth;
	pending->message = (struct export_message){
	    .number = number,
	    .time = event->time,
	    .location = event->location,
	    .peer = archive_member_process(archive, event->subject, event->mpi->peer, own),
	    .tag = event->mpi->tag,
	    .bytes = event->mpi->bytes,
	    .is_sent = message_is_sent(event),
	};
	if (lane->depth == 0)
		write_messages(exporting, lane, 0);
}

static void export_metrics(struct exporting *exporting, const struct archive_event *event)
{
	const struct archive *archive = exporting->export.archive;
	const struct archive_metric_class *class;

	if (event->subject == ARCHIVE_NO_INDEX)
		return;
	class = &archive->metric_classes[event->subject];
	for (uint32_t i = 0; i < class->count; i++) {
		if (class->metrics[i] != ARCHIVE_NO_INDEX)
			exporting->format->counter(&exporting->export, event->location,
			    class->metrics[i], event->time, event->values[i]);
	}
}

static void other_event(void *context, const struct archive_event *event)
{
	struct exporting *exporting = context;
	const struct archive *archive = exporting->export.archive;
	uint64_t number;

	if (event->kind == EVENT_METRIC) {
		if (exporting->format->counter && takes_event(exporting, event))
			export_metrics(exporting, event);
		return;
	}
	/* Those that are not taken count as well. */
	number =
	    exporting->format->message ? message_number(&exporting->numbers, archive, event) : 0;
	if (number > 0 && takes_event(exporting, event))
		export_message(exporting, event, number);
}

static void export_slices(struct archive *archive, const struct options *options, FILE *out,
    const struct export_format *format)
{
	struct exporting exporting = {
	    .export = {.archive = archive, .out = out}, .format = format, .options = options};
	struct slice_sink sink = {&exporting, start, open, close, other_event};

	exporting.lanes = memory_new(archive->location_count, sizeof(exporting.lanes[0]));
	slices_read(archive, &sink);
	begin_format(&exporting); /* of an archive without events */
	if (format->end)
		format->end(&exporting.export);
	for (size_t i = 0; i < archive->location_count; i++) {
		free(exporting.lanes[i].items);
		free(exporting.lanes[i].messages);
	}
	free(exporting.lanes);
	message_numbers_free(&exporting.numbers);
	if (format == &export_chrome && exporting.export.slices > MANY_SLICES)
		fprintf(stderr,
		    "ompreport: %s: %" PRIu64
		    " slices are much for a viewer of this format; take --perfetto, or "
		    "choose fewer with --from, --to, --min-duration, --thread and --region\n",
		    options->path, exporting.export.slices);
}

static const struct export_format *const formats[] = {
    [TARGET_PERFETTO] = &export_perfetto,
    [TARGET_CHROME] = &export_chrome,
    [TARGET_CSV] = &export_csv,
};

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
	/* Its bar would stand between the lines. */
	if (command_prints_to_terminal(options))
		archive->progress = NULL;
	out = command_open_output(options->output);
	if (out) {
		if (options->target == TARGET_FLAMEGRAPH)
			export_flamegraph(archive, options, out);
		else
			export_slices(archive, options, out, formats[options->target]);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	command_print_warnings(options->path, archive);
	archive_close(archive);
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clips slices to the chosen part of time and passes the chosen ones to a format, with the messages
 * and metrics in them.
 */
#include "export.h"

#include <stdlib.h>

#include "memory.h"
#include "message-numbers.h"

/* An open slice of a location. */
struct open_slice {
	uint32_t region;
	uint64_t begin;
};

/* A message that is not written yet, because the begins of the slices around it are not. */
struct pending_message {
	struct export_message message;
	size_t depth; /* of the innermost slice around it; 0: none */
};

struct export_lane {
	struct open_slice *items;
	size_t depth, room;
	size_t begun; /* number of items whose begin is written, for formats that write both ends */
	struct pending_message *messages;
	size_t message_count, message_room;
};

struct exporting {
	struct export export;
	const struct export_format *format;
	const struct export_choice *choice;
	uint64_t from, to; /* ticks */
	uint64_t shortest;
	bool begun;
	struct export_lane *lanes; /* by location */
	struct message_numbers numbers;
	struct sample_stacks stacks;
};

/* The program's name is known once the first event has been read. */
static void begin_format(struct exporting *exporting)
{
	if (!exporting->begun && exporting->format->begin)
		exporting->format->begin(&exporting->export);
	exporting->begun = true;
}

static void start(void *context, uint64_t time)
{
	struct exporting *exporting = context;
	const struct export_choice *choice = exporting->choice;
	const struct archive *archive = exporting->export.archive;

	exporting->export.origin = time;
	begin_format(exporting);
	export_span(archive, choice, time, &exporting->from, &exporting->to);
	exporting->shortest = export_ticks(archive, choice->min_duration);
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct exporting *exporting = context;
	struct export_lane *lane = &exporting->lanes[location];

	*MEMORY_ADD(lane->items, lane->room, lane->depth) = (struct open_slice){region, time};
	sample_stacks_open(&exporting->stacks, location, region, time);
}

static bool takes_region(const struct exporting *exporting, uint32_t region)
{
	const struct export_choice *choice = exporting->choice;

	return !choice->takes_region || choice->takes_region(choice->context,
					    slices_region_name(exporting->export.archive, region));
}

static bool takes_thread(const struct exporting *exporting, uint32_t location)
{
	const struct export_choice *choice = exporting->choice;

	return choice->takes_thread(choice->context, exporting->export.archive, location);
}

static bool takes_slice(const struct exporting *exporting, uint32_t location, uint32_t region,
    uint64_t begin, uint64_t end)
{
	/* Calls the filters first: they record whether they matched anything. */
	return takes_thread(exporting, location) && takes_region(exporting, region) &&
	       end - begin >= exporting->shortest && end >= exporting->from &&
	       begin <= exporting->to &&
	       (end == begin || (end != exporting->from && begin != exporting->to));
}

static uint64_t clip(const struct exporting *exporting, uint64_t time)
{
	if (time < exporting->from)
		return exporting->from;
	return time > exporting->to ? exporting->to : time;
}

/*
 * Only at its end is it known whether a slice is taken, and slices around it are at least as long.
 * Therefore its begin is written then, after those begins around it that are not written yet.
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

/* Writes the messages in slices of that depth or deeper. */
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
	/* If this slice is not taken, one around it may be, together with its messages. */
	if (lane->message_count > 0 && (taken || lane->depth == 1))
		write_messages(exporting, lane, lane->depth);
	if (taken && exporting->format->open)
		exporting->format->close(export, location, clip(exporting, end));
	else if (taken && exporting->format->slice)
		exporting->format->slice(
		    export, location, region, clip(exporting, begin), clip(exporting, end), depth);
	if (lane->begun == lane->depth--)
		lane->begun--;
	sample_stacks_close(&exporting->stacks, location);
}

/* Whether a message or metric is taken: by thread, time, and the region around it. */
static bool takes_event(const struct exporting *exporting, const struct archive_event *event)
{
	const struct export_lane *lane = &exporting->lanes[event->location];

	if (event->time < exporting->from || event->time > exporting->to ||
	    !takes_thread(exporting, event->location))
		return false;
	return !exporting->choice->takes_region ||
	       (lane->depth > 0 && takes_region(exporting, lane->items[lane->depth - 1].region));
}

static void export_message(
    struct exporting *exporting, const struct archive_event *event, uint64_t number)
{
	const struct archive *archive = exporting->export.archive;
	struct export_lane *lane = &exporting->lanes[event->location];
	uint32_t own = archive->locations[event->location].group;
	struct pending_message *pending;

	pending = MEMORY_ADD(lane->messages, lane->message_room, lane->message_count);
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
	if (archive_is_sample(event) && exporting->format->sample && takes_event(exporting, event))
		exporting->format->sample(&exporting->export, event->location,
		    sample_stacks_find(&exporting->stacks, event->location, event->subject),
		    sample_stacks_wait(&exporting->stacks, event->location), event->time);
	sample_stacks_event(&exporting->stacks, event);
	if (!archive_is_mpi_event(event->kind))
		return;
	/* Messages that are not taken are numbered, too. */
	number =
	    exporting->format->message ? message_number(&exporting->numbers, archive, event) : 0;
	if (number > 0 && takes_event(exporting, event))
		export_message(exporting, event, number);
}

uint64_t export_slices(struct archive *archive, const struct export_choice *choice, FILE *out,
    const struct export_format *format)
{
	struct exporting exporting = {
	    .export = {.archive = archive, .out = out}, .format = format, .choice = choice};
	struct slice_sink sink = {&exporting, start, open, close, other_event};

	exporting.lanes = memory_new(archive->location_count, sizeof(exporting.lanes[0]));
	sample_stacks_init(&exporting.stacks, archive, false);
	exporting.export.stacks = &exporting.stacks;
	slices_read(archive, &sink);
	begin_format(&exporting); /* for an archive without events */
	if (format->end)
		format->end(&exporting.export);
	for (size_t i = 0; i < archive->location_count; i++) {
		free(exporting.lanes[i].items);
		free(exporting.lanes[i].messages);
	}
	free(exporting.lanes);
	message_numbers_free(&exporting.numbers);
	sample_stacks_free(&exporting.stacks);
	return exporting.export.slices;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements trace-columns.h: each kind of rows is a format for export, which adds values to
 * columns in place of writing them to a file. Raw events are read as they are in the archive.
 */
#include "trace-columns.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* The columns of each kind, in their order. */
enum { VISIT_THREAD, VISIT_REGION, VISIT_FILE, VISIT_LINE, VISIT_BEGIN, VISIT_END, VISIT_DEPTH };
enum {
	SAMPLE_TIME,
	SAMPLE_THREAD,
	SAMPLE_FUNCTION,
	SAMPLE_FILE,
	SAMPLE_LINE,
	SAMPLE_WAITS,
	SAMPLE_STACK
};
enum {
	MESSAGE_TIME,
	MESSAGE_THREAD,
	MESSAGE_PEER,
	MESSAGE_TAG,
	MESSAGE_BYTES,
	MESSAGE_IS_SENT,
	MESSAGE_NUMBER
};
enum { COUNTER_TIME, COUNTER_THREAD, COUNTER_NAME, COUNTER_VALUE };
enum { EVENT_COLUMN_TIME, EVENT_COLUMN_THREAD, EVENT_COLUMN_KIND, EVENT_REGION, EVENT_OBJECT };
enum { COLUMNS_MOST = 7 };

struct column_row {
	const char *name, *unit;
	int type; /* 0: none */
};

/* What the reading of a trace needs; export gives it to formats as their state. */
struct reading {
	const struct archive *archive;
	const struct trace_kind *kind;
	struct columns *columns;
	struct column *at; /* the first column */
	uint64_t origin;   /* ticks */
	bool begun;
	/* Places of names: of threads and of regions, whose files follow. */
	uint32_t *thread_names, *region_names, *region_files;
	bool *has_node; /* of samples' nodes: its stack has a name */
	uint32_t *node_names;
	size_t node_room, has_node_room;
};

struct trace_kind {
	const char *name;
	struct column_row columns[COLUMNS_MOST];
	struct export_format format; /* without begin, which is the same for all */
};

/* The format's functions get the export, and this the reading that belongs to it. */
static struct reading *now;

static uint64_t since_begin(const struct export *export, uint64_t ticks)
{
	return export_nanoseconds(export, ticks - export->origin);
}

static void put_thread(size_t column, uint32_t location)
{
	column_put_number(&now->at[column], now->thread_names[location]);
}

static void put_visit(struct export *export, uint32_t location, uint32_t region, uint64_t begin,
    uint64_t end, size_t depth)
{
	const struct archive *archive = export->archive;
	bool is_known = region != ARCHIVE_NO_INDEX;
	size_t index = is_known ? region : archive->region_count;

	put_thread(VISIT_THREAD, location);
	column_put_number(&now->at[VISIT_REGION], now->region_names[index]);
	column_put_number(&now->at[VISIT_FILE], now->region_files[index]);
	column_put_number(&now->at[VISIT_LINE], is_known && archive->regions[region].begin_line > 0
						    ? archive->regions[region].begin_line
						    : UINT32_MAX);
	column_put_count(&now->at[VISIT_BEGIN], since_begin(export, begin));
	column_put_count(&now->at[VISIT_END], since_begin(export, end));
	column_put_number(&now->at[VISIT_DEPTH], (uint32_t)depth);
}

/* Returns "main;solve;kernel" for a node of the stacks. */
static char *name_stack(const struct sample_stacks *stacks, uint32_t node)
{
	char *name = memory_copy_text("");

	for (; node != 0; node = stacks->nodes[node].parent) {
		const struct sample_frame *frame = &stacks->frames[stacks->nodes[node].frame];
		char *longer = memory_print(
		    "%s%s%s", sample_frame_name(stacks, frame), name[0] ? ";" : "", name);

		free(name);
		name = longer;
	}
	return name;
}

/* Returns the place of the stack's name in its column. */
static uint32_t stack_place(const struct sample_stacks *stacks, uint32_t node)
{
	MEMORY_GROW(now->has_node, now->has_node_room, (size_t)node + 1);
	MEMORY_GROW(now->node_names, now->node_room, (size_t)node + 1);
	if (!now->has_node[node]) {
		char *name = name_stack(stacks, node);

		now->node_names[node] = column_name_place(&now->at[SAMPLE_STACK], name);
		now->has_node[node] = true;
		free(name);
	}
	return now->node_names[node];
}

static void put_sample(
    struct export *export, uint32_t location, uint32_t node, bool waits, uint64_t time)
{
	const struct sample_stacks *stacks = export->stacks;
	const struct sample_frame *frame = &stacks->frames[stacks->nodes[node].frame];

	column_put_count(&now->at[SAMPLE_TIME], since_begin(export, time));
	put_thread(SAMPLE_THREAD, location);
	column_put_number(&now->at[SAMPLE_FUNCTION],
	    column_name_place(&now->at[SAMPLE_FUNCTION], sample_frame_name(stacks, frame)));
	column_put_number(&now->at[SAMPLE_FILE],
	    frame->file[0] ? column_name_place(&now->at[SAMPLE_FILE], frame->file) : UINT32_MAX);
	column_put_number(&now->at[SAMPLE_LINE], frame->line > 0 ? frame->line : UINT32_MAX);
	column_put_number(&now->at[SAMPLE_WAITS], waits);
	column_put_number(&now->at[SAMPLE_STACK], stack_place(stacks, node));
}

static void put_message(struct export *export, const struct export_message *message)
{
	column_put_count(&now->at[MESSAGE_TIME], since_begin(export, message->time));
	put_thread(MESSAGE_THREAD, message->location);
	column_put_number(&now->at[MESSAGE_PEER], message->peer);
	column_put_number(&now->at[MESSAGE_TAG], message->tag);
	column_put_count(&now->at[MESSAGE_BYTES], message->bytes);
	column_put_number(&now->at[MESSAGE_IS_SENT], message->is_sent);
	column_put_count(&now->at[MESSAGE_NUMBER], message->number);
}

static void put_counter(
    struct export *export, uint32_t location, uint32_t metric, uint64_t time, uint64_t value)
{
	const struct archive_metric *definition = &export->archive->metrics[metric];

	column_put_count(&now->at[COUNTER_TIME], since_begin(export, time));
	put_thread(COUNTER_THREAD, location);
	column_put_number(
	    &now->at[COUNTER_NAME], column_name_place(&now->at[COUNTER_NAME], definition->name));
	column_put_count(&now->at[COUNTER_VALUE],
	    archive_metric_value(definition, value) * (definition->scale ? definition->scale : 1));
}

static const struct trace_kind kinds[] = {
    {"visits",
	{{"thread", "", OMPREPORT_NAME}, {"region", "", OMPREPORT_NAME},
	    {"file", "", OMPREPORT_NAME}, {"line", "", OMPREPORT_NUMBER},
	    {"begin_ns", "ns", OMPREPORT_COUNT}, {"end_ns", "ns", OMPREPORT_COUNT},
	    {"depth", "", OMPREPORT_NUMBER}},
	{.slice = put_visit}},
    {"samples",
	{{"time_ns", "ns", OMPREPORT_COUNT}, {"thread", "", OMPREPORT_NAME},
	    {"function", "", OMPREPORT_NAME}, {"file", "", OMPREPORT_NAME},
	    {"line", "", OMPREPORT_NUMBER}, {"waits", "", OMPREPORT_NUMBER},
	    {"stack", "", OMPREPORT_NAME}},
	{.sample = put_sample}},
    {"messages",
	{{"time_ns", "ns", OMPREPORT_COUNT}, {"thread", "", OMPREPORT_NAME},
	    {"peer", "", OMPREPORT_NUMBER}, {"tag", "", OMPREPORT_NUMBER},
	    {"bytes", "", OMPREPORT_COUNT}, {"is_sent", "", OMPREPORT_NUMBER},
	    {"number", "", OMPREPORT_COUNT}},
	{.message = put_message}},
    {"counters",
	{{"time_ns", "ns", OMPREPORT_COUNT}, {"thread", "", OMPREPORT_NAME},
	    {"counter", "", OMPREPORT_NAME}, {"value", "", OMPREPORT_COUNT}},
	{.counter = put_counter}},
    {"events",
	{{"time_ns", "ns", OMPREPORT_COUNT}, {"thread", "", OMPREPORT_NAME},
	    {"kind", "", OMPREPORT_NAME}, {"region", "", OMPREPORT_NAME},
	    {"object", "", OMPREPORT_COUNT}},
	{NULL}},
};

static bool has_column(const struct trace_kind *kind, size_t column, const char *name)
{
	return kind->columns[column].name && strcmp(kind->columns[column].name, name) == 0;
}

/* Returns the column with that name, or NULL. */
static struct column *find_column(const struct reading *reading, const char *name)
{
	for (size_t i = 0; i < reading->columns->item_count; i++) {
		if (has_column(reading->kind, i, name))
			return &reading->at[i];
	}
	return NULL;
}

/* Gives places to the names that are known before events are read. */
static void place_names(struct reading *reading)
{
	const struct archive *archive = reading->archive;
	struct column *threads = find_column(reading, "thread");
	struct column *regions = find_column(reading, "region");
	struct column *files = find_column(reading, "file");

	reading->thread_names = memory_new(archive->location_count, sizeof(uint32_t));
	reading->region_names = memory_new(archive->region_count + 1, sizeof(uint32_t));
	reading->region_files = memory_new(archive->region_count + 1, sizeof(uint32_t));
	for (size_t i = 0; i < archive->location_count; i++)
		reading->thread_names[i] = column_name_place(threads, archive->locations[i].label);
	for (size_t i = 0; regions && i <= archive->region_count; i++) {
		bool is_known = i < archive->region_count;
		const char *file = is_known ? archive->regions[i].file : "";

		reading->region_names[i] = column_name_place(regions,
		    slices_region_name(archive, is_known ? (uint32_t)i : ARCHIVE_NO_INDEX));
		reading->region_files[i] =
		    files && file[0] ? column_name_place(files, file) : UINT32_MAX;
	}
}

static void begin(struct reading *reading)
{
	reading->columns = columns_new();
	for (size_t i = 0; i < COLUMNS_MOST && reading->kind->columns[i].name; i++) {
		const struct column_row *row = &reading->kind->columns[i];

		columns_add(reading->columns, row->name, row->unit, row->type);
	}
	reading->at = reading->columns->items;
	place_names(reading);
}

static void put_event(void *context, const struct archive_event *event)
{
	struct reading *reading = context;
	const struct archive *archive = reading->archive;
	struct column *at = reading->at;
	bool has_region = event->kind == EVENT_ENTER || event->kind == EVENT_LEAVE;
	bool has_lock = event->kind == EVENT_ACQUIRE || event->kind == EVENT_RELEASE;
	bool has_task = event->kind >= EVENT_TASK_CREATE && event->kind <= EVENT_TASK_COMPLETE;
	size_t region = event->subject == ARCHIVE_NO_INDEX ? archive->region_count : event->subject;

	if (!reading->begun)
		reading->origin = event->time;
	reading->begun = true;
	column_put_count(
	    &at[EVENT_COLUMN_TIME], (uint64_t)((unsigned __int128)(event->time - reading->origin) *
					       1000000000 / archive->ticks_per_second));
	column_put_number(&at[EVENT_COLUMN_THREAD], reading->thread_names[event->location]);
	column_put_number(&at[EVENT_COLUMN_KIND], event->kind);
	column_put_number(
	    &at[EVENT_REGION], has_region ? reading->region_names[region] : UINT32_MAX);
	column_put_count(&at[EVENT_OBJECT], has_lock ? event->subject
					    : has_task
						? (uint64_t)event->creator << 32 | event->generation
						: UINT64_MAX);
}

static void read_events(struct reading *reading, struct archive *archive)
{
	for (size_t i = 0; i < EVENT_KINDS; i++)
		column_name_place(&reading->at[EVENT_COLUMN_KIND], archive_event_names[i]);
	archive_for_each_event(archive, put_event, reading);
}

const struct trace_kind *trace_kind_find(const char *word)
{
	for (size_t i = 0; word && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(word, kinds[i].name) == 0)
			return &kinds[i];
	}
	return NULL;
}

bool trace_kind_chooses(const struct trace_kind *kind)
{
	return kind->format.slice || kind->format.sample || kind->format.message ||
	       kind->format.counter;
}

struct columns *trace_columns_read(
    const struct trace_kind *kind, struct archive *archive, const struct export_choice *choice)
{
	struct reading reading = {.archive = archive, .kind = kind};

	begin(&reading);
	now = &reading;
	if (trace_kind_chooses(kind))
		export_slices(archive, choice, NULL, &kind->format);
	else
		read_events(&reading, archive);
	now = NULL;
	free(reading.thread_names);
	free(reading.region_names);
	free(reading.region_files);
	free(reading.has_node);
	free(reading.node_names);
	return reading.columns;
}

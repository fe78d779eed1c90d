/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a log line by line; lines of later versions are skipped, and so is a line without an end.
 */
#include "sharing-reports.h"

#include "sharing-format.h"

#include <stdlib.h>
#include <string.h>

/* The words of one line, of which each is read once, from left to right. */
struct log_line {
	const char *at; /* NULL: behind the last */
};

static const char *next_word(struct log_line *line, size_t *length)
{
	const char *word = line->at != NULL ? line->at : "";

	*length = strcspn(word, "\t");
	line->at = word[*length] == '\t' ? word + *length + 1 : NULL;
	return word;
}

static uint64_t next_number(struct log_line *line, int base)
{
	size_t length;

	return strtoull(next_word(line, &length), NULL, base);
}

static bool next_is(struct log_line *line, const char *expected)
{
	struct log_line after = *line;
	size_t length;
	const char *word = next_word(&after, &length);

	if (length != strlen(expected) || memcmp(word, expected, length) != 0)
		return false;
	*line = after;
	return true;
}

/* While a log is read: the line that has begun, and its last share. */
struct reading {
	struct sharing_reports *reports;
	struct sharing_line line;
	struct sharing_moved moved; /* in place of the line, whose place is its own */
	bool is_open, is_moved, is_complete;
};

/* What is behind a return address belongs to the next instruction. */
static struct race_frame next_frame(struct inst_arena *arena, struct log_line *line)
{
	const uint64_t offset = next_number(line, 16);

	return (struct race_frame){
	    line->at != NULL ? arena_copy(arena, line->at, strlen(line->at)) : "-",
	    offset > 0 ? offset - 1 : 0};
}

static void read_run(struct sharing_reports *reports, struct log_line *line)
{
	const double wall = 1e-9 * (double)next_number(line, 10);

	reports->wall = wall > reports->wall ? wall : reports->wall;
	reports->processor += 1e-9 * (double)next_number(line, 10);
	const uint64_t calls = next_number(line, 10);
	reports->calls += calls;
	reports->call = 1e-12 * (double)next_number(line, 10);
	reports->overhead += reports->call * (double)calls;
	reports->ticks = 1e6 * (double)next_number(line, 10);
	reports->threads += (unsigned)next_number(line, 10);
	(void)next_number(line, 10);
	reports->refused += next_number(line, 10);
	reports->recorded = 1e-12 * (double)next_number(line, 10);
	reports->processes++;
}

static enum race_place_kind next_kind(struct log_line *line)
{
	static const struct {
		const char *word;
		enum race_place_kind kind;
	} kinds[] = {{SHARING_GLOBAL, RACE_PLACE_GLOBAL}, {SHARING_HEAP, RACE_PLACE_HEAP},
	    {SHARING_STACK, RACE_PLACE_STACK}, {SHARING_UNKNOWN, RACE_PLACE_UNKNOWN}};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (next_is(line, kinds[i].word))
			return kinds[i].kind;
	return RACE_PLACE_UNKNOWN;
}

/* The rest of a line's first words; the line is open then. */
static void read_place(struct reading *reading, struct log_line *line)
{
	struct inst_arena *arena = reading->reports->arena;
	struct sharing_line *read = &reading->line;

	reading->is_moved = false;
	read->place.kind = next_kind(line);
	read->place.start = next_number(line, 16);
	read->place.size = next_number(line, 10);
	read->place.offset = next_number(line, 16);
	if (line->at != NULL && read->place.kind == RACE_PLACE_GLOBAL)
		read->place.module = arena_copy(arena, line->at, strlen(line->at));
	reading->is_open = true;
}

static void read_line(struct reading *reading, struct log_line *line)
{
	struct sharing_line *read = &reading->line;

	*read = (struct sharing_line){.address = next_number(line, 16)};
	read->false_transfers = next_number(line, 10);
	read->true_transfers = next_number(line, 10);
	read->epochs = next_number(line, 10);
	read->accesses = next_number(line, 10);
	read->ticks = next_number(line, 10);
	read->timed = next_number(line, 10);
	read->calls = next_number(line, 10);
	read->common = next_number(line, 16);
	read_place(reading, line);
}

static void read_near(struct reading *reading, struct log_line *line)
{
	struct sharing_line *read = &reading->line;

	*read = (struct sharing_line){.address = next_number(line, 16), .is_near = true};
	read->second = (unsigned)next_number(line, 10);
	read->distance = (unsigned)next_number(line, 10);
	const unsigned before = (unsigned)next_number(line, 10);
	const unsigned behind = (unsigned)next_number(line, 10);
	read->in_row = before < behind ? before : behind;
	read_place(reading, line);
}

static void read_array(struct reading *reading, struct log_line *line)
{
	struct sharing_line *read = &reading->line;

	*read = (struct sharing_line){.is_array = true};
	read->array.blocks = next_number(line, 10);
	read->array.bytes = next_number(line, 10);
	read->array.nodes = next_number(line, 10);
	read->array.placed = next_number(line, 10);
	read->array.remote = next_number(line, 10);
	read_place(reading, line);
}

static void read_share(struct reading *reading, struct log_line *line)
{
	struct sharing_line *of = &reading->line;

	struct sharing_share *share =
	    ARENA_ADD(reading->reports->arena, of->shares, of->count, of->room);
	*share = (struct sharing_share){.thread = (int)next_number(line, 10)};
	share->member = (int)(int64_t)next_number(line, 10);
	share->reads = next_number(line, 10);
	share->writes = next_number(line, 10);
	share->atomics = next_number(line, 10);
	share->seldom = next_number(line, 10);
	share->bytes_read = next_number(line, 16);
	share->bytes_written = next_number(line, 16);
}

static void read_site(struct reading *reading, struct log_line *line)
{
	struct inst_arena *arena = reading->reports->arena;

	if (reading->line.count == 0)
		return;
	struct sharing_share *share = &reading->line.shares[reading->line.count - 1];
	struct sharing_site *site = ARENA_ADD(arena, share->sites, share->count, share->room);
	site->reads = next_number(line, 10);
	site->writes = next_number(line, 10);
	site->frame = next_frame(arena, line);
}

/* The share that was read last, or NULL. */
static struct sharing_share *last_share(struct reading *reading)
{
	struct sharing_line *line = &reading->line;

	return line->count > 0 ? &line->shares[line->count - 1] : NULL;
}

static void read_pages(struct reading *reading, struct log_line *line)
{
	static const char *const kinds[] = {[SHARING_PAGES_SERIAL] = "serial",
	    [SHARING_PAGES_TEAM] = "team",
	    [SHARING_PAGES_OWN] = "own",
	    [SHARING_PAGES_OWN_SHARED] = "own-shared",
	    [SHARING_PAGES_OTHERS] = "others",
	    [SHARING_PAGES_OTHERS_SHARED] = "others-shared"};
	const size_t kind_count = sizeof kinds / sizeof kinds[0];
	struct inst_arena *arena = reading->reports->arena;
	struct sharing_share *share = last_share(reading);
	size_t kind = 0;

	while (kind < kind_count && !next_is(line, kinds[kind]))
		kind++;
	if (share == NULL || kind == kind_count)
		return;
	struct sharing_pages *pages =
	    ARENA_ADD(arena, share->pages, share->pages_count, share->pages_room);
	*pages = (struct sharing_pages){.kind = (enum sharing_pages_kind)kind};
	pages->count = next_number(line, 10);
	pages->writes = next_number(line, 10) != 0;
	pages->frame = next_frame(arena, line);
}

static void read_caller(struct reading *reading, struct log_line *line)
{
	struct inst_arena *arena = reading->reports->arena;
	const struct sharing_share *share = last_share(reading);

	if (share == NULL || share->pages_count == 0)
		return;
	const struct race_frame frame = next_frame(arena, line);
	race_stack_add(arena, &share->pages[share->pages_count - 1].callers, frame.module,
	    strlen(frame.module), frame.offset);
}

static void read_moved(struct reading *reading, struct log_line *line)
{
	struct sharing_moved *read = &reading->moved;

	reading->line = (struct sharing_line){.address = next_number(line, 16)};
	*read = (struct sharing_moved){.uses = next_number(line, 10)};
	read->moved = next_number(line, 10);
	read->epochs = next_number(line, 10);
	read->flags = (unsigned)next_number(line, 10);
	read->members = next_number(line, 16);
	read_place(reading, line);
	reading->is_moved = true;
}

static void read_role(struct reading *reading, struct log_line *line)
{
	const uint64_t role = next_number(line, 10);

	if (role < SHARING_ROLES)
		reading->moved.frames[role] = next_frame(reading->reports->arena, line);
}

static void end_moved(struct reading *reading)
{
	struct sharing_reports *reports = reading->reports;

	if (reading->moved.frames[SHARING_NOW].module == NULL)
		return;
	reading->moved.place = reading->line.place;
	*ARENA_ADD(reports->arena, reports->moved, reports->moved_count, reports->moved_room) =
	    reading->moved;
}

static void read_tasks(struct sharing_reports *reports, struct log_line *line)
{
	struct sharing_tasks *read =
	    ARENA_ADD(reports->arena, reports->tasks, reports->tasks_count, reports->tasks_room);
	*read = (struct sharing_tasks){.completed = next_number(line, 10)};
	read->stolen = next_number(line, 10);
	read->frame = next_frame(reports->arena, line);
}

static void end_line(struct reading *reading)
{
	struct sharing_reports *reports = reading->reports;

	reading->is_open = false;
	if (reading->line.is_array) {
		*ARENA_ADD(reports->arena, reports->arrays, reports->array_count,
		    reports->array_room) = reading->line;
		return;
	}
	if (reading->is_moved) {
		end_moved(reading);
		return;
	}
	*ARENA_ADD(reports->arena, reports->lines, reports->count, reports->room) = reading->line;
}

static void take_line(void *context, const char *text)
{
	struct reading *reading = context;
	struct log_line line = {text};
	struct inst_arena *arena = reading->reports->arena;

	if (next_is(&line, SHARING_RUN)) {
		read_run(reading->reports, &line);
	} else if (next_is(&line, SHARING_LINE)) {
		read_line(reading, &line);
	} else if (next_is(&line, SHARING_NEAR)) {
		read_near(reading, &line);
	} else if (next_is(&line, SHARING_MOVE)) {
		read_moved(reading, &line);
	} else if (next_is(&line, SHARING_TASKS)) {
		read_tasks(reading->reports, &line);
	} else if (next_is(&line, SHARING_REFUSED)) {
		reading->reports->refusing++;
	} else if (next_is(&line, SHARING_DONE)) {
		reading->is_complete = true;
	} else if (next_is(&line, SHARING_ARRAY)) {
		read_array(reading, &line);
	} else if (!reading->is_open) {
		return;
	} else if (next_is(&line, SHARING_FRAME)) {
		const struct race_frame frame = next_frame(arena, &line);
		race_stack_add(arena, &reading->line.place.allocated, frame.module,
		    strlen(frame.module), frame.offset);
	} else if (next_is(&line, SHARING_PLACE)) {
		read_role(reading, &line);
	} else if (next_is(&line, SHARING_SHARE)) {
		read_share(reading, &line);
	} else if (next_is(&line, SHARING_SITE)) {
		read_site(reading, &line);
	} else if (next_is(&line, SHARING_PAGES)) {
		read_pages(reading, &line);
	} else if (next_is(&line, SHARING_CALLER)) {
		read_caller(reading, &line);
	} else if (next_is(&line, SHARING_END)) {
		end_line(reading);
	}
}

const char *sharing_log_read(struct sharing_reports *reports, const char *text, size_t length)
{
	struct reading reading = {.reports = reports};

	if (length > 0 && strncmp(text, SHARING_VERSION "\n", strlen(SHARING_VERSION "\n")) != 0)
		return "does not begin with '" SHARING_VERSION "'";
	race_text_lines(reports->arena, text, length, take_line, &reading);
	reports->unfinished += !reading.is_complete;
	return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds up the counts of moved lines by objects and constructs, and says why lines move. A construct
 * is the innermost one around the access that divides work or executes it: in the access's own
 * line, in one of the lines that call the inlined code, or else the region of the thread's team.
 */
#include "moved-data.h"

#include "race-findings.h"

#include "sharing-format.h"

#include <stdlib.h>
#include <string.h>

enum {
	FEWEST_EXECUTIONS = 3,
	LEAST_PERCENT = 10,
	LEAST_LINES = (1 << 20) / SHARING_LINE_BYTES,
	FEW_PERCENT = 2, /* of lines that count as none */
	MOST_LINES = 16, /* of inlined code at one instruction */
};

struct making {
	struct race_sources *sources;
	struct race_code *code;
	const struct sharing_reports *reports;
	struct sharing_finding *items; /* all, also those that are left out */
	size_t count, room;
};

static bool divides_work(const struct race_construct *construct)
{
	static const enum construct_id ids[] = {CONSTRUCT_FOR, CONSTRUCT_LOOP, CONSTRUCT_SECTIONS,
	    CONSTRUCT_SINGLE, CONSTRUCT_MASKED, CONSTRUCT_MASTER, CONSTRUCT_TASK,
	    CONSTRUCT_TASKLOOP, CONSTRUCT_PARALLEL};

	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
		if (race_construct_has(construct, ids[i]))
			return true;
	return false;
}

/* The construct around a line; false: none. */
static bool find_around(struct making *making, const char *file, int line, struct moved_side *side)
{
	const struct race_text *text = race_source_text(making->sources, file);
	int index = race_source_construct(text, line);

	while (index >= 0 && !divides_work(&text->constructs[index]))
		index = text->constructs[index].parent;
	if (index < 0)
		return false;
	side->text = text;
	side->construct = &text->constructs[index];
	return true;
}

/* The innermost construct around an instruction, through inlined code; false: none. */
static bool find_construct(
    struct making *making, const struct race_frame *frame, struct moved_side *side)
{
	struct race_line lines[MOST_LINES];
	const size_t count =
	    race_code_lines(making->code, frame->module, frame->offset, lines, MOST_LINES);

	for (size_t i = 0; i < count; i++)
		if (lines[i].file != NULL && !race_is_system_header(lines[i].file) &&
		    find_around(making, lines[i].file, lines[i].line, side))
			return true;
	return false;
}

/* Fills in the source of an instruction, and what it accesses there. */
static void find_place(
    struct making *making, const struct race_frame *frame, bool writes, struct sharing_place *place)
{
	sharing_find_source(making->sources, making->code, frame, place);
	sharing_find_expression(making->sources, place, writes, NULL);
	sharing_find_expression(making->sources, place, !writes, NULL);
}

static struct moved_side find_side(struct making *making, const struct sharing_moved *moved,
    enum sharing_role role, enum sharing_role region, bool writes)
{
	const struct race_frame *frame = &moved->frames[role];
	struct moved_side side = {
	    .is_serial = (moved->flags &
			     (role == SHARING_NOW ? SHARING_TO_SERIAL : SHARING_FROM_SERIAL)) != 0};

	find_place(making, frame, writes, &side.place);
	/* The text may have a construct that this build leaves out. */
	if (side.is_serial && moved->frames[region].module == NULL)
		return side;
	if (!find_construct(making, frame, &side) && moved->frames[region].module != NULL)
		find_construct(making, &moved->frames[region], &side);
	return side;
}

/* One construct, or without one the same line, or code outside of regions. */
static bool is_same_side(const struct moved_side *one, const struct moved_side *other)
{
	if (one->construct != NULL || other->construct != NULL)
		return one->construct == other->construct;
	if (one->place.line.file == NULL || other->place.line.file == NULL)
		return one->place.line.file == other->place.line.file;
	return one->is_serial == other->is_serial &&
	       strcmp(one->place.line.file, other->place.line.file) == 0 &&
	       (one->is_serial || one->place.line.line == other->place.line.line);
}

/* What the memory is; without a name, nothing. */
static void name_object(
    struct making *making, const struct sharing_moved *moved, struct sharing_finding *finding)
{
	struct inst_arena *arena = making->sources->arena;

	finding->place = moved->place;
	if (moved->place.kind == RACE_PLACE_HEAP) {
		finding->key =
		    sharing_heap_key(arena, making->code, &moved->place, &finding->allocated);
	} else if (moved->place.kind == RACE_PLACE_GLOBAL &&
		   race_code_variable(making->code, moved->place.module, moved->place.offset,
		       &finding->variable) &&
		   finding->variable.whole != NULL) {
		finding->base = finding->variable.whole;
		finding->key = arena_format(arena, "static\t%s\t%s\t%d", finding->variable.whole,
		    finding->variable.file != NULL ? finding->variable.file : "",
		    finding->variable.line);
	} else {
		finding->key = "other";
	}
}

static struct sharing_finding *find_finding(
    struct making *making, const struct sharing_moved *moved, const struct moved_side *now)
{
	struct inst_arena *arena = making->sources->arena;
	struct sharing_finding finding = {.kind = SHARING_MOVED};

	name_object(making, moved, &finding);
	for (size_t i = 0; i < making->count; i++)
		if (strcmp(making->items[i].key, finding.key) == 0 &&
		    is_same_side(&making->items[i].moved->now, now))
			return &making->items[i];
	finding.moved = arena_allocate(arena, sizeof *finding.moved);
	finding.moved->now = *now;
	struct sharing_finding *added =
	    ARENA_ADD(arena, making->items, making->count, making->room);
	*added = finding;
	return added;
}

static void add_before(
    struct making *making, struct moved_data *data, const struct sharing_moved *moved)
{
	const struct moved_side side =
	    find_side(making, moved, SHARING_BEFORE, SHARING_REGION_BEFORE, false);
	size_t i = 0;

	while (i < data->before_count && !is_same_side(&data->before[i].side, &side))
		i++;
	if (i == data->before_count) {
		*ARENA_ADD(making->sources->arena, data->before, data->before_count,
		    data->before_room) = (struct moved_before){.side = side};
	}
	data->before[i].moved += moved->moved;
}

static void add_place(struct making *making, struct sharing_finding *finding,
    const struct moved_side *now, const struct sharing_moved *moved)
{
	const bool writes = (moved->flags & SHARING_BY_WRITE) != 0;
	struct sharing_place *place =
	    sharing_find_place(making->sources->arena, finding, &now->place);

	place->reads += writes ? 0 : moved->uses;
	place->writes += writes ? moved->uses : 0;
	place->members |= moved->members;
}

static void add(struct making *making, const struct sharing_moved *moved)
{
	const bool writes = (moved->flags & SHARING_BY_WRITE) != 0;
	const struct moved_side now = find_side(making, moved, SHARING_NOW, SHARING_REGION, writes);
	struct sharing_finding *finding = find_finding(making, moved, &now);
	struct moved_data *data = finding->moved;

	if ((moved->flags & SHARING_TAKEN_BACK) != 0) {
		data->taken_back += moved->moved;
		return;
	}
	data->uses += moved->uses;
	data->moved += moved->moved;
	data->in_tasks += (moved->flags & SHARING_TO_TASK) != 0 ? moved->moved : 0;
	data->in_stolen += (moved->flags & SHARING_TO_STOLEN) != 0 ? moved->moved : 0;
	data->from_tasks += (moved->flags & SHARING_FROM_TASK) != 0 ? moved->moved : 0;
	data->by_chunks +=
	    (moved->flags & (SHARING_FROM_CHUNKS | SHARING_TO_CHUNKS)) != 0 ? moved->moved : 0;
	finding->members |= moved->members;
	if (finding->base == NULL && now.place.expression != NULL)
		finding->base = race_expression_base(making->sources->arena, now.place.expression);
	add_place(making, finding, &now, moved);
	if (moved->moved == 0)
		return;
	if (moved->epochs > data->executions)
		data->executions = moved->epochs;
	add_before(making, data, moved);
}

/* Tasks are created in the line of their construct. */
static void add_tasks(struct making *making, const struct sharing_tasks *tasks)
{
	struct moved_side side = {0};

	if (!find_construct(making, &tasks->frame, &side))
		return;
	for (size_t i = 0; i < making->count; i++)
		if (making->items[i].moved->now.construct == side.construct) {
			making->items[i].moved->tasks += tasks->completed;
			making->items[i].moved->stolen += tasks->stolen;
		}
}

const char *moved_schedule(const struct moved_side *side)
{
	const struct race_construct *construct = side->construct;

	if (construct == NULL || !race_construct_has(construct, CONSTRUCT_FOR))
		return NULL;
	for (size_t i = 0; i < construct->clauses.count; i++)
		if (construct->clauses.clauses[i].rule == NULL)
			return NULL;
	const struct clause *clause = find_clause(&construct->clauses, "schedule");
	return clause != NULL && clause->arguments != NULL ? clause->arguments : "";
}

bool moved_is_of_tasks(const struct moved_data *data)
{
	return data->in_tasks * 2 > data->moved;
}

/* Does the schedule give each thread the same iterations in each execution? */
static bool is_static(const char *schedule)
{
	return schedule[0] == '\0' || strstr(schedule, "static") != NULL ||
	       strstr(schedule, "STATIC") != NULL;
}

static bool is_of_one_thread(const struct moved_side *side)
{
	static const enum construct_id ids[] = {
	    CONSTRUCT_SINGLE, CONSTRUCT_MASKED, CONSTRUCT_MASTER};

	if (side->is_serial || side->construct == NULL)
		return side->is_serial;
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
		if (race_construct_has(side->construct, ids[i]))
			return true;
	return false;
}

/* The line of the loop behind a directive, without blanks; NULL: it is not found. */
static const char *loop_line(struct making *making, const struct moved_side *side)
{
	const struct race_text *text = side->text;
	const char *word = text->is_fortran ? "do" : "for";

	for (int line = side->construct->line + 1;
	     line <= side->construct->end && line <= text->line_count; line++) {
		struct inst_buffer buffer = {.arena = making->sources->arena};
		const char *at = text->code[line - 1];
		at += strspn(at, " \t");
		if (strncmp(at, word, strlen(word)) != 0 && strncmp(at, "DO", 2) != 0)
			continue;
		buffer_add_string(&buffer, "");
		for (; *at != '\0' && *at != '{'; at++)
			if (*at != ' ' && *at != '\t')
				buffer_add(&buffer, at, 1);
		return buffer.data;
	}
	return NULL;
}

static enum moved_cause cause_of(struct making *making, const struct moved_data *data)
{
	const struct moved_side *now = &data->now, *before = &data->before[0].side;
	const char *schedules[] = {moved_schedule(now), moved_schedule(before)};

	if (moved_is_of_tasks(data) || data->from_tasks * 2 > data->moved)
		return MOVED_BY_TASKS;
	if (is_of_one_thread(now) || is_of_one_thread(before))
		return MOVED_BY_ONE_THREAD;
	if (data->by_chunks * 2 > data->moved)
		return MOVED_BY_CHUNKS;
	if (schedules[0] == NULL || schedules[1] == NULL || !is_static(schedules[0]) ||
	    !is_static(schedules[1]))
		return MOVED_UNKNOWN;
	if (strcmp(schedules[0], schedules[1]) != 0)
		return MOVED_BY_SCHEDULES;
	const char *now_line = loop_line(making, now), *before_line = loop_line(making, before);
	if (now_line == NULL || before_line == NULL)
		return MOVED_UNKNOWN;
	return strcmp(now_line, before_line) != 0 ? MOVED_BY_BOUNDS : MOVED_BY_ELEMENTS;
}

static int compare_before(const void *left, const void *right)
{
	const struct moved_before *first = left, *second = right;

	if (first->moved != second->moved)
		return first->moved < second->moved ? 1 : -1;
	return first->side.place.line.line - second->side.place.line.line;
}

static int compare_places(const void *left, const void *right)
{
	const struct sharing_place *first = left, *second = right;

	return first->line.line - second->line.line;
}

/* Lines that were shared in their interval count as used only. */
static void take_back(struct moved_data *data)
{
	const uint64_t taken = data->taken_back < data->moved ? data->taken_back : data->moved;
	const double rest =
	    data->moved > 0 ? (double)(data->moved - taken) / (double)data->moved : 0;

	for (size_t i = 0; i < data->before_count; i++)
		data->before[i].moved = (uint64_t)(rest * (double)data->before[i].moved);
	data->moved -= taken;
	data->in_tasks = (uint64_t)(rest * (double)data->in_tasks);
	data->in_stolen = (uint64_t)(rest * (double)data->in_stolen);
	data->from_tasks = (uint64_t)(rest * (double)data->from_tasks);
	data->by_chunks = (uint64_t)(rest * (double)data->by_chunks);
}

static bool is_worth_it(const struct moved_data *data)
{
	return data->before_count > 0 && data->executions >= FEWEST_EXECUTIONS &&
	       data->moved >= LEAST_LINES && data->moved * 100 >= data->uses * LEAST_PERCENT;
}

/* Another loop of the same data with a fixed schedule, whose lines stay with their threads. */
static const struct moved_data *find_staying(
    const struct making *making, const struct sharing_finding *finding)
{
	for (size_t i = 0; i < making->count; i++) {
		const struct moved_data *data = making->items[i].moved;
		const char *schedule = moved_schedule(&data->now);
		if (strcmp(making->items[i].key, finding->key) == 0 && schedule != NULL &&
		    is_static(schedule) && data->uses >= LEAST_LINES &&
		    data->moved * 100 < data->uses * FEW_PERCENT &&
		    data->now.construct != finding->moved->now.construct)
			return data;
	}
	return NULL;
}

static void finish(struct making *making, struct sharing_finding *finding)
{
	struct moved_data *data = finding->moved;

	qsort(data->before, data->before_count, sizeof *data->before, compare_before);
	qsort(finding->places, finding->place_count, sizeof *finding->places, compare_places);
	data->cause = cause_of(making, data);
	data->stays = data->cause == MOVED_BY_CHUNKS ? find_staying(making, finding) : NULL;
}

static int compare_findings(const void *left, const void *right)
{
	const struct sharing_finding *first = left, *second = right;

	if (first->moved->moved != second->moved->moved)
		return first->moved->moved < second->moved->moved ? 1 : -1;
	return strcmp(first->key, second->key);
}

size_t moved_data_add(struct race_sources *sources, struct race_code *code,
    const struct sharing_reports *reports, struct sharing_findings *findings)
{
	struct making making = {.sources = sources, .code = code, .reports = reports};
	const size_t before = findings->count;

	for (size_t i = 0; i < reports->moved_count; i++)
		add(&making, &reports->moved[i]);
	for (size_t i = 0; i < reports->tasks_count; i++)
		add_tasks(&making, &reports->tasks[i]);
	for (size_t i = 0; i < making.count; i++)
		take_back(making.items[i].moved);
	for (size_t i = 0; i < making.count; i++) {
		if (!is_worth_it(making.items[i].moved))
			continue;
		finish(&making, &making.items[i]);
		*ARENA_ADD(sources->arena, findings->items, findings->count, findings->room) =
		    making.items[i];
	}
	if (findings->count > before)
		qsort(&findings->items[before], findings->count - before, sizeof *findings->items,
		    compare_findings);
	return findings->count - before;
}

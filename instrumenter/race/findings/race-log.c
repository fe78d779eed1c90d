/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the log of the preloaded library line by line, in the format of shared/race-log.h. A
 * process can be killed after any byte, so a report counts as complete only after its last line.
 */
#include "race-reports.h"

#include "shared/race-log.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 9 };

/* The words of one line; the last word contains the rest of the line, including tabs. */
struct line {
	const char *word[MOST_WORDS];
	size_t length[MOST_WORDS];
	size_t count;
};

static struct line split(const char *text, size_t length)
{
	struct line line = {.count = 0};

	while (line.count < MOST_WORDS) {
		const char *tab = memchr(text, '\t', length);
		size_t word = tab != NULL ? (size_t)(tab - text) : length;
		line.word[line.count] = text;
		line.length[line.count++] = word;
		if (tab == NULL)
			break;
		text += word + 1;
		length -= word + 1;
	}
	return line;
}

static bool is(const struct line *line, size_t index, const char *word)
{
	return index < line->count && line->length[index] == strlen(word) &&
	       memcmp(line->word[index], word, line->length[index]) == 0;
}

/* The value of a word; false if it is not a number. */
static bool number(const struct line *line, size_t index, int base, int64_t *value)
{
	char digits[24], *end;

	if (index >= line->count || line->length[index] == 0 ||
	    line->length[index] >= sizeof digits)
		return false;
	memcpy(digits, line->word[index], line->length[index]);
	digits[line->length[index]] = '\0';
	*value =
	    digits[0] == '-' ? strtoll(digits, &end, base) : (int64_t)strtoull(digits, &end, base);
	return *end == '\0';
}

/* The word's index in the list, which ends with NULL, or -1. */
static int choice(const struct line *line, size_t index, const char *const *words)
{
	for (int i = 0; words[i] != NULL; i++)
		if (is(line, index, words[i]))
			return i;
	return -1;
}

static bool read_access(const struct line *line, struct race_access *access)
{
	static const char *const whats[] = {"read", "write", NULL};
	static const char *const kinds[] = {"plain", "atomic", NULL};
	static const char *const strands[] = {
	    RACE_STRAND_THREAD, RACE_STRAND_TASK, RACE_STRAND_TEAM, RACE_STRAND_LANE, NULL};
	int what = choice(line, 1, whats), kind = choice(line, 2, kinds);
	int strand = choice(line, 6, strands);
	int64_t size, address, thread;

	if (what < 0 || kind < 0 || strand < 0 || !number(line, 3, 10, &size) ||
	    !number(line, 4, 16, &address) || !number(line, 5, 10, &thread))
		return false;
	*access = (struct race_access){what == 1, kind == 1, (unsigned)size, (uint64_t)address,
	    (int)thread, (enum race_strand)strand, {0}};
	return true;
}

/* The state while a report of a race, or of a cycle of locks, is read. */
struct reading {
	struct inst_arena *arena;
	const char *program; /* its path, or NULL */
	struct race_report report;
	struct race_stack *stack; /* the stack to which frames are added, or NULL */
	unsigned accesses;
	bool open;
	struct race_cycle cycle; /* waits NULL: it is a race */
	size_t waits;            /* that the cycle has */
	bool is_order;           /* of locks, the cycle's only wait */
	struct race_order order;
};

enum { MOST_WAITS = 64 };

/*
 * A module's path. A relative path with the program's file name becomes the program's own path,
 * because the program may run in another folder.
 */
static const char *path_of(const struct reading *reading, const struct line *line, size_t index)
{
	const char *path = arena_copy(reading->arena, line->word[index], line->length[index]);
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
	const char *own = reading->program != NULL ? strrchr(reading->program, '/') : NULL;

	return path[0] != '/' && own != NULL && strcmp(own + 1, name) == 0 ? reading->program
									   : path;
}

static void read_frame(struct reading *reading, const struct line *line)
{
	int64_t offset;

	if (reading->stack == NULL || line->count < 3 || !number(line, 1, 16, &offset))
		return;
	/* The log contains the return address, which may be on the next line. */
	const char *module = path_of(reading, line, 2);
	race_stack_add(reading->arena, reading->stack, module, strlen(module),
	    offset != 0 ? (uint64_t)offset - 1 : 0);
}

static bool read_place(
    const struct reading *reading, const struct line *line, struct race_place *place)
{
	static const char *const kinds[] = {"unknown", "global", "heap", "stack", "tls", NULL};
	int kind = choice(line, 1, kinds);
	int64_t start, size, offset;

	if (kind < 0 || !number(line, 2, 16, &start) || !number(line, 3, 10, &size) ||
	    !number(line, 4, 16, &offset) || line->count < 6)
		return false;
	*place = (struct race_place){.kind = (enum race_place_kind)kind,
	    .start = (uint64_t)start,
	    .size = (uint64_t)size,
	    .offset = (uint64_t)offset};
	place->is_access = start == 0;
	if (!is(line, 5, "-"))
		place->module = path_of(reading, line, 5);
	return true;
}

/* Reads "edge NUMBER WANTED HELD GATES". */
static bool read_order(struct reading *reading, const struct line *line)
{
	struct race_order *order = &reading->order;
	int64_t own, wanted, held;

	if (line->count < 5 || !number(line, 1, 10, &own) || !number(line, 2, 16, &wanted) ||
	    !number(line, 3, 16, &held))
		return false;
	*order = (struct race_order){.program = reading->program != NULL ? reading->program : "",
	    .number = (unsigned)own,
	    .wanted = (uint64_t)wanted,
	    .held = (uint64_t)held};
	const char *gates = arena_copy(reading->arena, line->word[4], line->length[4]);
	char *end;
	for (; *gates != '\0'; gates = end + (*end == ' ')) {
		uint64_t gate = strtoull(gates, &end, 16);
		if (end == gates)
			return false;
		*ARENA_ADD(reading->arena, order->gates, order->gate_count, order->gate_room) =
		    gate;
	}
	return true;
}

/* The levels: "3.1 0.2", or "-". False if there are too many. */
static bool read_tasks(
    struct inst_arena *arena, const struct line *line, size_t index, struct team_position *position)
{
	const char *text = arena_copy(arena, line->word[index], line->length[index]);
	char *end;

	if (is(line, index, "-"))
		return true;
	for (; *text != '\0'; text = end + (*end == ' ')) {
		if (position->depth == RACE_TASK_LEVELS)
			return false;
		position->tasks[position->depth].waits = (uint32_t)strtoul(text, &end, 10);
		if (end == text || *end != '.')
			return false;
		text = end + 1;
		position->tasks[position->depth++].number = (uint32_t)strtoul(text, &end, 10);
		if (end == text)
			return false;
	}
	return true;
}

/* Reads "at NUMBER REGION PHASE THREAD SIZE SINGLE CLEAN TASKS" of an order from `first` on. */
static void take_position(struct race_reports *reports, const struct line *line, size_t first)
{
	int64_t values[8] = {0};
	struct team_position at;

	if (line->count < 9)
		return;
	for (size_t i = 1; i < 8; i++)
		if (!number(line, i, i == 2 || i == 7 ? 16 : 10, &values[i]))
			return;
	at = (struct team_position){.region = (uint64_t)values[2],
	    .phase = (uint32_t)values[3],
	    .thread = (uint32_t)values[4],
	    .size = (uint32_t)values[5],
	    .single = (uint32_t)values[6],
	    .clean = (uint32_t)values[7]};
	if (!read_tasks(reports->arena, line, 8, &at))
		return;
	for (size_t i = first; i < reports->order_count; i++) {
		struct race_order *order = &reports->orders[i];
		if (order->number != (unsigned)values[1])
			continue;
		*ARENA_ADD(reports->arena, order->positions, order->position_count,
		    order->position_room) = at;
	}
}

static void begin(struct reading *reading, const struct line *line, unsigned run)
{
	int64_t waits;

	*reading =
	    (struct reading){.arena = reading->arena, .program = reading->program, .open = true};
	reading->report.run = reading->cycle.run = run;
	if (is(line, 0, RACE_REPORT))
		return;
	reading->is_order = is(line, 0, RACE_EDGE);
	if (reading->is_order)
		waits = read_order(reading, line) ? 1 : 0;
	else if (!number(line, 1, 10, &waits) || waits > MOST_WAITS)
		waits = 0;
	reading->open = waits > 0;
	if (!reading->open)
		return;
	reading->waits = (size_t)waits;
	reading->cycle.is_closed = is(line, 2, RACE_CLOSED);
	reading->cycle.waits =
	    arena_allocate(reading->arena, reading->waits * sizeof *reading->cycle.waits);
}

/* Reads "wait KIND ADDRESS THREAD". */
static void begin_wait(struct reading *reading, const struct line *line)
{
	static const char *const kinds[] = {[RACE_LOCK] = RACE_KIND_LOCK,
	    [RACE_NEST_LOCK] = RACE_KIND_NEST,
	    [RACE_CRITICAL] = RACE_KIND_CRITICAL,
	    [RACE_MUTEX] = RACE_KIND_MUTEX,
	    NULL};
	int kind = choice(line, 1, kinds);
	int64_t address, thread;

	reading->stack = NULL;
	if (reading->cycle.count == reading->waits || kind < 0 || !number(line, 2, 16, &address) ||
	    !number(line, 3, 10, &thread)) {
		reading->open = false;
		return;
	}
	struct race_wait *wait = &reading->cycle.waits[reading->cycle.count++];
	*wait = (struct race_wait){.kind = (enum race_lock_type)kind,
	    .address = (uint64_t)address,
	    .thread = (unsigned)thread};
	reading->stack = &wait->wanted;
}

/* Takes a line of a cycle of locks; true at its end, if it is complete. */
static bool take_of_cycle(struct reading *reading, const struct line *line)
{
	struct race_wait *last =
	    reading->cycle.count > 0 ? &reading->cycle.waits[reading->cycle.count - 1] : NULL;

	if (is(line, 0, RACE_WAIT)) {
		begin_wait(reading, line);
	} else if (is(line, 0, RACE_HELD) && last != NULL) {
		reading->stack = &last->held;
	} else if (is(line, 0, RACE_PLACE) && last != NULL) {
		reading->stack =
		    read_place(reading, line, &last->place) ? &last->place.allocated : NULL;
	} else if (is(line, 0, RACE_FRAME)) {
		read_frame(reading, line);
	} else if (is(line, 0, RACE_END)) {
		bool complete = reading->open && reading->cycle.count == reading->waits;
		reading->open = false;
		return complete;
	}
	return false;
}

/* Reads one line; true at the end of a complete report. */
static bool take(struct reading *reading, const struct line *line, unsigned run)
{
	if (is(line, 0, RACE_REPORT) || is(line, 0, RACE_ORDER) || is(line, 0, RACE_EDGE)) {
		begin(reading, line, run);
	} else if (reading->open && reading->cycle.waits != NULL) {
		return take_of_cycle(reading, line);
	} else if (is(line, 0, RACE_ACCESS) && reading->accesses < 2) {
		struct race_access *access = &reading->report.access[reading->accesses];
		reading->stack = NULL;
		if (read_access(line, access)) {
			reading->stack = &access->stack;
			reading->accesses++;
		}
	} else if (is(line, 0, RACE_PLACE)) {
		reading->stack = NULL;
		if (read_place(reading, line, &reading->report.place))
			reading->stack = &reading->report.place.allocated;
	} else if (is(line, 0, RACE_PROGRAM) && line->count > 1) {
		reading->program = arena_copy(reading->arena, line->word[1], line->length[1]);
	} else if (is(line, 0, RACE_FRAME)) {
		read_frame(reading, line);
	} else if (is(line, 0, RACE_END)) {
		bool complete = reading->open && reading->accesses == 2;
		reading->open = false;
		return complete;
	}
	return false;
}

static void add(struct race_reports *reports, struct reading *reading)
{
	const unsigned run = reading->report.run;

	if (reading->is_order) {
		reading->order.run = run;
		reading->order.log = reports->logs;
		reading->order.wait = reading->cycle.waits[0];
		race_reports_add_order(reports, &reading->order);
	} else if (reading->cycle.waits != NULL) {
		race_reports_add_cycle(reports, &reading->cycle);
	} else {
		*race_reports_add(reports, run) = reading->report;
	}
}

const char *race_log_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run)
{
	struct reading reading = {.arena = reports->arena};
	const size_t version = strlen(RACE_VERSION), first = reports->order_count;
	bool has_all = true;

	if (length < version || memcmp(text, RACE_VERSION, version) != 0 ||
	    (length > version && text[version] != '\n'))
		return "does not begin with '" RACE_VERSION "'";
	while (length > 0) {
		const char *end = memchr(text, '\n', length);
		if (end == NULL)
			break;
		struct line line = split(text, (size_t)(end - text));
		if (is(&line, 0, RACE_AT))
			take_position(reports, &line, first);
		else if (is(&line, 0, RACE_EDGES))
			has_all &= !is(&line, 1, RACE_FULL);
		else if (take(&reading, &line, run))
			add(reports, &reading);
		length -= (size_t)(end + 1 - text);
		text = end + 1;
	}
	if (!has_all)
		reports->order_count = first;
	reports->logs++;
	return NULL;
}

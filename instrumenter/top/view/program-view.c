/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A frame is the tables' own text, of which one line is selected. The selection follows its row
 * when the order changes, and the place when the row disappears.
 */
#include "program-view.h"

#include "shared/text-hash.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Lines that are no rows: summary, filter, titles, note, keys. */
enum { HEAD_LINES = 3, FOOT_LINES = 2 };

bool program_view_open(struct program_view *view)
{
	for (int i = 0; i < TOP_TABLES; i++)
		view->tables[i].column = VIEW_OWN_ORDER;
	view->is_done = !screen_open(&view->screen);
	return !view->is_done;
}

void program_view_close(struct program_view *view)
{
	screen_close(&view->screen);
}

static const struct program *program_of(const struct program_view *view, pid_t process)
{
	for (size_t i = 0; i < view->list->count; i++)
		if (view->list->items[i]->facts.process == process)
			return view->list->items[i];
	return NULL;
}

static uint64_t hash_of(const struct summary_region *region)
{
	uint64_t hash = text_hash(TEXT_HASH_START + (uint64_t)region->begin_line, region->file);

	return text_hash(text_hash(hash, region->name), region->sub_name);
}

static uint64_t hash_of_line(const struct summary_hot *line)
{
	uint64_t hash = TEXT_HASH_START + (uint64_t)line->line;

	hash = line->file != NULL ? text_hash(hash, line->file) : hash;
	return line->function != NULL ? text_hash(hash, line->function) : hash;
}

/* What stays the same of a row in other intervals. */
static uint64_t number_of(enum top_table which, const void *item)
{
	switch (which) {
	case TOP_THREADS:
		return (uint64_t)((const struct thread_sample *)item)->thread;
	case TOP_REGIONS:
		return ((const struct region_sample *)item)->function;
	case TOP_LOCKS:
		return ((const struct lock_sample *)item)->object;
	case TOP_MEASURED:
		return hash_of(item);
	case TOP_LINES:
		return hash_of_line(item);
	default:
		return (uint64_t)((const struct program *)item)->facts.process;
	}
}

/* Without the rows that the filter leaves out. */
static void apply_filter(struct top_rows *rows, enum top_table which, const char *filter)
{
	struct figure_table table = top_table_of(which, rows);
	char buffer[TEXT_SIZE];
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		struct cell cell = table.cell(rows, i, 0, buffer);
		if (filter[0] == '\0' ||
		    (cell.text != NULL && strcasestr(cell.text, filter) != NULL))
			rows->items[kept++] = rows->items[i];
	}
	rows->count = kept;
}

/* The rows of the table that is shown. */
static void collect(struct program_view *view, struct top_rows *rows)
{
	struct view_table *shown = &view->tables[view->shown];
	const struct program *program = program_of(view, view->process);

	*rows = (struct top_rows){.stuck_after = view->stuck_after};
	if (view->shown == TOP_PROCESSES)
		for (size_t i = 0; i < view->list->count; i++)
			top_rows_add(rows, view->list->items[i]);
	else if (program != NULL)
		top_rows_of_program(rows, view->shown, program);
	apply_filter(rows, view->shown, shown->filter);
	if (shown->column != VIEW_OWN_ORDER)
		top_rows_sort(rows, view->shown, shown->column, shown->is_reverse);
}

/* Follows the selected row, and keeps it on the screen. */
static void place_selection(struct program_view *view, const struct top_rows *rows)
{
	struct view_table *shown = &view->tables[view->shown];
	size_t room = (size_t)(view->screen.height - HEAD_LINES - FOOT_LINES);

	for (size_t i = 0; i < rows->count; i++)
		if (number_of(view->shown, rows->items[i]) == shown->selected)
			shown->index = i;
	if (shown->index >= rows->count)
		shown->index = rows->count > 0 ? rows->count - 1 : 0;
	if (rows->count > 0)
		shown->selected = number_of(view->shown, rows->items[shown->index]);
	if (room == 0)
		room = 1;
	if (shown->first > shown->index)
		shown->first = shown->index;
	if (shown->index - shown->first >= room)
		shown->first = shown->index - room + 1;
}

static void put_summary(struct program_view *view)
{
	char text[TEXT_SIZE];
	double doing[DOING_COUNT] = {0};
	size_t threads = 0;

	for (size_t i = 0; i < view->list->count; i++) {
		const struct program *program = view->list->items[i];
		double length = (double)(program->ended_at - program->begun_at);
		threads += program->thread_count;
		for (int j = 0; length > 0 && j < DOING_COUNT; j++)
			doing[j] += (double)program->interval.ns[j] / length;
	}
	snprintf(text, sizeof text,
	    "ompinst top: %zu program%s, %zu threads: %.1f work, %.1f delayed, %.1f blocked, "
	    "%.1f wait, %.1f idle; every %.1f s",
	    view->list->count, view->list->count == 1 ? "" : "s", threads, doing[DOING_WORK],
	    doing[DOING_DELAYED], doing[DOING_BLOCKED], doing[DOING_WAIT], doing[DOING_IDLE],
	    view->interval);
	screen_put(&view->screen, STYLE_BOLD, text);
}

/* What is shown: of which process, in which order, with which filter. */
static void put_subject(struct program_view *view)
{
	static const char *const subjects[TOP_TABLES] = {
	    [TOP_PROCESSES] = "processes",
	    [TOP_THREADS] = "threads",
	    [TOP_REGIONS] = "regions",
	    [TOP_LOCKS] = "locks",
	    [TOP_MEASURED] = "what was measured",
	    [TOP_LINES] = "the hottest lines",
	};
	const struct view_table *shown = &view->tables[view->shown];
	const struct program *program = program_of(view, view->process);
	struct top_rows none = {.count = 0};
	struct figure_table table = top_table_of(view->shown, &none);
	char text[TEXT_SIZE], of[512] = "";

	if (view->shown != TOP_PROCESSES)
		snprintf(of, sizeof of, " of %ld %.300s%s", (long)view->process,
		    program != NULL ? program->facts.command : "",
		    program == NULL || program->has_ended ? " (has ended)" : "");
	snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", subjects[view->shown], of,
	    shown->column != VIEW_OWN_ORDER ? ", by " : "",
	    shown->column != VIEW_OWN_ORDER ? table.columns[shown->column].title : "",
	    shown->is_reverse ? " (reversed)" : "",
	    shown->filter[0] != '\0' || view->edits_filter ? ", filter: " : "", shown->filter,
	    view->edits_filter ? "_" : "");
	screen_put(&view->screen, STYLE_PLAIN, text);
}

/* The table's text, line by line: its title is left out. */
static void put_rows(struct program_view *view, const struct top_rows *rows)
{
	const struct view_table *shown = &view->tables[view->shown];
	struct figure_table table = top_table_of(view->shown, rows);
	size_t room = (size_t)(view->screen.height - HEAD_LINES - FOOT_LINES);
	char *text = NULL, *rest = NULL;
	size_t length = 0, number = 0;
	FILE *memory = open_memstream(&text, &length);

	if (memory == NULL)
		return;
	table_print_text(memory, &table, view->screen.width - 1);
	if (fclose(memory) != 0)
		text = NULL;
	for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL;
	     line = strtok_r(NULL, "\n", &rest), number++) {
		if (number == 1)
			screen_put(&view->screen, STYLE_BOLD, line);
		if (number < 2 || number - 2 < shown->first || number - 2 >= shown->first + room)
			continue;
		screen_put(
		    &view->screen, number - 2 == shown->index ? STYLE_REVERSE : STYLE_PLAIN, line);
	}
	free(text);
}

static void put_help(struct screen *screen)
{
	static const char *const lines[] = {
	    "Up, Down, PageUp, PageDown, Home, End   select a row",
	    "Enter                                   the threads of the selected process",
	    "Tab, Left, Right                        its threads, regions, locks, what was measured, lines",
	    "Escape, Backspace                       back to the processes",
	    "F3 or /                                 filter by text; Enter ends, Escape clears it",
	    "F6 or >, <                              sort by the next column, the one before",
	    "I                                       the other way round",
	    "h or F1                                 this help",
	    "q or F10                                quit",
	    "",
	    "effic    share of work in the time of all threads in the interval",
	    "work     threads that executed the program and ran on a processor (mean)",
	    "delayed  ... had no processor        blocked  ... were in a system call",
	    "waits    threads that waited in OpenMP    idle  workers without a region",
	    "stuck    threads in whose wait nothing changed for some intervals",
	};

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		screen_put(screen, STYLE_PLAIN, lines[i]);
}

/* Of the selected process: why it cannot be read. */
static const char *note_of(const struct program_view *view)
{
	const struct program *program =
	    program_of(view, (pid_t)view->tables[TOP_PROCESSES].selected);

	return view->shown == TOP_PROCESSES && program != NULL && program->note != NULL
		   ? program->note
		   : "";
}

void program_view_draw(struct program_view *view)
{
	struct screen *screen = &view->screen;
	struct top_rows rows;

	collect(view, &rows);
	place_selection(view, &rows);
	screen_begin(screen);
	put_summary(view);
	put_subject(view);
	if (view->shows_help)
		put_help(screen);
	else if (rows.count > 0)
		put_rows(view, &rows);
	else
		screen_put(screen, STYLE_PLAIN, "none");
	while (screen->row < screen->height - FOOT_LINES)
		screen_put(screen, STYLE_PLAIN, "");
	screen_put(screen, STYLE_PLAIN, note_of(view));
	screen_put(screen, STYLE_REVERSE,
	    "Enter threads  Tab regions, locks  Esc back  F3/ filter  F6< > sort  h help  q quit");
	screen_end(screen);
	top_rows_finish(&rows);
}

/* The next column that is shown, in the direction; after the last one the table's own order. */
static void move_column(struct program_view *view, bool forward)
{
	struct view_table *shown = &view->tables[view->shown];
	struct top_rows rows;

	collect(view, &rows);
	struct figure_table table = top_table_of(view->shown, &rows);
	do {
		if (forward)
			shown->column = shown->column == VIEW_OWN_ORDER ? 0 : shown->column + 1;
		else
			shown->column = shown->column == VIEW_OWN_ORDER ? table.column_count - 1
									: shown->column - 1;
		if (shown->column >= table.column_count)
			shown->column = VIEW_OWN_ORDER;
	} while (shown->column != VIEW_OWN_ORDER && (table.columns[shown->column].title == NULL ||
							table.left_out >> shown->column & 1));
	top_rows_finish(&rows);
}

static void move_selection(struct program_view *view, long by)
{
	struct view_table *shown = &view->tables[view->shown];
	struct top_rows rows;

	collect(view, &rows);
	long index = (long)shown->index + by, last = (long)rows.count - 1;
	index = index > last ? last : index;
	shown->index = index > 0 ? (size_t)index : 0;
	if (rows.count > 0)
		shown->selected = number_of(view->shown, rows.items[shown->index]);
	top_rows_finish(&rows);
}

static void enter(struct program_view *view)
{
	if (view->shown != TOP_PROCESSES)
		return;
	const struct program *program =
	    program_of(view, (pid_t)view->tables[TOP_PROCESSES].selected);
	if (program == NULL || program->kind != PROGRAM_READABLE)
		return;
	view->process = program->facts.process;
	view->shown = TOP_THREADS;
}

static void turn(struct program_view *view, int by)
{
	int parts = TOP_TABLES - TOP_THREADS;

	enter(view);
	if (view->shown != TOP_PROCESSES)
		view->shown = (enum top_table)(
		    TOP_THREADS + ((int)view->shown - TOP_THREADS + by + parts) % parts);
}

static void edit_filter(struct program_view *view, int key)
{
	char *filter = view->tables[view->shown].filter;
	size_t length = strlen(filter);

	if (key == KEY_ENTER || key == KEY_ESCAPE)
		view->edits_filter = false;
	if (key == KEY_ESCAPE)
		filter[0] = '\0';
	else if (key == KEY_BACKSPACE && length > 0)
		filter[length - 1] = '\0';
	else if (key >= ' ' && key < KEY_BACKSPACE && length + 1 < VIEW_FILTER_SIZE)
		memcpy(filter + length, (char[]){(char)key, '\0'}, 2);
}

static void obey_move(struct program_view *view, int key)
{
	int page = view->screen.height - HEAD_LINES - FOOT_LINES;

	switch (key) {
	case KEY_UP:
		move_selection(view, -1);
		break;
	case KEY_DOWN:
		move_selection(view, 1);
		break;
	case KEY_PAGE_UP:
		move_selection(view, -page);
		break;
	case KEY_PAGE_DOWN:
		move_selection(view, page);
		break;
	case KEY_HOME:
		move_selection(view, -(1L << 20));
		break;
	case KEY_END:
		move_selection(view, 1L << 20);
		break;
	case KEY_ENTER:
		enter(view);
		break;
	case '\t':
	case KEY_RIGHT:
		turn(view, view->shown == TOP_PROCESSES ? 0 : 1);
		break;
	case KEY_LEFT:
		turn(view, view->shown == TOP_PROCESSES ? 0 : -1);
		break;
	default:
		break;
	}
}

static void obey(struct program_view *view, int key)
{
	bool showed_help = view->shows_help;

	view->shows_help = false;
	if (view->edits_filter) {
		edit_filter(view, key);
		return;
	}
	switch (key) {
	case 'q':
	case KEY_F1 + 9:
		view->is_done = true;
		break;
	case 'h':
	case '?':
	case KEY_F1:
		view->shows_help = !showed_help;
		break;
	case '/':
	case KEY_F1 + 2:
	case KEY_F1 + 3:
		view->edits_filter = true;
		break;
	case '>':
	case KEY_F1 + 5:
		move_column(view, true);
		break;
	case '<':
		move_column(view, false);
		break;
	case 'I':
		view->tables[view->shown].is_reverse = !view->tables[view->shown].is_reverse;
		break;
	case KEY_ESCAPE:
	case KEY_BACKSPACE:
		view->shown = TOP_PROCESSES;
		break;
	default:
		obey_move(view, key);
		break;
	}
}

void program_view_wait(struct program_view *view, uint64_t until)
{
	while (!view->is_done) {
		uint64_t now = clock_now();
		int rest = now < until ? (int)((until - now + 999999) / 1000000) : 0;
		int key = screen_key(&view->screen, rest);
		if (key != KEY_NONE)
			obey(view, key);
		view->is_done |= view->screen.has_ended;
		if (!view->is_done && (key != KEY_NONE || screen_measure(&view->screen)))
			program_view_draw(view);
		if (key == KEY_NONE)
			break; /* also when a signal came */
	}
}

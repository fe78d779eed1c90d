/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns and cells. Numbers of threads are means over the interval: 2.5 threads that work are so
 * many thread-seconds of work in a second.
 */
#include "top-tables.h"

#include "common/summary-figures.h"
#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

enum process_cell {
	PROCESS_TITLE,
	PROCESS_PID,
	PROCESS_COMMAND,
	PROCESS_JOB,
	PROCESS_JOB_NUMBER,
	PROCESS_RANK,
	PROCESS_RANKS,
	PROCESS_STATUS,
	PROCESS_NOTE,
	PROCESS_MEASURED,
	PROCESS_AGE,
	PROCESS_EFFICIENCY,
	PROCESS_EFFICIENCY_SO_FAR,
	PROCESS_THREADS,
	PROCESS_DOING,
	PROCESS_STUCK = PROCESS_DOING + DOING_COUNT,
	PROCESS_QUEUED,
	PROCESS_READY,
	PROCESS_BLOCKED,
	PROCESS_LOOKS,
	PROCESS_FAILED,
};

static const struct table_column process_columns[] = {
    {NULL, "process", CELL_TEXT, 0, PROCESS_TITLE},
    {"pid", NULL, CELL_COUNT, 0, PROCESS_PID},
    {"command", NULL, CELL_TEXT, 0, PROCESS_COMMAND},
    {"job", NULL, CELL_TEXT, 0, PROCESS_JOB},
    {NULL, "job", CELL_COUNT, 13, PROCESS_JOB_NUMBER},
    {"rank", "rank", CELL_COUNT, 14, PROCESS_RANK},
    {"ranks", NULL, CELL_COUNT, 0, PROCESS_RANKS},
    {"status", NULL, CELL_TEXT, 0, PROCESS_STATUS},
    {"note", NULL, CELL_TEXT, 0, PROCESS_NOTE},
    {"is_measured", NULL, CELL_COUNT, 0, PROCESS_MEASURED},
    {"age_ns", "age", CELL_TIME, 2, PROCESS_AGE},
    {"efficiency", "effic", CELL_SHARE, 0, PROCESS_EFFICIENCY},
    {"efficiency_so_far", "so far", CELL_SHARE, 5, PROCESS_EFFICIENCY_SO_FAR},
    {"threads", "threads", CELL_COUNT, 10, PROCESS_THREADS},
    {"work", "work", CELL_FACTOR, 12, PROCESS_DOING + DOING_WORK},
    {"delayed", "delayed", CELL_FACTOR, 8, PROCESS_DOING + DOING_DELAYED},
    {"blocked", "blocked", CELL_FACTOR, 6, PROCESS_DOING + DOING_BLOCKED},
    {"waits", "waits", CELL_FACTOR, 11, PROCESS_DOING + DOING_WAIT},
    {"idle", "idle", CELL_FACTOR, 7, PROCESS_DOING + DOING_IDLE},
    {"stuck", "stuck", CELL_COUNT, 9, PROCESS_STUCK},
    {NULL, "tasks", CELL_COUNT, 3, PROCESS_QUEUED},
    {"ready_tasks", NULL, CELL_COUNT, 0, PROCESS_READY},
    {"blocked_tasks", NULL, CELL_COUNT, 0, PROCESS_BLOCKED},
    {"looks", NULL, CELL_COUNT, 0, PROCESS_LOOKS},
    {"failed_looks", NULL, CELL_COUNT, 0, PROCESS_FAILED},
};

enum thread_cell {
	THREAD_TITLE,
	THREAD_ID,
	THREAD_NUMBER,
	THREAD_SIZE,
	THREAD_LEVEL,
	THREAD_STATE,
	THREAD_OBJECT,
	THREAD_OBJECT_NAME,
	THREAD_REGION,
	THREAD_UNCHANGED,
	THREAD_STUCK,
	THREAD_EFFICIENCY,
	THREAD_DOING,
};

static const struct table_column thread_columns[] = {
    {NULL, "thread", CELL_TEXT, 0, THREAD_TITLE},
    {"thread", NULL, CELL_COUNT, 0, THREAD_ID},
    {"number", "number", CELL_COUNT, 8, THREAD_NUMBER},
    {"team_size", NULL, CELL_COUNT, 0, THREAD_SIZE},
    {"level", "level", CELL_COUNT, 2, THREAD_LEVEL},
    {"state", NULL, CELL_TEXT, 0, THREAD_STATE},
    {"object", NULL, CELL_TEXT, 0, THREAD_OBJECT},
    {"object_name", NULL, CELL_TEXT, 0, THREAD_OBJECT_NAME},
    {"region", NULL, CELL_TEXT, 0, THREAD_REGION},
    {"unchanged_ns", "unchanged", CELL_TIME, 9, THREAD_UNCHANGED},
    {"is_stuck", NULL, CELL_COUNT, 0, THREAD_STUCK},
    {"efficiency", NULL, CELL_SHARE, 0, THREAD_EFFICIENCY},
    {"work", "work", CELL_SHARE, 10, THREAD_DOING + DOING_WORK},
    {"delayed", "delayed", CELL_SHARE, 6, THREAD_DOING + DOING_DELAYED},
    {"blocked", "blocked", CELL_SHARE, 4, THREAD_DOING + DOING_BLOCKED},
    {"waits", "waits", CELL_SHARE, 7, THREAD_DOING + DOING_WAIT},
    {"idle", "idle", CELL_SHARE, 5, THREAD_DOING + DOING_IDLE},
};

enum region_cell {
	REGION_TITLE,
	REGION_FUNCTION,
	REGION_THREADS,
	REGION_LOSS,
	REGION_SHARE,
	REGION_DOING
};

static const struct table_column region_columns[] = {
    {"region", "region", CELL_TEXT, 0, REGION_TITLE},
    {"function", NULL, CELL_TEXT, 0, REGION_FUNCTION},
    {"threads", "threads", CELL_COUNT, 5, REGION_THREADS},
    {"loss", "loss", CELL_FACTOR, 9, REGION_LOSS},
    {"efficiency", "effic", CELL_SHARE, 8, REGION_SHARE},
    {"work", "work", CELL_FACTOR, 7, REGION_DOING + DOING_WORK},
    {"delayed", "delayed", CELL_FACTOR, 4, REGION_DOING + DOING_DELAYED},
    {"blocked", "blocked", CELL_FACTOR, 3, REGION_DOING + DOING_BLOCKED},
    {"waits", "waits", CELL_FACTOR, 6, REGION_DOING + DOING_WAIT},
};

enum measured_cell {
	MEASURED_TITLE,
	MEASURED_NAME,
	MEASURED_SUB_NAME,
	MEASURED_FILE,
	MEASURED_LINE,
	MEASURED_VISITS,
	MEASURED_TIME,
	MEASURED_THREADS,
	MEASURED_MEAN,
	MEASURED_WAIT,
};

static const struct table_column measured_columns[] = {
    {NULL, "file:line construct", CELL_TEXT, 0, MEASURED_TITLE},
    {"name", NULL, CELL_TEXT, 0, MEASURED_NAME},
    {"sub_name", NULL, CELL_TEXT, 0, MEASURED_SUB_NAME},
    {"file", NULL, CELL_TEXT, 0, MEASURED_FILE},
    {"begin_line", NULL, CELL_COUNT, 0, MEASURED_LINE},
    {"visits", "calls", CELL_COUNT, 5, MEASURED_VISITS},
    {"time_ns", "time", CELL_TIME, 4, MEASURED_TIME},
    {"threads", "threads", CELL_FACTOR, 6, MEASURED_THREADS},
    {NULL, "mean", CELL_TIME, 2, MEASURED_MEAN},
    {"wait_ns", "wait", CELL_TIME, 3, MEASURED_WAIT},
};

enum line_cell {
	LINE_TITLE,
	LINE_FUNCTION,
	LINE_FILE,
	LINE_LINE,
	LINE_SAMPLES,
	LINE_WAITS,
	LINE_SHARE,
	LINE_PROCESSORS,
};

static const struct table_column line_columns[] = {
    {NULL, "file:line function", CELL_TEXT, 0, LINE_TITLE},
    {"function", NULL, CELL_TEXT, 0, LINE_FUNCTION},
    {"file", NULL, CELL_TEXT, 0, LINE_FILE},
    {"line", NULL, CELL_COUNT, 0, LINE_LINE},
    {"samples", "samples", CELL_COUNT, 4, LINE_SAMPLES},
    {"wait_samples", "waits", CELL_COUNT, 2, LINE_WAITS},
    {"share", "share", CELL_SHARE, 5, LINE_SHARE},
    {"processors", "processors", CELL_FACTOR, 3, LINE_PROCESSORS},
};

enum lock_cell { LOCK_TITLE, LOCK_OBJECT, LOCK_KIND, LOCK_WAITERS, LOCK_HOLDER };

static const struct table_column lock_columns[] = {
    {"name", "waited for", CELL_TEXT, 0, LOCK_TITLE},
    {"object", NULL, CELL_TEXT, 0, LOCK_OBJECT},
    {"kind", "kind", CELL_TEXT, 1, LOCK_KIND},
    {"waiters", "waiters", CELL_COUNT, 3, LOCK_WAITERS},
    {"holder", "holder", CELL_COUNT, 2, LOCK_HOLDER},
};

static struct cell text_cell(const char *text)
{
	return (struct cell){.text = text};
}

static struct cell number_cell(uint64_t number)
{
	return (struct cell){.number = number};
}

/* Negative: not known. */
static struct cell count_cell(long number)
{
	return number_cell(number >= 0 ? (uint64_t)number : SUMMARY_NOT_MEASURED);
}

static struct cell ratio_cell(double ratio)
{
	return (struct cell){.ratio = ratio};
}

/* Means over the interval: so many threads. */
static struct cell threads_cell(const struct program *program, uint64_t ns)
{
	uint64_t length = program->ended_at - program->begun_at;

	return ratio_cell(length > 0 ? (double)ns / (double)length : -1);
}

static struct cell tasks_cell(const struct program *program, uint64_t tasks)
{
	return number_cell(program->knows_tasks ? tasks : SUMMARY_NOT_MEASURED);
}

static struct cell share_cell(uint64_t ns, const struct shares *of)
{
	uint64_t sum = shares_sum(of);

	return ratio_cell(sum > 0 ? (double)ns / (double)sum : -1);
}

static struct cell address_cell(uint64_t address, char buffer[TEXT_SIZE])
{
	if (address == 0)
		return text_cell(NULL);
	snprintf(buffer, TEXT_SIZE, "0x%llx", (unsigned long long)address);
	return text_cell(buffer);
}

static const char *status_of(const struct program *program)
{
	static const char *const words[] = {
	    [PROGRAM_READABLE] = "ok",
	    [PROGRAM_FOREIGN] = "foreign",
	    [PROGRAM_VERSION] = "version",
	    [PROGRAM_PLAIN] = "plain",
	    [PROGRAM_CLOSED] = "closed",
	};

	return program->has_ended ? "ended" : words[program->kind];
}

static struct cell process_fact(const struct program *program, size_t which, char buffer[TEXT_SIZE])
{
	const struct process_facts *facts = &program->facts;

	switch (which) {
	case PROCESS_TITLE:
		snprintf(buffer, TEXT_SIZE, "%7ld %s", (long)facts->process, facts->command);
		return text_cell(buffer);
	case PROCESS_PID:
		return number_cell((uint64_t)facts->process);
	case PROCESS_COMMAND:
		return text_cell(facts->command);
	case PROCESS_JOB:
		return text_cell(facts->rank.rank >= 0 ? facts->rank.job : NULL);
	case PROCESS_JOB_NUMBER:
		return count_cell(facts->rank.rank >= 0 ? (long)program->job : -1);
	case PROCESS_RANK:
		return count_cell(facts->rank.rank);
	case PROCESS_RANKS:
		return count_cell(facts->rank.size);
	case PROCESS_STATUS:
		return text_cell(status_of(program));
	case PROCESS_NOTE:
		return text_cell(program->note);
	case PROCESS_MEASURED:
		return number_cell(program->is_measured);
	default:
		return number_cell((uint64_t)(process_age(facts) * 1e9));
	}
}

static struct cell process_figure(const struct program *program, size_t which, uint64_t stuck_after)
{
	switch (which) {
	case PROCESS_EFFICIENCY:
		return ratio_cell(shares_efficiency(&program->interval));
	case PROCESS_EFFICIENCY_SO_FAR:
		return ratio_cell(shares_efficiency(&program->whole));
	case PROCESS_THREADS:
		return number_cell(program->thread_count);
	case PROCESS_STUCK:
		return number_cell(program_stuck(program, stuck_after));
	case PROCESS_QUEUED:
		return tasks_cell(program, program->ready_tasks + program->blocked_tasks);
	case PROCESS_READY:
		return tasks_cell(program, program->ready_tasks);
	case PROCESS_BLOCKED:
		return tasks_cell(program, program->blocked_tasks);
	case PROCESS_LOOKS:
		return number_cell(program->looks);
	case PROCESS_FAILED:
		return number_cell(program->failed_looks);
	default:
		return threads_cell(program, program->interval.ns[which - PROCESS_DOING]);
	}
}

static struct cell process_cell(
    const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct top_rows *rows = context;
	const struct program *program = rows->items[row];
	size_t which = process_columns[column].member;

	if (which <= PROCESS_AGE)
		return process_fact(program, which, buffer);
	if (program->kind == PROGRAM_READABLE)
		return process_figure(program, which, rows->stuck_after);
	return process_columns[column].kind == CELL_COUNT ? number_cell(SUMMARY_NOT_MEASURED)
							  : ratio_cell(-1);
}

static const char *region_of(const struct program *program, const ompdx_thread_t *record)
{
	const char *name;

	if (record->region == 0 || record->function == 0)
		return NULL;
	name = program_name(program, record->function);
	return name != NULL ? name : "a parallel region";
}

/* "waits for a lock guard, in solver.c:41 step". */
static void describe_thread(
    const struct program *program, const struct thread_sample *thread, char buffer[TEXT_SIZE])
{
	const ompdx_thread_t *record = &thread->record;
	const char *object = program_name(program, record->object);
	const char *region = region_of(program, record);

	snprintf(buffer, TEXT_SIZE, "%7ld %s%s%.300s%s%.300s", (long)thread->thread,
	    state_text(record->state), object != NULL ? " " : "", object != NULL ? object : "",
	    region != NULL ? ", in " : "", region != NULL ? region : "");
}

static struct cell thread_cell(
    const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct top_rows *rows = context;
	const struct thread_sample *thread = rows->items[row];
	const ompdx_thread_t *record = &thread->record;
	uint64_t unchanged = thread_sample_unchanged(thread);
	size_t which = thread_columns[column].member;

	switch (which) {
	case THREAD_TITLE:
		describe_thread(rows->program, thread, buffer);
		return text_cell(buffer);
	case THREAD_ID:
		return number_cell((uint64_t)thread->thread);
	case THREAD_NUMBER:
		return number_cell(record->region != 0 ? record->number : SUMMARY_NOT_MEASURED);
	case THREAD_SIZE:
		return number_cell(record->region != 0 ? record->size : SUMMARY_NOT_MEASURED);
	case THREAD_LEVEL:
		return number_cell(record->region != 0 ? record->level : SUMMARY_NOT_MEASURED);
	case THREAD_STATE:
		return text_cell(state_key(record->state));
	case THREAD_OBJECT:
		return address_cell(record->object, buffer);
	case THREAD_OBJECT_NAME:
		return text_cell(program_name(rows->program, record->object));
	case THREAD_REGION:
		return text_cell(region_of(rows->program, record));
	case THREAD_UNCHANGED:
		return number_cell(
		    unchanged >= rows->stuck_after ? unchanged : SUMMARY_NOT_MEASURED);
	case THREAD_STUCK:
		return number_cell(unchanged >= rows->stuck_after);
	case THREAD_EFFICIENCY:
		return ratio_cell(shares_efficiency(&thread->interval));
	default:
		return share_cell(thread->interval.ns[which - THREAD_DOING], &thread->interval);
	}
}

static uint64_t loss_of(const struct shares *shares)
{
	return shares_sum(shares) - shares->ns[DOING_WORK];
}

static struct cell region_cell(
    const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct top_rows *rows = context;
	const struct region_sample *region = rows->items[row];
	size_t which = region_columns[column].member;
	const char *name = program_name(rows->program, region->function);

	switch (which) {
	case REGION_TITLE:
		if (region->function == 0)
			return text_cell("outside of parallel regions");
		return name != NULL ? text_cell(name) : address_cell(region->function, buffer);
	case REGION_FUNCTION:
		return address_cell(region->function, buffer);
	case REGION_THREADS:
		return number_cell(region->most_threads);
	case REGION_LOSS:
		return threads_cell(rows->program, loss_of(&region->interval));
	case REGION_SHARE:
		return ratio_cell(shares_efficiency(&region->interval));
	default:
		return threads_cell(rows->program, region->interval.ns[which - REGION_DOING]);
	}
}

static struct cell measured_cell(
    const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct top_rows *rows = context;
	const struct summary_region *region = rows->items[row];

	switch (measured_columns[column].member) {
	case MEASURED_TITLE:
		summary_format_region(buffer, TEXT_SIZE, region);
		return text_cell(buffer);
	case MEASURED_NAME:
		return text_cell(region->name);
	case MEASURED_SUB_NAME:
		return text_cell(region->sub_name);
	case MEASURED_FILE:
		return text_cell(region->file);
	case MEASURED_LINE:
		return number_cell(region->begin_line > 0 ? (uint64_t)region->begin_line : 0);
	case MEASURED_VISITS:
		return number_cell(region->visits);
	case MEASURED_TIME:
		return number_cell(region->time);
	case MEASURED_THREADS:
		return threads_cell(rows->program, region->time);
	case MEASURED_MEAN:
		return number_cell(summary_mean(region->time, region->visits));
	default:
		return number_cell(summary_add(region->barrier_wait, region->enter_wait));
	}
}

static void describe_line(const struct summary_hot *line, char buffer[TEXT_SIZE])
{
	const char *function = line->function != NULL ? line->function : "";

	if (line->file == NULL)
		snprintf(buffer, TEXT_SIZE, "other places");
	else if (line->line > 0)
		snprintf(buffer, TEXT_SIZE, "%.200s:%d %.300s", summary_base_name(line->file),
		    line->line, function);
	else
		snprintf(buffer, TEXT_SIZE, "%.200s %.300s", line->file, function);
}

/* Mean over the interval: so many processors. */
static struct cell processors_cell(const struct program *program, uint64_t samples)
{
	uint64_t rate = program->lines.last.rate;
	double length = (double)(program->ended_at - program->begun_at) / 1e9;

	return ratio_cell(rate > 0 && length > 0 ? (double)samples / (double)rate / length : -1);
}

static struct cell line_cell(const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct top_rows *rows = context;
	const struct summary_hot *line = rows->items[row];

	switch (line_columns[column].member) {
	case LINE_TITLE:
		describe_line(line, buffer);
		return text_cell(buffer);
	case LINE_FUNCTION:
		return text_cell(line->function);
	case LINE_FILE:
		return text_cell(line->file);
	case LINE_LINE:
		return number_cell(line->line > 0 ? (uint64_t)line->line : SUMMARY_NOT_MEASURED);
	case LINE_SAMPLES:
		return number_cell(line->samples);
	case LINE_WAITS:
		return number_cell(line->waits);
	case LINE_SHARE:
		return ratio_cell(
		    summary_share(line->samples, rows->program->lines.summary.samples));
	default:
		return processors_cell(rows->program, line->samples);
	}
}

static struct cell lock_cell(const void *context, size_t row, size_t column, char buffer[TEXT_SIZE])
{
	const struct top_rows *rows = context;
	const struct lock_sample *lock = rows->items[row];
	const char *name = program_name(rows->program, lock->object);

	switch (lock_columns[column].member) {
	case LOCK_TITLE:
		return name != NULL ? text_cell(name) : address_cell(lock->object, buffer);
	case LOCK_OBJECT:
		return address_cell(lock->object, buffer);
	case LOCK_KIND:
		return text_cell(state_key(lock->state));
	case LOCK_WAITERS:
		return number_cell(lock->waiters);
	default:
		return number_cell(
		    lock->holder != 0 ? (uint64_t)lock->holder : SUMMARY_NOT_MEASURED);
	}
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Text leaves out columns that nothing has: jobs and ranks, and waits that do not change. */
static uint64_t find_empty(const struct figure_table *table)
{
	char buffer[TEXT_SIZE];
	uint64_t empty = 0;

	for (size_t column = 0; column < table->column_count; column++) {
		enum cell_kind kind = table->columns[column].kind;
		bool is_empty = kind == CELL_COUNT || kind == CELL_TIME;
		for (size_t row = 0; is_empty && row < table->rows; row++) {
			struct cell cell = table->cell(table->context, row, column, buffer);
			is_empty = !cell_is_measured(kind, &cell);
		}
		empty |= (uint64_t)is_empty << column;
	}
	return empty;
}

struct figure_table top_table_of(enum top_table which, const struct top_rows *rows)
{
	static const struct figure_table tables[TOP_TABLES] = {
	    [TOP_PROCESSES] = {.title = "PROCESSES",
		.rest = " processes",
		.columns = process_columns,
		.column_count = COUNT_OF(process_columns),
		.cell = process_cell},
	    [TOP_THREADS] = {.title = "THREADS",
		.rest = " threads",
		.columns = thread_columns,
		.column_count = COUNT_OF(thread_columns),
		.cell = thread_cell},
	    [TOP_REGIONS] = {.title = "REGIONS by loss",
		.rest = " regions",
		.columns = region_columns,
		.column_count = COUNT_OF(region_columns),
		.cell = region_cell},
	    [TOP_LOCKS] = {.title = "LOCKS by waiters",
		.rest = " locks",
		.columns = lock_columns,
		.column_count = COUNT_OF(lock_columns),
		.cell = lock_cell},
	    [TOP_MEASURED] = {.title = "MEASURED by time of what was left in the interval",
		.rest = " constructs",
		.columns = measured_columns,
		.column_count = COUNT_OF(measured_columns),
		.cell = measured_cell},
	    [TOP_LINES] = {.title = "LINES by samples of processor time",
		.rest = " lines",
		.columns = line_columns,
		.column_count = COUNT_OF(line_columns),
		.cell = line_cell},
	};
	struct figure_table table = tables[which];

	if (which == TOP_LINES && rows->program != NULL && rows->program->lines.last.is_part)
		table.title =
		    "LINES by samples of some threads: the others' are too many to be read";
	table.cut_end = true;
	table.rows = table.text_rows = rows->count;
	table.context = rows;
	table.left_out = find_empty(&table);
	return table;
}

bool top_rows_add(struct top_rows *rows, const void *item)
{
	return ARRAY_PUSH(rows->items, rows->count, rows->room, item);
}

static int by_loss(const void *first, const void *second)
{
	const struct region_sample *const *one = first, *const *two = second;
	uint64_t loss = loss_of(&(*one)->interval), other = loss_of(&(*two)->interval);

	if (loss != other)
		return loss < other ? 1 : -1;
	return ((*one)->function > (*two)->function) - ((*one)->function < (*two)->function);
}

static int by_time(const void *first, const void *second)
{
	const struct summary_region *const *one = first, *const *two = second;

	if ((*one)->time != (*two)->time)
		return (*one)->time < (*two)->time ? 1 : -1;
	return (*one > *two) - (*one < *two);
}

static bool add_measured(struct top_rows *rows, const struct measured_interval *measured)
{
	const struct summary *summary = &measured->profile.summary;
	bool has_room = true;

	for (size_t i = 0; measured->is_known && has_room && i < summary->region_count; i++)
		has_room = top_rows_add(rows, &summary->regions[i]);
	if (rows->count > 1)
		qsort(rows->items, rows->count, sizeof *rows->items, by_time);
	return has_room;
}

bool top_rows_of_program(struct top_rows *rows, enum top_table which, const struct program *program)
{
	bool has_room = true;

	rows->program = program;
	if (which == TOP_MEASURED)
		return add_measured(rows, &program->measured);
	for (size_t i = 0; which == TOP_LINES && has_room && i < program->lines.summary.hot_count;
	     i++)
		has_room = top_rows_add(rows, &program->lines.summary.hot[i]);
	for (size_t i = 0; which == TOP_THREADS && has_room && i < program->thread_count; i++)
		has_room = top_rows_add(rows, &program->threads[i]);
	for (size_t i = 0; which == TOP_LOCKS && has_room && i < program->lock_count; i++)
		has_room = top_rows_add(rows, &program->locks[i]);
	for (size_t i = 0; which == TOP_REGIONS && has_room && i < program->region_count; i++)
		if (shares_sum(&program->regions[i].interval) > 0)
			has_room = top_rows_add(rows, &program->regions[i]);
	if (which == TOP_REGIONS && rows->count > 1)
		qsort(rows->items, rows->count, sizeof *rows->items, by_loss);
	return has_room;
}

void top_rows_finish(struct top_rows *rows)
{
	free(rows->items);
	rows->items = NULL;
	rows->count = rows->room = 0;
}

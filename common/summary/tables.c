/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of regions, locks and tasks: what text, JSON and CSV print of them, and in which
 * order.
 */
#include "printers.h"

/* Where values are that no member of a row contains. */
enum computed {
	TITLE = 1 << 16, /* above all offsets of members */
	BEGIN_LINE,
	END_LINE,
	SHARE,
	MEAN,
	BODY_MEAN,
	GAIN,
	WAIT,
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define REGION(member)  offsetof(struct summary_region, member)
#define LOCK(member)    offsetof(struct summary_lock, member)
#define TASK(member)    offsetof(struct summary_task, member)

static const struct table_column region_columns[] = {
    {NULL, "file:line construct", CELL_TEXT, 0, TITLE},
    {"name", NULL, CELL_TEXT, 0, REGION(name)},
    {"sub_name", NULL, CELL_TEXT, 0, REGION(sub_name)},
    {"file", NULL, CELL_TEXT, 0, REGION(file)},
    {"begin_line", NULL, CELL_COUNT, 0, BEGIN_LINE},
    {"end_line", NULL, CELL_COUNT, 0, END_LINE},
    {"visits", "calls", CELL_COUNT, 8, REGION(visits)},
    {"time_ns", "time", CELL_TIME, 9, REGION(time)},
    {NULL, "share", CELL_SHARE, 3, SHARE},
    {NULL, "mean", CELL_TIME, 2, MEAN},
    {"self_ns", NULL, CELL_TIME, 0, REGION(self)},
    {"threads", NULL, CELL_COUNT, 0, REGION(threads)},
    {"body_min_ns", "min", CELL_TIME, 5, REGION(body_min)},
    {"body_sum_ns", NULL, CELL_TIME, 0, REGION(body_sum)},
    {NULL, "avg", CELL_TIME, 4, BODY_MEAN},
    {"body_max_ns", "max", CELL_TIME, 6, REGION(body_max)},
    {"barrier_wait_ns", NULL, CELL_TIME, 0, REGION(barrier_wait)},
    {"enter_wait_ns", NULL, CELL_TIME, 0, REGION(enter_wait)},
    {"imbalance_ns", "imbal", CELL_TIME, 7, REGION(imbalance)},
    {"gain_ns", NULL, CELL_TIME, 0, GAIN},
    {NULL, "wait", CELL_TIME, 10, WAIT},
};

static const struct table_column lock_columns[] = {
    {NULL, "", CELL_TEXT, 0, TITLE},
    {"name", NULL, CELL_TEXT, 0, LOCK(name)},
    {"acquisitions", "acquired", CELL_COUNT, 5, LOCK(acquisitions)},
    {"contended", "contended", CELL_COUNT, 4, LOCK(contended)},
    {"wait_ns", "wait", CELL_TIME, 6, LOCK(wait)},
    {"hold_ns", "hold", CELL_TIME, 3, LOCK(hold)},
};

static const struct table_column task_columns[] = {
    {NULL, "", CELL_TEXT, 0, TITLE},
    {"file", NULL, CELL_TEXT, 0, TASK(file)},
    {"begin_line", NULL, CELL_COUNT, 0, BEGIN_LINE},
    {"created", "created", CELL_COUNT, 5, TASK(created)},
    {"executed", "executed", CELL_COUNT, 3, TASK(executed)},
    {"undeferred", "undeferred", CELL_COUNT, 1, TASK(undeferred)},
    {"create_ns", "creating", CELL_TIME, 4, TASK(create_time)},
    {"execute_ns", "executing", CELL_TIME, 6, TASK(execute_time)},
    {"execute_max_ns", NULL, CELL_TIME, 0, TASK(execute_max)},
    {NULL, "mean", CELL_TIME, 2, MEAN},
};

static struct cell member_of(const void *row, const struct table_column *column)
{
	const void *member = (const char *)row + column->member;

	if (column->kind == CELL_TEXT)
		return (struct cell){.text = *(const char *const *)member};
	return (struct cell){.number = *(const uint64_t *)member};
}

static uint64_t line_of(int line)
{
	return line < 0 ? 0 : (uint64_t)line;
}

static struct cell region_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;
	const struct summary_region *region = printing_region(printing, row);
	struct cell cell = {.text = buffer};

	switch (region_columns[column].member) {
	case TITLE:
		summary_format_region(buffer, TEXT_SIZE, region);
		break;
	case BEGIN_LINE:
		cell.number = line_of(region->begin_line);
		break;
	case END_LINE:
		cell.number = line_of(region->end_line);
		break;
	case SHARE:
		cell.ratio = summary_share(region->time, printing->figures.chosen);
		break;
	case MEAN:
		cell.number = summary_mean(region->time, region->visits);
		break;
	case BODY_MEAN:
		cell.number = summary_mean(region->body_sum, region->threads);
		break;
	case GAIN:
		cell.number = summary_gain(region);
		break;
	case WAIT:
		cell.number = summary_add(region->barrier_wait, region->enter_wait);
		break;
	default:
		cell = member_of(region, &region_columns[column]);
	}
	return cell;
}

static struct cell lock_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;
	const struct summary_lock *lock =
	    &printing->summary->locks[printing->lock_order ? printing->lock_order[row] : row];

	(void)buffer;
	if (lock_columns[column].member == TITLE)
		return (struct cell){.text = lock->name ? lock->name : "?"};
	return member_of(lock, &lock_columns[column]);
}

static struct cell task_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;
	const struct summary_task *task =
	    &printing->summary->tasks[printing->task_order ? printing->task_order[row] : row];
	struct cell cell = {.text = buffer};

	switch (task_columns[column].member) {
	case TITLE:
		summary_format_task(buffer, TEXT_SIZE, task->file, task->begin_line);
		break;
	case BEGIN_LINE:
		cell.number = line_of(task->begin_line);
		break;
	case MEAN:
		cell.number = summary_mean(task->execute_time, task->executed);
		break;
	default:
		cell = member_of(task, &task_columns[column]);
	}
	return cell;
}

struct figure_table printing_regions(const struct printing *printing)
{
	return (struct figure_table){"REGIONS by potential gain (min avg max: work, per thread)",
	    " regions", region_columns, COUNT_OF(region_columns), printing->summary->region_count,
	    printing->rows.regions, false, region_cell, printing};
}

struct figure_table printing_locks(const struct printing *printing)
{
	return (struct figure_table){"LOCKS AND CRITICALS by wait", " locks", lock_columns,
	    COUNT_OF(lock_columns), printing->summary->lock_count, printing->rows.locks, true,
	    lock_cell, printing};
}

struct figure_table printing_tasks(const struct printing *printing)
{
	return (struct figure_table){"TASKS by time", " task constructs", task_columns,
	    COUNT_OF(task_columns), printing->summary->task_count, printing->rows.tasks, false,
	    task_cell, printing};
}

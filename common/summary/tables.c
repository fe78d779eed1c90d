/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of regions, locks and tasks: what text, JSON and CSV print of them, and in which
 * order.
 */
#include "printers.h"

#include "common/blocked-rows.h"
#include "common/caller-rows.h"
#include "common/hot-rows.h"

#include <string.h>

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
	CONSTRUCT,
	CALL,
	INNER,
	INNER_LINE,
	FAULT_SHARE,
	PER_CYCLE,
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define REGION(member)  offsetof(struct summary_region, member)
#define CALLER(member)  offsetof(struct summary_caller, member)
#define HOT(member)     offsetof(struct summary_hot, member)
#define PATH(member)    offsetof(struct summary_path, member)
#define BLOCKED(member) offsetof(struct summary_blocked, member)
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
    {"delayed_ns", NULL, CELL_TIME, 0, REGION(delayed)},
    {"blocked_ns", NULL, CELL_TIME, 0, REGION(blocked)},
    {"system_ns", NULL, CELL_TIME, 0, REGION(system)},
    {"faults", NULL, CELL_COUNT, 0, REGION(faults)},
    {"wait_delayed_ns", NULL, CELL_TIME, 0, REGION(wait_delayed)},
};

static const struct table_column caller_columns[] = {
    {NULL, "file:line function", CELL_TEXT, 0, TITLE},
    {"function", NULL, CELL_TEXT, 0, CALLER(function)},
    {"file", NULL, CELL_TEXT, 0, CALLER(file)},
    {"line", NULL, CELL_COUNT, 0, BEGIN_LINE},
    {"calls", "calls", CELL_COUNT, 4, CALLER(calls)},
    {"time_ns", "time", CELL_TIME, 6, CALLER(time)},
    {NULL, "share", CELL_SHARE, 2, SHARE},
    {"region", "region", CELL_TEXT, 5, CONSTRUCT},
    {NULL, CALLER_WAY_TITLE, CELL_TEXT, 3, INNER},
    {"inner_function", NULL, CELL_TEXT, 0, CALLER(inner_function)},
    {"inner_file", NULL, CELL_TEXT, 0, CALLER(inner_file)},
    {"inner_line", NULL, CELL_COUNT, 0, INNER_LINE},
};

static const struct table_column hot_columns[] = {
    {NULL, "file:line function", CELL_TEXT, 0, TITLE},
    {"function", NULL, CELL_TEXT, 0, HOT(function)},
    {"file", NULL, CELL_TEXT, 0, HOT(file)},
    {"line", NULL, CELL_COUNT, 0, BEGIN_LINE},
    {"samples", "samples", CELL_COUNT, 2, HOT(samples)},
    {"wait_samples", NULL, CELL_COUNT, 0, HOT(waits)},
    {"fault_samples", NULL, CELL_COUNT, 0, HOT(faults)},
    {NULL, "share", CELL_SHARE, 4, SHARE},
    {NULL, HOT_FAULTS_TITLE, CELL_SHARE, 1, FAULT_SHARE},
#define COUNTER(id, name, key) {key, name, CELL_COUNT, 2, HOT(counted[SAMPLE_##id])},
    SAMPLE_COUNTERS(COUNTER)
#undef COUNTER
	{HOT_PER_CYCLE_KEY, HOT_PER_CYCLE_TITLE, CELL_FACTOR, 2, PER_CYCLE},
    {NULL, "mostly in", CELL_TEXT, 3, CONSTRUCT},
    {"construct", NULL, CELL_TEXT, 0, HOT(construct)},
    {"construct_file", NULL, CELL_TEXT, 0, HOT(construct_file)},
    {"construct_line", NULL, CELL_COUNT, 0, END_LINE},
};

static const struct table_column path_columns[] = {
    {"path", "call path", CELL_TEXT, 0, PATH(path)},
    {"samples", "samples", CELL_COUNT, 2, PATH(samples)},
    {"fault_samples", NULL, CELL_COUNT, 0, PATH(faults)},
    {NULL, "share", CELL_SHARE, 4, SHARE},
};

static const struct table_column blocked_columns[] = {
    {NULL, "file:line function", CELL_TEXT, 0, TITLE},
    {NULL, "for", CELL_TEXT, 5, CALL},
    {"call", NULL, CELL_TEXT, 0, BLOCKED(call)},
    {"what", NULL, CELL_TEXT, 0, BLOCKED(what)},
    {"function", NULL, CELL_TEXT, 0, BLOCKED(function)},
    {"file", NULL, CELL_TEXT, 0, BLOCKED(file)},
    {"line", NULL, CELL_COUNT, 0, BEGIN_LINE},
    {"blocked_ns", "time", CELL_TIME, 4, BLOCKED(time)},
    {"seen", NULL, CELL_COUNT, 0, BLOCKED(seen)},
    {NULL, "in", CELL_TEXT, 3, CONSTRUCT},
    {"construct", NULL, CELL_TEXT, 0, BLOCKED(construct)},
    {"construct_file", NULL, CELL_TEXT, 0, BLOCKED(construct_file)},
    {"construct_line", NULL, CELL_COUNT, 0, END_LINE},
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

static void write_place(char *buffer, const char *file, int line, const char *function)
{
	if (line > 0)
		snprintf(buffer, TEXT_SIZE, "%s:%d %s", summary_base_name(file), line,
		    function ? function : "?");
	else
		snprintf(
		    buffer, TEXT_SIZE, "%s %s", summary_base_name(file), function ? function : "");
}

static struct cell caller_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;
	const struct summary_caller *caller = &printing->summary->callers[row];
	struct cell cell = {.text = buffer};

	switch (caller_columns[column].member) {
	case TITLE:
		write_place(buffer, caller->file, caller->line, caller->function);
		break;
	case BEGIN_LINE:
		cell.number = line_of(caller->line);
		break;
	case INNER_LINE:
		cell.number = line_of(caller->inner_line);
		break;
	case SHARE:
		cell.ratio = summary_share(caller->time, printing->summary->wall);
		break;
	case CONSTRUCT:
		caller_region(buffer, TEXT_SIZE, caller);
		break;
	case INNER:
		buffer[0] = '\0';
		if (caller_is_called_by_way(caller))
			write_place(
			    buffer, caller->inner_file, caller->inner_line, caller->inner_function);
		break;
	default:
		cell = member_of(caller, &caller_columns[column]);
	}
	return cell;
}

static struct cell hot_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;
	const struct summary_hot *hot = &printing->summary->hot[row];
	struct cell cell = {.text = buffer};

	switch (hot_columns[column].member) {
	case TITLE:
		write_place(buffer, hot->file, hot->line, hot->function);
		break;
	case BEGIN_LINE:
		cell.number = line_of(hot->line);
		break;
	case END_LINE:
		cell.number = line_of(hot->construct_line);
		break;
	case SHARE:
		cell.ratio = summary_share(hot->samples, printing->summary->samples);
		break;
	case FAULT_SHARE:
		cell.ratio = summary_share(hot->faults, hot->samples);
		break;
	case PER_CYCLE:
		cell.ratio = hot_per_cycle(hot->counted);
		break;
	case CONSTRUCT:
		snprintf(buffer, TEXT_SIZE, "%s%s", hot->construct ? hot->construct : "",
		    hot->waits > hot->samples / 2 ? ", waiting" : "");
		break;
	default:
		cell = member_of(hot, &hot_columns[column]);
	}
	return cell;
}

static struct cell path_cell(
    const struct printing *printing, const struct summary_path *path, size_t column)
{
	if (path_columns[column].member == SHARE)
		return (struct cell){
		    .ratio = summary_share(path->samples, printing->summary->samples)};
	return member_of(path, &path_columns[column]);
}

static struct cell blocked_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;
	const struct summary_blocked *blocked = &printing->summary->blocked_calls[row];
	struct cell cell = {.text = buffer};

	switch (blocked_columns[column].member) {
	case TITLE:
		write_place(buffer, blocked->file, blocked->line, blocked->function);
		break;
	case CALL:
		blocked_title(buffer, blocked);
		break;
	case BEGIN_LINE:
		cell.number = line_of(blocked->line);
		break;
	case END_LINE:
		cell.number = line_of(blocked->construct_line);
		break;
	case CONSTRUCT:
		snprintf(buffer, TEXT_SIZE, "%s", blocked->construct ? blocked->construct : "");
		break;
	default:
		cell = member_of(blocked, &blocked_columns[column]);
	}
	return cell;
}

static struct cell team_path_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;

	(void)buffer;
	return path_cell(printing, &printing->summary->team_paths[row], column);
}

static struct cell serial_path_cell(const void *context, size_t row, size_t column, char *buffer)
{
	const struct printing *printing = context;

	(void)buffer;
	return path_cell(printing, &printing->summary->serial_paths[row], column);
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

struct figure_table printing_callers(const struct printing *printing)
{
	const struct summary *summary = printing->summary;

	return (struct figure_table){
	    "CALLED FROM PYTHON: lines that called parallel regions, by time", " lines",
	    caller_columns, COUNT_OF(caller_columns), summary->caller_count, printing->rows.callers,
	    false, caller_cell, printing,
	    caller_choose_columns(caller_columns, COUNT_OF(caller_columns), summary), 0};
}

struct figure_table printing_hot(const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	const struct hot_columns chosen =
	    hot_choose_columns(hot_columns, COUNT_OF(hot_columns), summary->sample_counters,
		hot_faults_matter(hot_fault_samples(summary), summary->samples));

	return (struct figure_table){"HOT CODE by processor time (samples)", " lines", hot_columns,
	    COUNT_OF(hot_columns), summary->hot_count, printing->rows.hot, false, hot_cell,
	    printing, chosen.left_out, chosen.unmeasured};
}

struct figure_table printing_paths(const struct printing *printing)
{
	return (struct figure_table){"HOT PATHS by processor time, in parallel regions", " paths",
	    path_columns, COUNT_OF(path_columns), printing->summary->team_path_count,
	    printing->rows.paths, false, team_path_cell, printing};
}

struct figure_table printing_serial(const struct printing *printing)
{
	return (struct figure_table){"SERIAL PART by processor time, outside of parallel regions",
	    " paths", path_columns, COUNT_OF(path_columns), printing->summary->serial_path_count,
	    printing->rows.serial, false, serial_path_cell, printing};
}

struct figure_table printing_blocked(const struct printing *printing)
{
	return (struct figure_table){"BLOCKED in the kernel, outside of OpenMP's waits, by time",
	    " calls", blocked_columns, COUNT_OF(blocked_columns),
	    printing->summary->blocked_call_count, printing->rows.blocked, false, blocked_cell,
	    printing};
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

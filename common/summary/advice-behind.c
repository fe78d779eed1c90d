/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cause of a wait at the end of a construct: a construct that takes one thread longer than the
 * others, the longest task, or tasks that are too small. The figures are sums over the run and show
 * no order of events. Therefore only something that is executed in the same parallel region and
 * accounts for at least half of the wait is named, and the sentence only tells how long it takes.
 */
#include <stdbool.h>
#include <string.h>

#include "advice.h"

/* The part of the wait that must be accounted for, and how much larger than the wait it may be. */
#define PART_EXPLAINED 0.5
#define MOST_EXPLAINED 2.0

/* ns: a task that takes less is small for any runtime, which has to create and to schedule it. */
#define SMALL_TASK 1000

static bool is_parallel(const struct summary_region *region)
{
	return construct_kind(advice_construct(region)) == CONSTRUCT_KIND_PARALLEL;
}

static bool holds(const struct summary_region *region, const char *file, int line)
{
	return line > 0 && file && region->file && region->begin_line <= line &&
	       line <= region->end_line && strcmp(region->file, file) == 0;
}

const struct summary_region *advice_parallel_of(
    const struct summary *summary, const char *file, int line)
{
	const struct summary_region *innermost = NULL, *only = NULL;
	size_t count = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];

		if (!is_parallel(region))
			continue;
		count++;
		only = region;
		if (holds(region, file, line) &&
		    (!innermost || region->begin_line >= innermost->begin_line))
			innermost = region;
	}
	return innermost || count != 1 ? innermost : only;
}

/*
 * Returns whether the code at that line is executed in the same parallel region as the construct.
 */
static bool is_beside(
    const struct summary *summary, const struct summary_region *region, const char *file, int line)
{
	const struct summary_region *parallel =
	    is_parallel(region) ? region
				: advice_parallel_of(summary, region->file, region->begin_line);

	return parallel && advice_parallel_of(summary, file, line) == parallel;
}

bool advice_has_tasks(const struct summary *summary, const struct summary_region *region)
{
	for (size_t i = 0; i < summary->task_count; i++) {
		const struct summary_task *task = &summary->tasks[i];

		if (task->executed > 0 && is_beside(summary, region, task->file, task->begin_line))
			return true;
	}
	return false;
}

bool advice_works_alone(const struct summary_region *region, uint64_t loss)
{
	return construct_kind(advice_construct(region)) == CONSTRUCT_KIND_SINGLE &&
	       (double)region->self * ((double)region->threads - 1) >=
		   PART_EXPLAINED * (double)loss;
}

/*
 * Returns whether at least half of its body is its own work, outside of constructs and tasks in it.
 */
static bool works_itself(const struct summary_region *region)
{
	return (double)region->self >= PART_EXPLAINED * (double)region->body_sum;
}

static bool is_single(const struct summary_region *region)
{
	return construct_kind(advice_construct(region)) == CONSTRUCT_KIND_SINGLE;
}

/*
 * Returns how much longer the slowest thread takes than the others, summed over the others. Another
 * thread may execute a single each time: it is the others then that have no part of it.
 */
static double excess_of(const struct summary_region *region, uint64_t threads)
{
	double most = (double)region->body_max * (double)threads, sum = (double)region->body_sum;

	if (region->body_max == SUMMARY_NOT_MEASURED || region->threads > threads)
		return 0;
	if (is_single(region) && region->threads == threads)
		return sum * ((double)threads - 1);
	return most > sum ? most - sum : 0;
}

static const struct summary_region *find_construct(
    const struct advice_view *view, const struct summary_region *region, double loss)
{
	const struct summary *summary = view->summary;
	const struct summary_region *found = NULL;
	bool has_tasks = advice_has_tasks(summary, region);
	double most = PART_EXPLAINED * loss;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *other = &summary->regions[i];
		enum construct_kind kind = construct_kind(advice_construct(other));
		double excess = excess_of(other, region->threads);

		if (other == region || is_parallel(other) || kind == CONSTRUCT_KIND_TASK ||
		    kind == CONSTRUCT_KIND_MPI || excess < most || excess > MOST_EXPLAINED * loss ||
		    (has_tasks && !works_itself(other)) ||
		    !is_beside(summary, region, other->file, other->begin_line))
			continue;
		found = other;
		most = excess;
	}
	return found;
}

bool advice_is_small(const struct summary_task *task)
{
	if (task->execute_time == SUMMARY_NOT_MEASURED || task->executed == 0)
		return false;
	uint64_t execute = task->execute_time / task->executed;
	if (!advice_knows_creation(task))
		return execute < SMALL_TASK;
	return task->create_time / task->created >= execute / 10;
}

/* Returns the time in constructs of the same parallel region, outside of tasks and waits. */
static double time_beside(const struct summary *summary, const struct summary_task *task)
{
	double time = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];

		if (construct_kind(advice_construct(region)) != CONSTRUCT_KIND_TASK &&
		    is_beside(summary, region, task->file, task->begin_line))
			time += (double)region->self;
	}
	return time;
}

/*
 * What small tasks cost the thread that creates them, at most: their creation, which is part of
 * other constructs where it is not measured apart, and the execution of those that were undeferred.
 */
static double cost_of_small(const struct summary *summary, const struct summary_task *task)
{
	double cost =
	    advice_knows_creation(task) ? (double)task->create_time : time_beside(summary, task);

	if (task->undeferred != SUMMARY_NOT_MEASURED)
		cost +=
		    (double)task->execute_time * (double)task->undeferred / (double)task->executed;
	return cost;
}

/*
 * While one thread creates the tasks, or executes the longest of them, each of the others waits at
 * most that long, each time the construct is executed.
 */
static double explained_by(const struct summary *summary, const struct summary_region *region,
    const struct summary_task *task, bool is_small)
{
	double others = (double)region->threads - 1;
	double executions = (double)region->visits / (double)region->threads;

	if (is_small)
		return cost_of_small(summary, task) * others;
	return task->execute_max == SUMMARY_NOT_MEASURED
		   ? 0
		   : (double)task->execute_max * others * (executions > 1 ? executions : 1);
}

static const struct summary_task *find_task(
    const struct advice_view *view, const struct summary_region *region, double loss, bool is_small)
{
	const struct summary *summary = view->summary;
	const struct summary_task *found = NULL;
	double most = PART_EXPLAINED * loss;

	for (size_t i = 0; i < summary->task_count; i++) {
		const struct summary_task *task = &summary->tasks[i];
		double explained = explained_by(summary, region, task, is_small);

		if (task->executed == 0 || advice_is_small(task) != is_small || explained < most ||
		    !is_beside(summary, region, task->file, task->begin_line))
			continue;
		found = task;
		most = explained;
	}
	return found;
}

struct advice_behind advice_find_behind(
    const struct advice_view *view, const struct summary_region *region, uint64_t loss)
{
	struct advice_behind behind = {NULL, NULL, false};

	if (region->threads < 2 || loss == 0)
		return behind;
	behind.task = find_task(view, region, (double)loss, true);
	behind.is_small = behind.task != NULL;
	if (behind.task || advice_works_alone(region, loss))
		return behind;
	behind.region = find_construct(view, region, (double)loss);
	if (behind.region)
		return behind;
	behind.task = find_task(view, region, (double)loss, false);
	return behind;
}

void advice_write_behind(char *text, size_t size, const struct advice_behind *behind,
    const struct summary_region *region)
{
	char place[128], one[SUMMARY_FIGURE_SIZE], other[SUMMARY_FIGURE_SIZE];

	if (behind->region) {
		summary_format_region(place, sizeof(place), behind->region);
		if (is_single(behind->region)) {
			snprintf(text, size,
			    "in the same parallel region %.100s has one thread work for %s in all: "
			    "share that out, or let the others go on meanwhile",
			    place, summary_format_time(one, behind->region->body_sum));
			return;
		}
		snprintf(text, size,
		    "in the same parallel region %.100s takes one thread %s, and %s on average: share "
		    "that out, or let the others go on meanwhile",
		    place, summary_format_time(one, behind->region->body_max),
		    summary_format_time(other, behind->region->body_sum / region->threads));
		return;
	}
	summary_format_task(place, sizeof(place), behind->task->file, behind->task->begin_line);
	summary_format_time(one, behind->task->execute_time / behind->task->executed);
	if (behind->is_small && !advice_knows_creation(behind->task))
		snprintf(text, size,
		    "tasks of the same parallel region are small: a %.100s runs %s on average; make "
		    "them larger, for instance with a cut-off (if, final) or taskloop grainsize",
		    place, one);
	else if (behind->is_small)
		snprintf(text, size,
		    "tasks of the same parallel region are small: a %.100s runs %s on average and "
		    "takes %s to create; make them larger, for instance with a cut-off (if, final) or "
		    "taskloop grainsize",
		    place, one,
		    summary_format_time(other, behind->task->create_time / behind->task->created));
	else
		snprintf(text, size,
		    "tasks are executed in the same parallel region, and the longest %.100s takes "
		    "%s, %s on average: split the longest tasks, or create them first",
		    place, summary_format_time(other, behind->task->execute_max), one);
}

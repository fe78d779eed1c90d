/* SPDX-License-Identifier: BSD-3-Clause */
/* From events to slices: a stack for each thread, and one for each task until it is completed. */
#include "slices.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct opened {
	uint32_t region;
	uint64_t begin;
};

struct stack {
	struct opened *items;
	size_t depth, room;
	bool running; /* for a task: it is on some thread */
};

struct lane {
	struct stack base;
	struct stack *task; /* the task that runs on top of base, or NULL */
	uint64_t last;
};

struct reading {
	struct archive *archive;
	const struct slice_sink *sink;
	struct lane *lanes;
	struct pair_map tasks; /* (team, creator and number) to struct stack */
	bool started;
	uint64_t last; /* time of the last event */
};

const char *slices_region_name(const struct archive *archive, uint32_t region)
{
	static const char mark[] = "!$omp ";
	const char *name = region == ARCHIVE_NO_INDEX ? "?" : archive->regions[region].name;

	return strncmp(name, mark, strlen(mark)) == 0 ? name + strlen(mark) : name;
}

static void close_top(struct reading *reading, uint32_t location, struct stack *stack, uint64_t now)
{
	struct lane *lane = &reading->lanes[location];
	struct opened top = stack->items[--stack->depth];
	size_t below = stack == &lane->base ? 0 : lane->base.depth;

	reading->sink->close(
	    reading->sink->context, location, top.region, top.begin, now, below + stack->depth);
}

static void enter(struct reading *reading, const struct archive_event *event)
{
	struct lane *lane = &reading->lanes[event->location];
	struct stack *stack = lane->task ? lane->task : &lane->base;

	*MEMORY_ADD(stack->items, stack->room, stack->depth) =
	    (struct opened){event->subject, event->time};
	reading->sink->open(reading->sink->context, event->location, event->subject, event->time);
	if (reading->sink->visit)
		reading->sink->visit(reading->sink->context, event->location, event->time);
}

/* A leave also closes everything above its enter; a leave without enter is ignored. */
static void leave(struct reading *reading, const struct archive_event *event)
{
	struct lane *lane = &reading->lanes[event->location];
	struct stack *stack = lane->task ? lane->task : &lane->base;
	size_t at = stack->depth;

	while (at > 0 && stack->items[at - 1].region != event->subject)
		at--;
	while (at > 0 && stack->depth >= at)
		close_top(reading, event->location, stack, event->time);
}

/* Closes the slices of the lane's task and keeps its stack. */
static void suspend(struct reading *reading, uint32_t location, uint64_t now)
{
	struct lane *lane = &reading->lanes[location];
	struct stack *task = lane->task;
	size_t depth;

	if (!task)
		return;
	depth = task->depth;
	while (task->depth > 0)
		close_top(reading, location, task, now);
	task->depth = depth;
	task->running = false;
	lane->task = NULL;
}

static void switch_task(struct reading *reading, const struct archive_event *event)
{
	struct map_key key = archive_task_key(event);
	struct stack *task;
	uint64_t found;

	suspend(reading, event->location, event->time);
	if (event->generation == 0)
		return;
	found = pair_map_find(&reading->tasks, key);
	task = found == MAP_NONE ? memory_new(1, sizeof(*task)) : (void *)(uintptr_t)found;
	if (found == MAP_NONE)
		memory_pair_map_set(&reading->tasks, key, (uintptr_t)task);
	if (task->running)
		return; /* a broken trace: one task on two threads */
	task->running = true;
	reading->lanes[event->location].task = task;
	for (size_t i = 0; i < task->depth; i++) {
		task->items[i].begin = event->time;
		reading->sink->open(
		    reading->sink->context, event->location, task->items[i].region, event->time);
	}
}

static void complete_task(struct reading *reading, const struct archive_event *event)
{
	struct map_key key = archive_task_key(event);
	uint64_t found = pair_map_find(&reading->tasks, key);
	struct stack *task = (void *)(uintptr_t)found;

	if (found == MAP_NONE)
		return;
	if (reading->lanes[event->location].task == task)
		suspend(reading, event->location, event->time);
	if (task->running)
		return;
	pair_map_erase(&reading->tasks, key);
	free(task->items);
	free(task);
}

static void consume(void *context, const struct archive_event *given)
{
	struct reading *reading = context;
	struct archive_event event = *given;
	struct lane *lane = &reading->lanes[event.location];

	if (!reading->started)
		reading->sink->start(reading->sink->context, event.time);
	reading->started = true;
	if (event.time < lane->last)
		event.time = lane->last;
	lane->last = event.time;
	if (event.time > reading->last)
		reading->last = event.time;
	switch ((enum archive_event_kind)event.kind) {
	case EVENT_ENTER:
		enter(reading, &event);
		break;
	case EVENT_LEAVE:
		leave(reading, &event);
		break;
	case EVENT_TASK_SWITCH:
		switch_task(reading, &event);
		break;
	case EVENT_TASK_COMPLETE:
		complete_task(reading, &event);
		break;
	default:
		if (reading->sink->event &&
		    (event.kind == EVENT_METRIC || archive_is_sample(&event) ||
			event.kind == EVENT_ACQUIRE || archive_is_mpi_event(event.kind)))
			reading->sink->event(reading->sink->context, &event);
		break;
	}
}

static void free_tasks(struct pair_map *tasks)
{
	for (size_t at = pair_map_used(tasks, 0); at != MAP_END;
	     at = pair_map_used(tasks, at + 1)) {
		struct stack *task = (struct stack *)(uintptr_t)pair_map_value(tasks, at);

		free(task->items);
		free(task);
	}
	pair_map_free(tasks);
}

uint64_t slices_read(struct archive *archive, const struct slice_sink *sink)
{
	struct reading reading = {.archive = archive, .sink = sink};

	reading.lanes = memory_new(archive->location_count, sizeof(reading.lanes[0]));
	archive_for_each_event(archive, consume, &reading);
	for (size_t i = 0; i < archive->location_count; i++) {
		struct lane *lane = &reading.lanes[i];

		suspend(&reading, (uint32_t)i, lane->last);
		while (lane->base.depth > 0)
			close_top(&reading, (uint32_t)i, &lane->base, lane->last);
		free(lane->base.items);
	}
	free_tasks(&reading.tasks);
	free(reading.lanes);
	return reading.last;
}

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

struct slices {
	const struct archive *archive;
	const struct slice_sink *sink;
	struct lane *lanes;
	struct pair_map tasks; /* by task_key(), to struct stack */
	bool started;
	uint64_t last; /* time of the last event */
};

const char *slices_region_name(const struct archive *archive, uint32_t region)
{
	static const char mark[] = "!$omp ";
	const char *name = region == ARCHIVE_NO_INDEX ? "?" : archive->regions[region].name;

	return strncmp(name, mark, strlen(mark)) == 0 ? name + strlen(mark) : name;
}

static void close_top(struct slices *slices, uint32_t location, struct stack *stack, uint64_t now)
{
	struct lane *lane = &slices->lanes[location];
	struct opened top = stack->items[--stack->depth];
	size_t below = stack == &lane->base ? 0 : lane->base.depth;

	slices->sink->close(
	    slices->sink->context, location, top.region, top.begin, now, below + stack->depth);
}

static void enter(struct slices *slices, const struct archive_event *event)
{
	struct lane *lane = &slices->lanes[event->location];
	struct stack *stack = lane->task ? lane->task : &lane->base;

	*MEMORY_ADD(stack->items, stack->room, stack->depth) =
	    (struct opened){event->subject, event->time};
	slices->sink->open(slices->sink->context, event->location, event->subject, event->time);
	if (slices->sink->visit)
		slices->sink->visit(slices->sink->context, event->location, event->time);
}

/* A leave also closes everything above its enter; a leave without enter is ignored. */
static void leave(struct slices *slices, const struct archive_event *event)
{
	struct lane *lane = &slices->lanes[event->location];
	struct stack *stack = lane->task ? lane->task : &lane->base;
	size_t at = stack->depth;

	while (at > 0 && stack->items[at - 1].region != event->subject)
		at--;
	while (at > 0 && stack->depth >= at)
		close_top(slices, event->location, stack, event->time);
}

/* Closes the slices of the lane's task and keeps its stack. */
static void suspend(struct slices *slices, uint32_t location, uint64_t now)
{
	struct lane *lane = &slices->lanes[location];
	struct stack *task = lane->task;
	size_t depth;

	if (!task)
		return;
	depth = task->depth;
	while (task->depth > 0)
		close_top(slices, location, task, now);
	task->depth = depth;
	task->running = false;
	lane->task = NULL;
}

/* Tasks of different processes are different. */
static struct map_key task_key(const struct slices *slices, const struct archive_event *event)
{
	struct map_key key = archive_task_key(event);

	key.first |= (uint64_t)slices->archive->locations[event->location].group << 32;
	return key;
}

static void switch_task(struct slices *slices, const struct archive_event *event)
{
	struct map_key key = task_key(slices, event);
	struct stack *task;
	uint64_t found;

	suspend(slices, event->location, event->time);
	if (event->generation == 0)
		return;
	found = pair_map_find(&slices->tasks, key);
	task = found == MAP_NONE ? memory_new(1, sizeof(*task)) : (void *)(uintptr_t)found;
	if (found == MAP_NONE)
		memory_pair_map_set(&slices->tasks, key, (uintptr_t)task);
	if (task->running)
		return; /* a broken trace: one task on two threads */
	task->running = true;
	slices->lanes[event->location].task = task;
	for (size_t i = 0; i < task->depth; i++) {
		task->items[i].begin = event->time;
		slices->sink->open(
		    slices->sink->context, event->location, task->items[i].region, event->time);
	}
}

static void complete_task(struct slices *slices, const struct archive_event *event)
{
	struct map_key key = task_key(slices, event);
	uint64_t found = pair_map_find(&slices->tasks, key);
	struct stack *task = (void *)(uintptr_t)found;

	if (found == MAP_NONE)
		return;
	if (slices->lanes[event->location].task == task)
		suspend(slices, event->location, event->time);
	if (task->running)
		return;
	pair_map_erase(&slices->tasks, key);
	free(task->items);
	free(task);
}

void slices_event(struct slices *slices, const struct archive_event *given)
{
	struct archive_event event = *given;
	struct lane *lane = &slices->lanes[event.location];

	if (!slices->started)
		slices->sink->start(slices->sink->context, event.time);
	slices->started = true;
	if (event.time < lane->last)
		event.time = lane->last;
	lane->last = event.time;
	if (event.time > slices->last)
		slices->last = event.time;
	switch ((enum archive_event_kind)event.kind) {
	case EVENT_ENTER:
		enter(slices, &event);
		break;
	case EVENT_LEAVE:
		leave(slices, &event);
		break;
	case EVENT_TASK_SWITCH:
		switch_task(slices, &event);
		break;
	case EVENT_TASK_COMPLETE:
		complete_task(slices, &event);
		break;
	default:
		if (slices->sink->event &&
		    (event.kind == EVENT_METRIC || archive_is_sample(&event) ||
			event.kind == EVENT_ACQUIRE || archive_is_mpi_event(event.kind)))
			slices->sink->event(slices->sink->context, &event);
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

struct slices *slices_new(const struct archive *archive, const struct slice_sink *sink)
{
	struct slices *slices = memory_new(1, sizeof(*slices));

	slices->archive = archive;
	slices->sink = sink;
	slices->lanes = memory_new(archive->location_count, sizeof(slices->lanes[0]));
	return slices;
}

static void end_location(struct slices *slices, uint32_t location)
{
	struct lane *lane = &slices->lanes[location];

	suspend(slices, location, lane->last);
	while (lane->base.depth > 0)
		close_top(slices, location, &lane->base, lane->last);
	free(lane->base.items);
	*lane = (struct lane){0};
}

uint64_t slices_end(struct slices *slices, const uint32_t *locations, size_t count)
{
	uint64_t last = slices->last;

	for (size_t i = 0; i < count; i++)
		end_location(slices, locations[i]);
	free_tasks(&slices->tasks);
	slices->started = false;
	slices->last = 0;
	return last;
}

void slices_free(struct slices *slices)
{
	free(slices->lanes);
	free(slices);
}

static void consume(void *context, const struct archive_event *event)
{
	slices_event(context, event);
}

void slices_read(struct archive *archive, const struct slice_sink *sink)
{
	struct slices *slices = slices_new(archive, sink);
	uint32_t *locations = memory_new(archive->location_count, sizeof(locations[0]));

	for (size_t i = 0; i < archive->location_count; i++)
		locations[i] = (uint32_t)i;
	archive_for_each_event(archive, consume, slices);
	slices_end(slices, locations, archive->location_count);
	free(locations);
	slices_free(slices);
}

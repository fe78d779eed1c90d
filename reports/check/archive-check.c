/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state that `ompreport check` keeps through the events: open regions by task, teams and forks
 * by thread, the holder of each lock, and tasks that are not completed. Unlike the analysis, it
 * corrects nothing and checks every event by itself.
 *
 * Events of different threads with the same time have no defined order, so the next holder's
 * acquire may be read before the release. It is an overlap only if the release has a later time.
 */
#include <stdlib.h>

#include "archive-check.h"
#include "memory.h"

static void push(struct check_stack *stack, uint32_t item)
{
	*MEMORY_ADD(stack->items, stack->room, stack->depth) = item;
}

/*
 * Removes the item from the top, or from below together with everything above it; returns false if
 * it was not on top.
 */
static bool pop(struct check_stack *stack, uint32_t item)
{
	size_t at = stack->depth;

	while (at > 0 && stack->items[at - 1] != item)
		at--;
	if (at == 0)
		return false;
	if (at == stack->depth) {
		stack->depth--;
		return true;
	}
	stack->depth = at - 1;
	return false;
}

static struct check_stack *regions_of(struct check_location *location)
{
	return location->current ? &location->current->regions : &location->base;
}

static struct check_task *find_task(const struct check *check, struct map_key key)
{
	uint64_t found = pair_map_find(&check->tasks, key);

	return found == MAP_NONE ? NULL : (struct check_task *)(uintptr_t)found;
}

static void suspend(struct check_location *location)
{
	if (location->current)
		location->current->running_on = ARCHIVE_NO_INDEX;
	location->current = NULL;
}

static void switch_task(struct check *check, const struct archive_event *event)
{
	struct check_location *location = &check->locations[event->location];
	struct map_key key = archive_task_key(event);
	struct check_task *task;

	suspend(location);
	if (event->generation == 0)
		return;
	task = find_task(check, key);
	if (!task) {
		task = memory_new(1, sizeof(*task));
		task->running_on = ARCHIVE_NO_INDEX;
		memory_pair_map_set(&check->tasks, key, (uintptr_t)task);
	}
	if (task->running_on != ARCHIVE_NO_INDEX) {
		check_add_finding_at(check, RULE_TASK, event);
		return;
	}
	task->running_on = event->location;
	location->current = task;
}

static void complete_task(struct check *check, const struct archive_event *event)
{
	struct map_key key = archive_task_key(event);
	struct check_task *task = find_task(check, key);

	if (!task) {
		check_add_finding_at(check, RULE_TASK, event);
		return;
	}
	if (task->regions.depth > 0)
		check_add_finding_at(check, RULE_OPEN, event);
	if (task->running_on != ARCHIVE_NO_INDEX && task->running_on != event->location)
		check_add_finding_at(check, RULE_TASK, event);
	if (task->running_on != ARCHIVE_NO_INDEX)
		check->locations[task->running_on].current = NULL;
	pair_map_erase(&check->tasks, key);
	pair_map_erase(&check->created, key);
	free(task->regions.items);
	free(task);
}

static struct check_lock *find_lock(struct check *check, const struct archive_event *event)
{
	struct map_key key = {event->subject, check->archive->locations[event->location].group};
	uint64_t index = pair_map_find(&check->lock_of, key);

	if (index == MAP_NONE) {
		index = check->lock_count++;
		MEMORY_GROW(check->locks, check->lock_room, check->lock_count);
		check->locks[index].next_holder = ARCHIVE_NO_INDEX;
		memory_pair_map_set(&check->lock_of, key, index);
	}
	return &check->locks[index];
}

/*
 * When a thread acquires a lock that it already holds, the number may or may not increase.
 * Acquisitions at the same time have no order. The numbers have 32 bits and wrap around.
 */
static void count_acquisition(
    struct check *check, struct check_lock *lock, const struct archive_event *event)
{
	bool again = lock->depth > 0 && lock->holder == event->location;

	int32_t step = (int32_t)(event->generation - lock->order);

	if (lock->acquired && step < !again && event->time > lock->ordered_at)
		check_add_finding_at(check, RULE_ORDER, event);
	if (!lock->acquired || step > 0)
		lock->order = event->generation;
	lock->acquired = true;
	lock->ordered_at = event->time;
	check->acquisitions++;
}

static void acquire(struct check *check, const struct archive_event *event)
{
	struct check_lock *lock = find_lock(check, event);

	count_acquisition(check, lock, event);
	if (lock->depth == 0 || lock->holder == event->location) {
		lock->holder = event->location;
		lock->depth++;
		return;
	}
	/*
	 * Only the holder's release shows whether it is an overlap; a second acquisition before it
	 * always is.
	 */
	if (lock->next_holder != ARCHIVE_NO_INDEX)
		check_add_finding_at(check, RULE_OVERLAP, event);
	lock->next_holder = event->location;
	lock->taken_at = event->time;
}

static void release(struct check *check, const struct archive_event *event)
{
	struct check_lock *lock = find_lock(check, event);

	if (lock->depth == 0 || lock->holder != event->location) {
		check_add_finding_at(check, RULE_RELEASE, event);
		return;
	}
	if (--lock->depth > 0 || lock->next_holder == ARCHIVE_NO_INDEX)
		return;
	if (event->time > lock->taken_at)
		check_add_finding(check, RULE_OVERLAP, lock->next_holder, lock->taken_at);
	lock->holder = lock->next_holder;
	lock->depth = 1;
	lock->next_holder = ARCHIVE_NO_INDEX;
}

/*
 * A strict class promises values directly before each enter and leave, from the thread's first
 * value on.
 */
static void check_metrics(struct check *check, const struct archive_event *event)
{
	struct check_location *location = &check->locations[event->location];

	if (archive_is_of_counters(check->archive, event) ||
	    archive_has_mark(check->archive, event))
		return;
	if (event->kind == EVENT_METRIC) {
		location->counts = location->counts_now = true;
		return;
	}
	if ((event->kind == EVENT_ENTER || event->kind == EVENT_LEAVE) && location->counts &&
	    check->archive->strict_metrics &&
	    !(location->counts_now && event->time == location->last_time))
		check_add_finding_at(check, RULE_METRIC, event);
	location->counts_now = false;
}

static void check_event(struct check *check, const struct archive_event *event)
{
	struct check_location *location = &check->locations[event->location];

	switch ((enum archive_event_kind)event->kind) {
	case EVENT_ENTER:
		push(regions_of(location), event->subject);
		break;
	case EVENT_LEAVE:
		if (!pop(regions_of(location), event->subject))
			check_add_finding_at(check, RULE_LEAVE, event);
		break;
	case EVENT_FORK:
		location->forks++;
		check->forks++;
		break;
	case EVENT_JOIN:
		if (location->forks == 0)
			check_add_finding_at(check, RULE_FORK, event);
		location->forks -= location->forks > 0;
		break;
	case EVENT_TEAM_BEGIN:
		push(&location->teams, event->subject);
		if (!check_is_member(check->archive, event))
			check_add_finding_at(check, RULE_MEMBER, event);
		break;
	case EVENT_TEAM_END:
		if (!pop(&location->teams, event->subject))
			check_add_finding_at(check, RULE_TEAM, event);
		break;
	case EVENT_ACQUIRE:
		acquire(check, event);
		break;
	case EVENT_RELEASE:
		release(check, event);
		break;
	case EVENT_TASK_CREATE:
		memory_pair_map_set(&check->created, archive_task_key(event), event->location);
		break;
	case EVENT_TASK_SWITCH:
		switch_task(check, event);
		break;
	case EVENT_TASK_COMPLETE:
		complete_task(check, event);
		break;
	case EVENT_PROGRAM_BEGIN:
	case EVENT_PROGRAM_END:
		location->program = event->kind == EVENT_PROGRAM_BEGIN;
		break;
	default:
		break;
	}
}

static bool has_reference(const struct archive_event *event)
{
	switch ((enum archive_event_kind)event->kind) {
	case EVENT_ENTER:
	case EVENT_LEAVE:
	case EVENT_TEAM_BEGIN:
	case EVENT_TEAM_END:
	case EVENT_TASK_CREATE:
	case EVENT_TASK_SWITCH:
	case EVENT_TASK_COMPLETE:
	case EVENT_MPI_SEND:
	case EVENT_MPI_ISEND:
	case EVENT_MPI_RECV:
	case EVENT_MPI_IRECV:
	case EVENT_MPI_COLLECTIVE_END:
	case EVENT_MPI_COLLECTIVE_DONE:
		return true;
	default:
		return false;
	}
}

static void consume(void *context, const struct archive_event *event)
{
	struct check *check = context;
	const struct archive *archive = check->archive;
	struct check_location *location = &check->locations[event->location];

	if (event->time < check->first_time)
		check->first_time = event->time;
	if (event->time < location->last_time)
		check_add_finding_at(check, RULE_TIME, event);
	check_metrics(check, event);
	location->last_time = event->time;
	if (event->time < archive->clock_start ||
	    event->time - archive->clock_start > archive->clock_length)
		check_add_finding_at(check, RULE_CLOCK, event);
	if (has_reference(event) && event->subject == ARCHIVE_NO_INDEX)
		check_add_finding_at(check, RULE_REFERENCE, event);
	if (archive_is_mpi_event(event->kind))
		check_mpi_event(check, event);
	else
		check_event(check, event);
}

/* Checks what is still open when a thread's events end. */
static void check_end(struct check *check, uint32_t index)
{
	const struct archive_location *location = &check->archive->locations[index];
	const struct check_location *state = &check->locations[index];
	uint64_t end = state->last_time;

	for (size_t i = 0; i < state->base.depth; i++)
		check_add_finding(check, RULE_OPEN, index, end);
	for (size_t i = 0; i < state->teams.depth; i++)
		check_add_finding(check, RULE_TEAM, index, end);
	for (uint64_t i = 0; i < state->forks; i++)
		check_add_finding(check, RULE_FORK, index, end);
	if (state->program)
		check_add_finding(check, RULE_PROGRAM, index, end);
	if (location->truncated || location->events_read < location->events_announced)
		check_add_finding(check, RULE_MISSING, index, end);
	if (!location->has_local_definitions)
		check_add_finding(check, RULE_LOCAL, index, end);
	check->findings[RULE_UNKNOWN].count += location->events_skipped;
}

struct check *check_run(struct archive *archive)
{
	struct check *check = memory_new(1, sizeof(*check));

	check->archive = archive;
	check->first_time = UINT64_MAX;
	check->locations = memory_new(archive->location_count, sizeof(check->locations[0]));
	for (int i = 0; i < RULES; i++)
		check->findings[i].location = ARCHIVE_NO_INDEX;
	check->mpi = check_mpi_new(archive);
	archive_for_each_event(archive, consume, check);
	check_mpi_end(check);
	for (size_t i = 0; i < archive->location_count; i++)
		check_end(check, (uint32_t)i);
	for (size_t i = 0; i < check->lock_count; i++) {
		if (check->locks[i].depth > 0)
			check_add_finding(check, RULE_HELD, check->locks[i].holder,
			    check->locations[check->locks[i].holder].last_time);
	}
	check->findings[RULE_UNFINISHED].count = check->created.map.count;
	check_definitions(check);
	return check;
}

void check_free(struct check *check)
{
	const struct pair_map *tasks = &check->tasks;

	for (size_t i = 0; i < check->archive->location_count; i++) {
		free(check->locations[i].base.items);
		free(check->locations[i].teams.items);
	}
	for (size_t at = pair_map_used(tasks, 0); at != MAP_END;
	     at = pair_map_used(tasks, at + 1)) {
		struct check_task *task = (struct check_task *)(uintptr_t)pair_map_value(tasks, at);

		free(task->regions.items);
		free(task);
	}
	pair_map_free(&check->tasks);
	pair_map_free(&check->created);
	pair_map_free(&check->lock_of);
	check_mpi_free(check->mpi);
	free(check->locations);
	free(check->locks);
	free(check);
}

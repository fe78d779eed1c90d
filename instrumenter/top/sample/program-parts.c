/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks by their waiters, queued tasks, and names. */
#include "program-parts.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOCKS = 1 << 12, MOST_GROUPS = 256, TRIES = 3 };
static const uint64_t naming_time =
    500000000; /* ns in an interval: a view that stands still helps nobody */

/* What one thread at a time has; a wait for a barrier or for tasks has no holder. */
static bool is_exclusive(uint32_t state)
{
	return state >= ompt_state_wait_mutex && state <= ompt_state_wait_ordered;
}

static struct lock_sample *lock_of(struct program *program, uint64_t object, uint32_t state)
{
	for (size_t i = 0; i < program->lock_count; i++)
		if (program->locks[i].object == object)
			return &program->locks[i];
	if (program->lock_count >= MOST_LOCKS ||
	    !ARRAY_PUSH(program->locks, program->lock_count, program->lock_room,
		((struct lock_sample){.object = object, .state = state})))
		return NULL;
	return &program->locks[program->lock_count - 1];
}

static int by_waiters(const void *first, const void *second)
{
	const struct lock_sample *one = first, *two = second;

	if (one->waiters != two->waiters)
		return one->waiters < two->waiters ? 1 : -1;
	return (one->object > two->object) - (one->object < two->object);
}

static void set_holders(struct program *program, const ompdx_wait_t *waits, size_t wait_count,
    const ompdx_need_t *needs, size_t need_count)
{
	for (size_t i = 0; i < wait_count; i++) {
		const ompdx_wait_t *wait = &waits[i];
		struct lock_sample *lock =
		    is_exclusive(wait->state) ? lock_of(program, wait->object, wait->state) : NULL;
		if (lock == NULL || wait->need_count == 0 || wait->first_need >= need_count)
			continue;
		const ompdx_need_t *need = &needs[wait->first_need];
		if (need->kind == ompdx_need_thread && need->id <= INT32_MAX)
			lock->holder = (pid_t)need->id;
	}
}

/* The holders are known only if all waits of the process make sense together. */
static void find_holders(struct program *program)
{
	size_t room = program->thread_count * 2 + 16;
	ompd_size_t wait_count = 0, need_count = 0;
	ompdx_wait_t *waits = calloc(room, sizeof *waits);
	ompdx_need_t *needs = calloc(room * 2, sizeof *needs);
	ompd_rc_t rc = ompd_rc_error;

	for (int i = 0; waits != NULL && needs != NULL && i < TRIES && rc != ompd_rc_ok; i++) {
		target_memory_begin(&program->target.memory);
		rc = program->library->ompdx_get_waits(program->space, 0, NULL, waits, room,
		    &wait_count, needs, room * 2, &need_count);
	}
	if (rc == ompd_rc_ok)
		set_holders(program, waits, wait_count < room ? wait_count : room, needs,
		    need_count < room * 2 ? need_count : room * 2);
	free(waits);
	free(needs);
}

/* Locks without waiters come from a wait that began after the last look: they are left out. */
static void drop_without_waiters(struct program *program)
{
	while (program->lock_count > 0 && program->locks[program->lock_count - 1].waiters == 0)
		program->lock_count--;
}

void program_count_waiters(struct program *program)
{
	program->lock_count = 0;
	for (size_t i = 0; i < program->thread_count; i++) {
		const ompdx_thread_t *record = &program->threads[i].record;
		struct lock_sample *lock = is_exclusive(record->state) && record->object != 0
					       ? lock_of(program, record->object, record->state)
					       : NULL;
		if (lock != NULL)
			lock->waiters++;
	}
	if (program->lock_count == 0)
		return;
	find_holders(program);
	qsort(program->locks, program->lock_count, sizeof *program->locks, by_waiters);
	drop_without_waiters(program);
}

void program_count_tasks(struct program *program)
{
	static const size_t room = MOST_GROUPS;
	ompdx_task_group_t *groups = calloc(room, sizeof *groups);
	ompd_size_t count = 0;
	ompd_rc_t rc = ompd_rc_error;

	program->ready_tasks = program->blocked_tasks = 0;
	for (int i = 0; groups != NULL && i < TRIES && rc != ompd_rc_ok; i++) {
		target_memory_begin(&program->target.memory);
		rc = program->library->ompdx_get_task_groups(program->space, groups, room, &count);
	}
	program->knows_tasks = rc == ompd_rc_ok && count <= room;
	for (size_t i = 0; program->knows_tasks && i < count; i++) {
		program->ready_tasks += groups[i].count[ompdx_task_ready];
		program->blocked_tasks += groups[i].count[ompdx_task_blocked];
	}
	free(groups);
}

const char *program_name(const struct program *program, uint64_t address)
{
	for (size_t i = 0; i < program->name_count; i++)
		if (program->names[i].address == address)
			return program->names[i].text;
	return NULL;
}

static bool is_known(const struct program *program, uint64_t address)
{
	for (size_t i = 0; i < program->name_count; i++)
		if (program->names[i].address == address)
			return true;
	return address == 0;
}

/* A text of NULL is kept, too: it is not asked for again. */
static void keep_name(struct program *program, uint64_t address, char *text)
{
	if (program->name_count >= MOST_LOCKS ||
	    !ARRAY_PUSH(program->names, program->name_count, program->name_room,
		((struct known_name){address, text})))
		free(text);
}

/* The program may have loaded the function's library since its modules were read. */
static void find_module(struct program *program, uint64_t function)
{
	struct loaded_modules modules;

	if (modules_find(&program->modules, function) != NULL ||
	    modules_read(program->facts.process, &modules) != 0)
		return;
	modules_finish(&program->modules);
	program->modules = modules;
}

void program_find_names(struct program *program)
{
	struct code_lookup *lookup = &program->readers->names;
	struct target_memory *memory = &program->target.memory;
	uint64_t until = clock_now() + naming_time;

	for (size_t i = 0; i < program->region_count && clock_now() < until; i++) {
		uint64_t function = program->regions[i].function;
		if (is_known(program, function))
			continue;
		find_module(program, function);
		keep_name(program, function,
		    code_lookup_region(
			lookup, &program->measured.names, &program->modules, memory, function));
	}
	for (size_t i = 0; i < program->lock_count && clock_now() < until; i++) {
		uint64_t object = program->locks[i].object;
		if (is_known(program, object))
			continue;
		keep_name(
		    program, object, code_lookup_lock(lookup, &program->modules, memory, object));
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at one program: what it is, its threads and regions. */
#include "sampled-program.h"

#include "error-text.h"
#include "module-symbols.h"
#include "program-parts.h"
#include "shared/array.h"
#include "shared/debug-fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 4, MOST_THREADS = 1 << 16, MOST_REGIONS = 1 << 12, FIRST_RECORDS = 64 };

static void set_kind(struct program *program, enum program_kind kind, char *note)
{
	program->kind = kind;
	free(program->note);
	program->note = note;
}

static const char *file_of(const struct loaded_module *module)
{
	return strrchr(module->path, '/') + 1;
}

static bool is_runtime_name(const char *file)
{
	static const char *const names[] = {"libgomp", "libomp.", "libomp-", "libiomp5"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(file, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void close_reading(struct program *program, int problem)
{
	set_kind(program, PROGRAM_CLOSED, process_refusal(&program->facts, problem));
}

/* The table is there: is it one that our library knows? */
static void attach(struct program *program)
{
	char *note = NULL;
	ompd_rc_t rc = program->library->ompd_process_initialize(
	    (ompd_address_space_context_t *)&program->target, &program->space);

	if (rc == ompd_rc_ok) {
		set_kind(program, PROGRAM_READABLE, NULL);
		return;
	}
	error_set(
	    &note, "runs on ompinst's OpenMP runtime of another version, which cannot be read");
	set_kind(program, PROGRAM_VERSION, note);
}

/* Looks for the runtime among the modules; *foreign becomes the first other one. */
static bool find_table(struct program *program, const struct loaded_module **foreign)
{
	struct target_memory *memory = &program->target.memory;

	*foreign = NULL;
	for (size_t i = 0; i < program->modules.count; i++) {
		const struct loaded_module *module = &program->modules.items[i];
		if (strncmp(file_of(module), "libpomp.so", 10) == 0)
			program->is_measured = true;
		if (!is_runtime_name(file_of(module)))
			continue;
		program->target.table = module_symbol(memory, module->begin, RT_DEBUG_TABLE_SYMBOL);
		if (program->target.table != 0 || memory->problem == EPERM)
			return program->target.table != 0;
		*foreign = *foreign != NULL ? *foreign : module;
	}
	return false;
}

static void end_lines(struct program *program)
{
	sampled_lines_end(&program->lines, &program->measured, &program->readers->names,
	    &program->modules, &program->target.memory);
}

void program_check(struct program *program)
{
	const struct loaded_module *foreign = NULL;
	char *note = NULL;

	modules_finish(&program->modules);
	if (program->space != NULL)
		program->library->ompd_rel_address_space_handle(program->space);
	program->space = NULL;
	measured_interval_close(&program->measured);
	program->measured = (struct measured_interval){.library = NULL};
	sampled_lines_close(&program->lines);
	program->failed_in_row = 0;
	program->checked_at = clock_now();
	target_memory_begin(&program->target.memory);
	int problem = modules_read(program->facts.process, &program->modules);
	if (problem == ENOENT || problem == ESRCH) {
		program->has_ended = true;
	} else if (problem != 0) {
		close_reading(program, problem);
	} else if (find_table(program, &foreign)) {
		attach(program);
		measured_interval_open(&program->measured, &program->readers->profiles,
		    &program->readers->names, &program->target.memory, &program->modules);
		end_lines(program);
		program->is_measured |= program->measured.table != 0;
	} else if (program->target.memory.problem == EPERM) {
		close_reading(program, EPERM);
	} else if (foreign != NULL) {
		error_set(&note,
		    "runs on another OpenMP runtime (%s); 'ompinst run' starts it on ompinst's",
		    file_of(foreign));
		set_kind(program, PROGRAM_FOREIGN, note);
	} else {
		error_set(&note, "has not loaded an OpenMP runtime");
		set_kind(program, PROGRAM_PLAIN, note);
	}
}

bool program_open(struct program *program, struct program_readers *readers, pid_t process)
{
	*program = (struct program){.readers = readers, .library = &readers->debugger};
	if (!process_facts_read(process, &program->facts) ||
	    !target_memory_init(&program->target.memory, program->facts.process))
		return false;
	program_check(program);
	program->begun_at = program->ended_at = clock_now();
	return true;
}

void program_close(struct program *program)
{
	if (program->space != NULL)
		program->library->ompd_rel_address_space_handle(program->space);
	measured_interval_close(&program->measured);
	sampled_lines_close(&program->lines);
	modules_finish(&program->modules);
	target_memory_finish(&program->target.memory);
	free(program->note);
	free(program->records);
	free(program->threads);
	free(program->regions);
	free(program->locks);
	for (size_t i = 0; i < program->name_count; i++)
		free(program->names[i].text);
	free(program->names);
	*program = (struct program){.kind = PROGRAM_PLAIN};
}

/* Reads all threads' records; false if they make no sense, also not again. */
static bool read_records(struct program *program, size_t *count)
{
	ompd_size_t found = 0;

	for (int i = 0; i < TRIES; i++) {
		target_memory_begin(&program->target.memory);
		ompd_rc_t rc = program->library->ompdx_get_threads(
		    program->space, program->records, program->record_room, &found);
		if (rc == ompd_rc_ok && found <= program->record_room) {
			*count = found;
			return true;
		}
		if (program->target.memory.problem == ESRCH)
			return false;
		if (rc != ompd_rc_ok || found > MOST_THREADS)
			continue;
		if (!array_make_room(&program->records, &program->record_room, 0, found + 16,
			sizeof *program->records))
			return false;
	}
	return false;
}

/* Both lists mostly have the same order, so the search begins where the last one ended. */
static struct thread_sample *thread_of(struct program *program, pid_t number, size_t *hint)
{
	for (size_t i = 0; i < program->thread_count; i++) {
		size_t at = (*hint + i) % program->thread_count;
		if (program->threads[at].thread == number) {
			*hint = at + 1;
			return &program->threads[at];
		}
	}
	if (program->thread_count >= MOST_THREADS ||
	    !ARRAY_PUSH(program->threads, program->thread_count, program->thread_room,
		((struct thread_sample){.thread = number})))
		return NULL;
	return &program->threads[program->thread_count - 1];
}

static struct region_sample *region_of(struct program *program, uint64_t function)
{
	for (size_t i = 0; i < program->region_count; i++)
		if (program->regions[i].function == function)
			return &program->regions[i];
	if (program->region_count >= MOST_REGIONS ||
	    !ARRAY_PUSH(program->regions, program->region_count, program->region_room,
		((struct region_sample){.function = function})))
		return NULL;
	return &program->regions[program->region_count - 1];
}

static void add_record(struct program *program, const ompdx_thread_t *record, size_t *hint)
{
	struct thread_times times;
	struct thread_sample *thread;
	struct region_sample *region;

	if (record->thread == 0 || record->thread > INT32_MAX ||
	    !thread_times_read(program->facts.process, (pid_t)record->thread, &times))
		return;
	thread = thread_of(program, (pid_t)record->thread, hint);
	if (thread == NULL)
		return;
	struct looked look = thread_sample_add(thread, record, &times, clock_now());
	thread->is_seen = true;
	region = record->region != 0 ? region_of(program, record->function) : NULL;
	if (region == NULL)
		return;
	looked_add(&region->current, &look);
	region->threads++;
	if (region->threads > region->most_now)
		region->most_now = region->threads;
}

static void drop_unseen(struct program *program)
{
	size_t kept = 0;

	for (size_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].is_seen)
			program->threads[kept++] = program->threads[i];
	program->thread_count = kept;
}

void program_look(struct program *program)
{
	size_t count = 0, hint = 0;

	if (program->has_ended ||
	    process_start_time(program->facts.process) != program->facts.start) {
		program->has_ended = true;
		return;
	}
	if (program->kind != PROGRAM_READABLE)
		return;
	program->current_looks++;
	if (!read_records(program, &count)) {
		program->current_failed++;
		if (++program->failed_in_row >= TRIES) /* perhaps it became another program */
			program_check(program);
		return;
	}
	program->failed_in_row = 0;
	for (size_t i = 0; i < program->thread_count; i++)
		program->threads[i].is_seen = false;
	for (size_t i = 0; i < program->region_count; i++)
		program->regions[i].threads = 0;
	for (size_t i = 0; i < count; i++)
		add_record(program, &program->records[i], &hint);
	drop_unseen(program);
}

void program_end_interval(struct program *program)
{
	program->interval = (struct shares){{0}};
	for (size_t i = 0; i < program->thread_count; i++) {
		thread_sample_end_interval(&program->threads[i]);
		shares_add(&program->interval, &program->threads[i].interval);
	}
	shares_add(&program->whole, &program->interval);
	for (size_t i = 0; i < program->region_count; i++) {
		struct region_sample *region = &program->regions[i];
		region->interval = looked_shares(&region->current);
		shares_add(&region->whole, &region->interval);
		region->current = (struct looked){0};
		region->most_threads = region->most_now;
		region->most_now = 0;
	}
	program->looks = program->current_looks;
	program->failed_looks = program->current_failed;
	program->current_looks = program->current_failed = 0;
	program->begun_at = program->ended_at;
	program->ended_at = clock_now();
	program->lock_count = 0;
	program->knows_tasks = false;
	if (program->kind == PROGRAM_READABLE && !program->has_ended) {
		program_count_waiters(program);
		program_count_tasks(program);
		measured_interval_end(&program->measured, &program->target.memory);
		program_find_names(program);
		end_lines(program);
	}
}

uint32_t program_stuck(const struct program *program, uint64_t least)
{
	uint32_t count = 0;

	for (size_t i = 0; i < program->thread_count; i++)
		count += thread_sample_unchanged(&program->threads[i]) >= least;
	return count;
}

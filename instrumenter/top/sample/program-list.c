/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds processes in /proc. What has no OpenMP runtime is remembered and looked at again only after
 * some seconds, because a program may load one at any time.
 */
#include "program-list.h"

#include "process-stat.h"
#include "shared/array.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define AGAIN_AFTER (UINT64_C(3) * 1000000000)

static void forget(struct program *program)
{
	program_close(program);
	free(program);
}

static void drop_ended(struct program_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i]->has_ended)
			forget(list->items[i]);
		else
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

static bool is_listed(const struct program_list *list, pid_t process)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i]->facts.process == process)
			return true;
	return false;
}

/* What may not be read, or is another user's, is only shown by its number or name. */
static bool is_wanted(const struct program_list *list, const struct program *program)
{
	if (program->has_ended)
		return false;
	if (list->only != 0)
		return true;
	if (list->name != NULL)
		return process_has_name(&program->facts, list->name);
	return program->kind != PROGRAM_PLAIN && program->kind != PROGRAM_CLOSED &&
	       program->facts.owner == geteuid();
}

/* The same number for the same job, as long as one of its ranks is in the list. */
static unsigned number_job(const struct program_list *list, const char *job)
{
	unsigned most = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i]->facts.rank.job, job) == 0)
			return list->items[i]->job;
		if (list->items[i]->job > most)
			most = list->items[i]->job;
	}
	return job[0] != '\0' ? most + 1 : 0;
}

/* Its modules could be read, and there is a runtime among them. */
static void note_refused(struct program_list *list, struct program *program)
{
	if (program->kind != PROGRAM_CLOSED || program->facts.owner != geteuid() ||
	    program->target.memory.problem != EPERM)
		return;
	list->refused_count++;
	if (list->refusal != NULL)
		return;
	list->refusal = program->note;
	program->note = NULL;
}

static bool add(struct program_list *list, pid_t process)
{
	struct program *program = malloc(sizeof *program);

	if (program == NULL)
		return false;
	if (program_open(program, list->readers, process) && is_wanted(list, program)) {
		program->job = number_job(list, program->facts.rank.job);
		if (ARRAY_PUSH(list->items, list->count, list->room, program))
			return true;
		forget(program);
		return false;
	}
	uint64_t start = program->facts.start;
	note_refused(list, program);
	forget(program);
	return map_set(&list->others, (uint64_t)process, start);
}

static bool visit(void *context, pid_t process)
{
	struct program_list *list = context;

	if (process == getpid() || is_listed(list, process))
		return true;
	if (map_find(&list->others, (uint64_t)process) != MAP_NONE &&
	    map_find(&list->others, (uint64_t)process) == process_start_time(process))
		return true;
	return add(list, process);
}

/* What is no rank comes first; jobs stay together, with their ranks in order. */
static int by_rank(const void *first, const void *second)
{
	const struct process_facts *one = &(*(struct program *const *)first)->facts;
	const struct process_facts *two = &(*(struct program *const *)second)->facts;
	int order = strcmp(one->rank.job, two->rank.job);

	if (order == 0)
		order = (one->rank.rank > two->rank.rank) - (one->rank.rank < two->rank.rank);
	return order != 0 ? order : (one->process > two->process) - (one->process < two->process);
}

bool program_list_update(struct program_list *list)
{
	uint64_t now = clock_now();

	if (list->only != 0) /* it stays, also when it has ended */
		return list->count > 0 || add(list, list->only);
	drop_ended(list);
	if (now - list->checked_at > AGAIN_AFTER) {
		map_free(&list->others);
		free(list->refusal);
		list->refusal = NULL;
		list->refused_count = 0;
		list->checked_at = now;
	}
	size_t before = list->count;
	processes_visit(visit, list);
	if (list->count > before)
		qsort(list->items, list->count, sizeof(struct program *), by_rank);
	return list->count >= before;
}

void program_list_look(struct program_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct program *program = list->items[i];
		if (program->kind != PROGRAM_READABLE &&
		    clock_now() - program->checked_at > AGAIN_AFTER)
			program_check(program);
		program_look(program);
	}
}

void program_list_end_interval(struct program_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		program_end_interval(list->items[i]);
}

void program_list_finish(struct program_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		forget(list->items[i]);
	free(list->items);
	map_free(&list->others);
	free(list->refusal);
	*list = (struct program_list){NULL};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements cube-system.h. */
#include "cube-system.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct hosted {
	const char *host;
	uint32_t process;
};

const char *cube_system_host(const struct archive *archive, uint32_t process)
{
	return process < archive->group_count ? archive->groups[process].host : "";
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_hosted(const void *left, const void *right)
{
	const struct hosted *a = left, *b = right;
	int order = strcmp(a->host, b->host);

	return order != 0 ? order : compare_numbers(a->process, b->process);
}

static int compare_threads(const void *left, const void *right)
{
	const struct cube_thread *a = left, *b = right;

	if (a->leader != b->leader)
		return compare_numbers(a->leader, b->leader);
	if (a->process != b->process)
		return compare_numbers(a->process, b->process);
	return compare_numbers(a->location, b->location);
}

/* By process, and for threads without one: the first process on the same node. */
static uint32_t *find_leaders(const struct archive *archive)
{
	size_t count = archive->group_count + 1;
	uint32_t *leaders = memory_new(count, sizeof(leaders[0]));
	struct hosted *hosted = memory_new(count, sizeof(hosted[0]));

	for (uint32_t i = 0; i < count; i++)
		hosted[i] = (struct hosted){cube_system_host(archive, i), i};
	qsort(hosted, count, sizeof(hosted[0]), compare_hosted);
	for (size_t i = 0; i < count; i++) {
		bool same = i > 0 && strcmp(hosted[i].host, hosted[i - 1].host) == 0;

		leaders[hosted[i].process] =
		    same ? leaders[hosted[i - 1].process] : hosted[i].process;
	}
	free(hosted);
	return leaders;
}

void cube_system_init(
    struct cube_system *system, const struct archive *archive, const struct export_choice *choice)
{
	uint32_t *leaders = find_leaders(archive);

	*system = (struct cube_system){
	    .threads = memory_new(archive->location_count, sizeof(system->threads[0])),
	    .columns = memory_new(archive->location_count, sizeof(system->columns[0]))};
	for (uint32_t i = 0; i < archive->location_count; i++) {
		uint32_t process = archive->locations[i].group;

		system->columns[i] = ARCHIVE_NO_INDEX;
		if (!choice->takes_thread(choice->context, archive, i))
			continue;
		if (process == ARCHIVE_NO_INDEX)
			process = (uint32_t)archive->group_count;
		system->threads[system->count++] =
		    (struct cube_thread){leaders[process], process, i};
	}
	qsort(system->threads, system->count, sizeof(system->threads[0]), compare_threads);
	for (size_t i = 0; i < system->count; i++)
		system->columns[system->threads[i].location] = (uint32_t)i;
	free(leaders);
}

void cube_system_free(struct cube_system *system)
{
	free(system->threads);
	free(system->columns);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names a location by its thread's numbers, from the outermost team to the first team that the
 * thread was in. Names are unique in a process: several threads of the program can be masters of
 * teams, and each then has an "OMP thread 1".
 */
#include "location-names.h"

#include <stdio.h>
#include <string.h>

/* Appends the thread numbers from the outermost team to the thread's own, as in "1:2". */
static void append_path(const struct convert_teams *teams, uint64_t team, uint32_t number,
    char *text, size_t size, int depth)
{
	size_t near = 0;
	const struct convert_team *found = convert_team_find(teams, team, &near);

	if (found != NULL && found->parent != 0 && depth < 32) {
		append_path(teams, found->parent, found->master_number, text, size, depth + 1);
		strncat(text, ":", size - strlen(text) - 1);
	}
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%u", number);
}

static void name_by_teams(
    const struct convert_teams *teams, uint32_t location, char *name, size_t size)
{
	const struct convert_thread *thread = &teams->threads[location];

	if (thread->first_team != 0) {
		snprintf(name, size, "OMP thread ");
		append_path(teams, thread->first_team, thread->first_number, name, size, 0);
	} else if (location == 0) {
		snprintf(name, size, "Master thread");
	} else {
		snprintf(name, size, "Master thread %u", location);
	}
}

/* Returns whether the name is new; also true when memory ran out. */
static bool take(struct convert_strings *taken, const char *name)
{
	size_t before = taken->count;

	return convert_strings_place(taken, name) == UINT32_MAX || taken->count > before;
}

void convert_name_location(const struct convert_teams *teams, uint32_t location,
    struct convert_strings *taken, char *name, size_t size)
{
	enum { NUMBER = sizeof(" (4294967295)") };

	name_by_teams(teams, location, name, size - NUMBER);
	size_t length = strlen(name);
	for (unsigned i = 2; !take(taken, name); i++)
		snprintf(name + length, size - length, " (%u)", i);
}

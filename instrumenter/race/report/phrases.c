/* SPDX-License-Identifier: BSD-3-Clause */
/* Phrases that the sentences and the remedies of a finding share. */
#include "explanation.h"

#include <string.h>
#include <unistd.h>

const char *race_short_path(const char *path)
{
	char folder[4096];

	if (getcwd(folder, sizeof folder) == NULL || strcmp(folder, "/") == 0)
		return path;
	size_t length = strlen(folder);
	return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

const char *race_construct_text(
    struct inst_arena *arena, const struct race_text *text, const struct race_construct *construct)
{
	return arena_format(
	    arena, "'%s' at %s:%d", construct->name, race_short_path(text->path), construct->line);
}

bool race_reads_another(const struct race_finding *finding, const struct race_words *words)
{
	return finding->one_place && finding->side[0].reads && finding->side[0].writes &&
	       words->expression[0] != NULL && words->expression[1] != NULL &&
	       strcmp(words->expression[0], words->expression[1]) != 0;
}

static const char *words_of_loop(const struct race_construct *unit)
{
	if (race_construct_has(unit, CONSTRUCT_TASKLOOP))
		return "tasks of the taskloop";
	return "iterations of the loop";
}

struct race_subject race_subject_of(
    struct inst_arena *arena, const struct race_position *position, bool same)
{
	const struct race_construct *unit = position->unit;
	const char *where = unit != NULL ? arena_format(arena, "%s:%d",
					       race_short_path(position->around->path), unit->line)
					 : "";

	if (position->is_outside)
		return (struct race_subject){
		    same ? "threads" : "a thread outside of all parallel regions", same};
	if (unit == NULL)
		return (struct race_subject){same ? "threads" : "code outside of constructs", same};
	if (race_is_loop(unit))
		return (struct race_subject){
		    arena_format(arena, "%s at %s", words_of_loop(unit), where), true};
	if (race_construct_has(unit, CONSTRUCT_TASK))
		return (struct race_subject){
		    arena_format(arena, "%s of 'task' at %s", same ? "tasks" : "a task", where),
		    same};
	if (race_construct_has(unit, CONSTRUCT_SECTION) ||
	    race_construct_has(unit, CONSTRUCT_SECTIONS))
		return (struct race_subject){
		    arena_format(arena, "the section at %s", where), false};
	if (directive_is(&unit->use, CONSTRUCT_TEAMS))
		return (struct race_subject){
		    arena_format(arena, "the teams of 'teams' at %s", where), true};
	if (race_construct_has(unit, CONSTRUCT_PARALLEL))
		return (struct race_subject){
		    arena_format(arena, "threads of '%s' at %s", unit->name, where), true};
	return (struct race_subject){
	    arena_format(arena, "a thread in '%s' at %s", unit->name, where), false};
}

/* Does a clause of this name list the variable? */
static bool lists(const struct race_construct *construct, const char *clause, const char *name)
{
	for (size_t i = 0; i < construct->clauses.count; i++)
		if (strcmp(construct->clauses.clauses[i].name, clause) == 0 &&
		    clause_lists(&construct->clauses.clauses[i], name))
			return true;
	return false;
}

const char *race_listing_clause(const struct race_construct *construct, const char *name)
{
	static const char *const clauses[] = {"shared", "reduction", "in_reduction",
	    "task_reduction", "firstprivate", "private", "lastprivate", "linear", "map", "copyin"};

	for (size_t i = 0; i < sizeof clauses / sizeof clauses[0]; i++)
		if (lists(construct, clauses[i], name))
			return clauses[i];
	return NULL;
}

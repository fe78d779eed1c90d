/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop's schedule may change if the text fixes nothing else by it: the order of iterations, or
 * that the same thread executes the same iterations of two loops without a barrier between them
 * (OpenMP 5.2, 11.5.3). Across functions the latter is not seen.
 *
 * With a runtime other than the bundled one, what a loop calls could see the schedule
 * (pomp_schedule_set()); there only loops that call nothing change.
 */
#include "tunable-loops.h"

#include "lexer.h"
#include "schedule-clause.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_static(const struct construct *construct)
{
	const struct schedule_clause written = schedule_clause_read(&construct->clauses);

	return schedule_word_is(&written.kind, "static");
}

static bool is_loop(const struct construct *construct)
{
	return construct->active && !construct->pragma->user &&
	       directive_has(&construct->use, CONSTRUCT_FOR);
}

/* May another loop rely on the division of this one's iterations? */
static bool is_relied_on(const struct construct *construct)
{
	return is_loop(construct) && is_static(construct) &&
	       find_clause(&construct->clauses, "nowait") != NULL;
}

/* Is there such a loop in the same region, or for an orphaned one in the same function? */
static bool is_beside_one(const struct unit *unit, const struct construct *construct)
{
	for (size_t i = 0; i < unit->construct_count; i++) {
		const struct construct *other = &unit->constructs[i];

		if (other != construct && other->parent == construct->parent &&
		    is_relied_on(other) &&
		    (other->parent != NULL ||
			strcmp(other->located->function, construct->located->function) == 0))
			return true;
	}
	return false;
}

/* Does the loop call a function, or contain another directive, as far as its text shows? */
static bool calls_something(const struct unit *unit, const struct construct *construct)
{
	static const char *const words[] = {"for", "if", "while", "switch", "sizeof", "return"};
	struct lexer lexer;
	struct token token, before = {TOKEN_END, 0, 0, 0};

	if (unit->input->cplusplus)
		return true; /* operators and destructors call without parentheses */
	for (size_t i = 0; i < unit->construct_count; i++)
		if (unit->constructs[i].parent == construct)
			return true;
	lexer_init(&lexer, unit->input->text, construct->end, construct->pragma->next);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		bool is_call =
		    token.punctuator == '(' &&
		    (before.kind == TOKEN_IDENTIFIER ||
			(before.punctuator != 0 && strchr(")]", before.punctuator) != NULL));
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			is_call = is_call && !token_is(&lexer, &before, words[i]);
		if (is_call)
			return true;
		before = token;
	}
	return false;
}

/* A clause that needs the order of iterations, or of which that is not known; or NULL. */
static const char *clause_problem(struct unit *unit, const struct construct *construct)
{
	for (size_t i = 0; i < construct->clauses.count; i++) {
		const struct clause *clause = &construct->clauses.clauses[i];

		if (clause->rule == NULL)
			return arena_format(
			    unit->arena, "its clause '%s' is not known", clause->name);
		if (strcmp(clause->name, "ordered") == 0)
			return "ordered";
		if (strcmp(clause->name, "reduction") == 0 && clause->arguments != NULL &&
		    strncmp(clause->arguments, "inscan", 6) == 0)
			return "reduction(inscan)";
		if (strcmp(clause->name, "lastprivate") == 0 && clause->arguments != NULL &&
		    strncmp(clause->arguments, "conditional", 11) == 0)
			return "lastprivate(conditional)";
	}
	return NULL;
}

/* Reads the schedule as written. Returns why it cannot change, or NULL. */
static const char *read_written(const struct construct *construct, struct loop_schedule *schedule)
{
	const struct schedule_clause written = schedule_clause_read(&construct->clauses);
	unsigned long chunk;

	if (written.modifiers.length > 0 && !schedule_word_is(&written.modifiers, "nonmonotonic"))
		return "its schedule has a modifier";
	schedule->kind = loop_schedule_find(written.kind.text, written.kind.length);
	if (schedule->kind == LOOP_SCHEDULE_NONE)
		return "it is not static, dynamic or guided";
	errno = 0;
	chunk = strtoul(written.chunk.text, NULL, 10);
	if (written.chunk.length > 0 && (!schedule_word_is_number(&written.chunk) || errno != 0 ||
					    chunk == 0 || chunk > INT_MAX))
		return "its chunk is not a number";
	schedule->chunk = written.chunk.length > 0 ? (int)chunk : 0;
	return NULL;
}

/* Why the loop's schedule cannot change, or NULL. */
static const char *find_problem(struct unit *unit, struct construct *construct)
{
	const char *problem = clause_problem(unit, construct);

	if (directive_has(&construct->use, CONSTRUCT_SIMD))
		return "simd";
	if ((unit->options->disabled & directive_of(CONSTRUCT_FOR)->group) != 0)
		return "calls for loops are switched off";
	if (construct->written.count > 0)
		return "a macro stands in the directive";
	if (construct->split.whole || construct->split.part_count == 0 ||
	    construct->use.leaves[construct->use.leaf_count - 1]->id != CONSTRUCT_FOR)
		return "the loop is not instrumented apart";
	if (problem == NULL)
		problem = read_written(construct, &construct->schedule);
	if (problem != NULL)
		return problem;
	if (is_relied_on(construct))
		return "nowait and a static schedule: a later loop may rely on it";
	if (is_static(construct) && construct->use.leaf_count == 1 &&
	    is_beside_one(unit, construct))
		return "it may rely on a static loop with nowait beside it";
	if (unit->options->other_runtime && calls_something(unit, construct))
		return "it may call functions, which would see another schedule; that needs the "
		       "bundled runtime";
	return NULL;
}

/* Replaces the clause of the innermost part; false if it is not found there. */
static bool replace_clause(struct unit *unit, struct construct *construct)
{
	struct directive_part *part = &construct->split.parts[construct->split.part_count - 1];
	const struct clause *clause = find_clause(&construct->clauses, "schedule");
	struct inst_buffer clauses = {.arena = unit->arena};
	const char *text = part->clauses.data != NULL ? part->clauses.data : "";
	const char *at = clause != NULL ? strstr(text, clause->text) : text;

	if (at == NULL)
		return false;
	buffer_add(&clauses, text, (size_t)(at - text));
	buffer_add_string(&clauses, clause == NULL ? " schedule(runtime)" : "schedule(runtime)");
	buffer_add_string(&clauses, at + (clause != NULL ? strlen(clause->text) : 0));
	part->clauses = clauses;
	return true;
}

void plan_schedules(struct unit *unit)
{
	for (size_t i = 0; i < unit->construct_count && unit->options->tunable_loops; i++) {
		struct construct *construct = &unit->constructs[i];

		if (!is_loop(construct) || construct->status != INST_INSTRUMENTED)
			continue;
		construct->schedule_problem = find_problem(unit, construct);
		if (construct->schedule_problem == NULL && !replace_clause(unit, construct))
			construct->schedule_problem = "its clause is not clear";
		construct->has_schedule = construct->schedule_problem == NULL;
	}
}

/* Sets the taskloop's clause that may change; a modifier as in "strict: 4" stands before a number.
 */
static void find_grain(struct construct *construct)
{
	const struct clause *clause = find_clause(&construct->clauses, "grainsize");

	if (clause == NULL)
		clause = find_clause(&construct->clauses, "num_tasks");
	if (clause == NULL || clause->arguments == NULL ||
	    strncmp(clause->arguments, "strict", strlen("strict")) == 0)
		return;
	construct->grain = clause;
	construct->grain_end = strlen(clause->arguments);
}

/*
 * Does the text end with a comparison with a decimal number of type int, not 0? Then [*begin, *end)
 * is the number.
 */
static bool ends_with_limit(const char *text, size_t *begin, size_t *end)
{
	enum { DIGITS_MOST = 9 };
	size_t at = strlen(text);

	while (at > 0 && text[at - 1] == ' ')
		at--;
	*end = at;
	while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	*begin = at;
	if (*begin == *end || *end - *begin > DIGITS_MOST || text[*begin] == '0')
		return false;
	while (at > 0 && text[at - 1] == ' ')
		at--;
	at -= at > 1 && text[at - 1] == '=';
	return at > 1 && strchr("<>", text[at - 1]) != NULL && text[at - 2] != text[at - 1] &&
	       text[at - 2] != '-';
}

/* The same for a task's cut-off: the limit in its final or if clause. */
static void find_cutoff(struct construct *construct)
{
	static const char *const names[] = {"final", "if"};

	for (size_t i = 0; i < sizeof names / sizeof *names && construct->grain == NULL; i++) {
		const struct clause *clause = find_clause(&construct->clauses, names[i]);

		if (clause != NULL && clause->arguments != NULL &&
		    ends_with_limit(
			clause->arguments, &construct->grain_begin, &construct->grain_end))
			construct->grain = clause;
	}
}

void plan_grains(struct unit *unit)
{
	for (size_t i = 0; i < unit->construct_count && unit->options->tunable_tasks; i++) {
		struct construct *construct = &unit->constructs[i];

		if (!construct->active || construct->pragma->user ||
		    construct->status != INST_INSTRUMENTED || construct->written.count != 0 ||
		    construct->split.whole)
			continue;
		if (directive_has(&construct->use, CONSTRUCT_TASKLOOP))
			find_grain(construct);
		else if (directive_has(&construct->use, CONSTRUCT_TASK))
			find_cutoff(construct);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules by which Fortran's text decides on a remedy. They are those of the checks for C and
 * C++, as far as statements show what they need: reduction, private, lastprivate, atomic, critical
 * of one name, nowait, barrier, taskwait.
 */
#include "fortran-remedies.h"

#include "fortran-statements.h"

#include <ctype.h>
#include <string.h>

enum { MOST_CHANGES = 16 };

struct remedy {
	struct inst_arena *arena;
	const struct race_finding *finding;
	const struct race_words *words;
	const struct race_text *text;
	struct fortran_procedure procedure;
	const char *name;                           /* in lower case */
	const struct race_construct *unit, *region; /* of the first access */
	struct lint_fix *fixes;
	size_t count;
	bool refused;
};

static void push(struct remedy *remedy, enum lint_change change, int line, int column,
    bool directive, const char *at, const char *text)
{
	if (remedy->count == MOST_CHANGES)
		remedy->refused = true;
	else
		remedy->fixes[remedy->count++] = (struct lint_fix){change,
		    {race_short_path(remedy->text->path), line, column}, directive, at, text};
}

/* Puts a directive on a line of its own before the line, in the statement's column. */
static void push_before(
    struct remedy *remedy, int line, const struct fortran_statement *beside, const char *words)
{
	const char *own = remedy->text->lines[beside->line - 1];

	if (beside->labelled || beside->shares_line)
		remedy->refused = true;
	push(remedy, LINT_CHANGE_BEFORE, line, (int)strspn(own, " \t") + 1, false, "", words);
}

static void push_clause(struct remedy *remedy, const struct race_construct *construct,
    const char *clause, const char *operation)
{
	const struct clause *shared = find_clause(&construct->clauses, "shared");

	if (shared != NULL && clause_lists(shared, remedy->name))
		push(remedy, LINT_CHANGE_REMOVE, construct->line, 0, true, construct->name,
		    arena_format(remedy->arena, "shared(%s)", remedy->name));
	push(remedy, LINT_CHANGE_ADD, construct->line, 0, true, construct->name,
	    arena_format(remedy->arena, "%s(%s%s)", clause, operation, remedy->name));
}

/* The region whose threads, or teams, execute the construct at the same time, or NULL. */
static const struct race_construct *region_around(
    const struct race_text *text, const struct race_construct *construct)
{
	while (construct != NULL && !race_construct_has(construct, CONSTRUCT_PARALLEL) &&
	       !race_construct_has(construct, CONSTRUCT_TEAMS))
		construct = race_parent(text, construct);
	return construct;
}

/* The innermost construct around a line, or NULL. */
static const struct race_construct *construct_at(const struct race_text *text, int line)
{
	const int index = race_source_construct(text, line);

	return index >= 0 ? &text->constructs[index] : NULL;
}

static int statement_at(const struct remedy *remedy, int line)
{
	for (int i = 0; i < remedy->procedure.count; i++)
		if (remedy->procedure.all[i].line <= line && line <= remedy->procedure.all[i].last)
			return i;
	return -1;
}

static bool is_inside(const struct fortran_statement *statement, int begin, int end)
{
	return statement->line > begin && statement->line <= end;
}

/* Does a directive in the lines name the variable, beside in `shared` of one construct? */
static bool is_in_clauses(
    const struct remedy *remedy, int begin, int end, const struct race_construct *but)
{
	for (int i = 0; i < remedy->text->construct_count; i++) {
		const struct race_construct *construct = &remedy->text->constructs[i];

		if (construct->line < begin || construct->line > end)
			continue;
		for (size_t j = 0; j < construct->clauses.count; j++) {
			const struct clause *clause = &construct->clauses.clauses[j];
			if (clause->arguments != NULL &&
			    !(construct == but && strcmp(clause->name, "shared") == 0) &&
			    race_fortran_names(clause->arguments, remedy->name) > 0)
				return true;
		}
	}
	return false;
}

/* Do all uses of the variable in the construct combine values into it by one operation? */
static const char *common_operation(
    const struct remedy *remedy, const struct race_construct *construct, bool elements)
{
	const char *common = NULL;

	for (int i = 0; i < remedy->procedure.count; i++) {
		const struct fortran_statement *statement = &remedy->procedure.all[i];
		struct fortran_access access;

		if (!is_inside(statement, construct->begin, construct->end))
			continue;
		access = race_fortran_access(remedy->arena, statement, remedy->name);
		if (access.use == FORTRAN_UNUSED)
			continue;
		if (access.use != FORTRAN_UPDATE ||
		    (strcmp(access.object, remedy->name) != 0) != elements ||
		    (common != NULL && strcmp(common, access.operation) != 0))
			return NULL;
		common = access.operation;
	}
	return common;
}

/* Is the variable used by no statement of the lines outside of the construct? */
static bool is_unused_beside(
    const struct remedy *remedy, const struct race_construct *construct, int begin, int end)
{
	for (int i = 0; i < remedy->procedure.count; i++) {
		const struct fortran_statement *statement = &remedy->procedure.all[i];

		if (is_inside(statement, begin, end) &&
		    !is_inside(statement, construct->begin, construct->end) &&
		    race_fortran_access(remedy->arena, statement, remedy->name).use !=
			FORTRAN_UNUSED)
			return false;
	}
	return true;
}

/* Does the file name the variable behind the procedure's `contains`, where it is known, too? */
static bool is_used_inside(const struct remedy *remedy)
{
	char *code;

	for (int line = remedy->procedure.contains; line > 0 && line <= remedy->text->line_count;
	     line++) {
		const char *own = remedy->text->code[line - 1];
		code = arena_copy(remedy->arena, own, strlen(own));
		for (size_t i = 0; code[i] != '\0'; i++)
			code[i] = (char)tolower((unsigned char)code[i]);
		if (race_fortran_names(code, remedy->name) > 0)
			return true;
	}
	return false;
}

/* May the construct list the variable in a clause: one of this procedure, used nowhere beside? */
static bool may_list(const struct remedy *remedy, struct fortran_variable *variable)
{
	const struct race_construct *unit = remedy->unit, *region = remedy->region;

	return region != NULL && strchr(remedy->name, '%') == NULL &&
	       race_fortran_is_local(&remedy->procedure, remedy->name, variable) &&
	       !variable->array && !is_used_inside(remedy) &&
	       find_clause(&unit->clauses, "nowait") == NULL &&
	       !is_in_clauses(remedy, unit->begin, unit->end, unit) &&
	       (unit == region || (!is_in_clauses(remedy, region->begin, unit->begin - 1, region) &&
				      is_unused_beside(remedy, unit, region->begin, region->end)));
}

static bool is_kind(const char *type, const char *operation)
{
	if (operation[0] == '.')
		return strcmp(type, "logical") == 0;
	if (operation[0] == 'i')
		return strcmp(type, "integer") == 0;
	return strcmp(type, "logical") != 0 &&
	       (operation[0] != 'm' || strcmp(type, "complex") != 0);
}

/* Values combined in one variable. */
static bool fix_reduction(struct remedy *remedy)
{
	const char *operation = common_operation(remedy, remedy->unit, false);
	struct fortran_variable variable;

	if (operation == NULL || !may_list(remedy, &variable) ||
	    !is_kind(variable.type, operation) ||
	    !(race_is_loop(remedy->unit) || race_construct_has(remedy->unit, CONSTRUCT_PARALLEL)) ||
	    race_construct_has(remedy->unit, CONSTRUCT_TARGET) ||
	    (race_construct_has(remedy->unit, CONSTRUCT_DISTRIBUTE) &&
		!race_construct_has(remedy->unit, CONSTRUCT_TEAMS)))
		return false;
	push_clause(
	    remedy, remedy->unit, "reduction", arena_format(remedy->arena, "%s: ", operation));
	return true;
}

/* May an iteration end before the statement, or the loop? */
static bool leaves(const struct fortran_statement *statement)
{
	static const char *const words[] = {"cycle", "exit", "goto", "return"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(statement->text, words[i]) != NULL)
			return true;
	return false;
}

/* Does each iteration write the variable before it reads it, whatever branches it takes? */
static bool is_written_first(const struct remedy *remedy)
{
	const struct fortran_procedure *procedure = &remedy->procedure;
	int loop = -1;
	bool written = false;

	for (int i = 0; i < procedure->count; i++) {
		const struct fortran_statement *statement = &procedure->all[i];
		struct fortran_access access;

		if (!is_inside(statement, remedy->unit->begin, remedy->unit->end))
			continue;
		if (loop < 0 && statement->opens != FORTRAN_LOOP)
			return false;
		loop = loop < 0 ? i : loop;
		access = race_fortran_access(remedy->arena, statement, remedy->name);
		if (leaves(statement) && !written)
			return false;
		if (access.use == FORTRAN_UNUSED)
			continue;
		if (!written &&
		    (access.use != FORTRAN_WRITE || access.conditional ||
			statement->block != loop || strcmp(access.object, remedy->name) != 0))
			return false;
		written = true;
		if (access.use == FORTRAN_OTHER)
			return false;
	}
	return written;
}

/* Is the value of the last iteration needed, as far as the procedure shows? */
static bool is_needed_behind(const struct remedy *remedy)
{
	const struct fortran_procedure *procedure = &remedy->procedure;
	const int first = statement_at(remedy, remedy->unit->end);
	bool needed = race_fortran_names(procedure->all[0].text, remedy->name) > 0;

	for (int i = 0; i < procedure->count; i++)
		if (procedure->all[i].line > remedy->unit->end &&
		    race_fortran_access(remedy->arena, &procedure->all[i], remedy->name).use !=
			FORTRAN_UNUSED)
			needed = true;
	/* In a loop around the construct, what comes before may read it. */
	return needed || first < 0 || procedure->all[first].block >= 0;
}

static bool fix_private(struct remedy *remedy)
{
	struct fortran_variable variable;

	if (!race_construct_has(remedy->unit, CONSTRUCT_FOR) ||
	    race_construct_has(remedy->unit, CONSTRUCT_DISTRIBUTE) ||
	    find_clause(&remedy->unit->clauses, "collapse") != NULL ||
	    remedy->procedure.labels_loops || !may_list(remedy, &variable) ||
	    !is_written_first(remedy))
		return false;
	push_clause(remedy, remedy->unit, is_needed_behind(remedy) ? "lastprivate" : "private", "");
	return true;
}

/* May an atomic region be here? Not where iterations or lanes of a construct are concurrent. */
static bool allows_atomic(const struct remedy *remedy, const struct race_construct *construct)
{
	for (; construct != NULL; construct = race_parent(remedy->text, construct))
		if (race_construct_has(construct, CONSTRUCT_SIMD) ||
		    race_construct_has(construct, CONSTRUCT_LOOP) ||
		    find_clause(&construct->clauses, "order") != NULL)
			return false;
	return true;
}

/* Updates in any order: each is atomic. */
static bool fix_updates(struct remedy *remedy)
{
	const struct race_construct *region = remedy->region;
	const bool elements =
	    strcmp(race_expression_base(remedy->arena,
		       remedy->words->expression[0] != NULL ? remedy->words->expression[0] : ""),
		"") != 0 &&
	    strchr(remedy->words->expression[0], '(') != NULL;
	struct fortran_variable variable;

	if (region == NULL || !race_fortran_is_local(&remedy->procedure, remedy->name, &variable) ||
	    is_used_inside(remedy) ||
	    is_in_clauses(remedy, region->line, region->end, remedy->unit))
		return false;
	if (variable.array != elements || common_operation(remedy, region, elements) == NULL)
		return false;
	for (int i = 0; i < remedy->procedure.count; i++) {
		const struct fortran_statement *statement = &remedy->procedure.all[i];
		struct fortran_access access;

		if (!is_inside(statement, region->begin, region->end))
			continue;
		access = race_fortran_access(remedy->arena, statement, remedy->name);
		if (access.use == FORTRAN_UNUSED)
			continue;
		const struct race_construct *at = construct_at(remedy->text, statement->line);
		if (access.conditional || !allows_atomic(remedy, at) ||
		    race_construct_has(at, CONSTRUCT_ATOMIC) ||
		    race_construct_has(at, CONSTRUCT_CRITICAL))
			return false;
		push_before(remedy, statement->line, statement, "atomic");
	}
	return true;
}

/* A plain access beside an atomic one. */
static bool fix_half(struct remedy *remedy)
{
	const struct race_side *side = remedy->finding->side;
	const int number = statement_at(remedy, side[side[0].atomic ? 1 : 0].line.line);
	struct fortran_access access;

	if (number < 0)
		return false;
	access = race_fortran_access(remedy->arena, &remedy->procedure.all[number], remedy->name);
	if (access.conditional || access.object == NULL ||
	    !allows_atomic(
		remedy, construct_at(remedy->text, remedy->procedure.all[number].line)) ||
	    (access.use == FORTRAN_READ && strcmp(access.value, remedy->name) != 0) ||
	    access.use == FORTRAN_OTHER || access.use == FORTRAN_UNUSED)
		return false;
	push_before(remedy, remedy->procedure.all[number].line, &remedy->procedure.all[number],
	    access.use == FORTRAN_UPDATE  ? "atomic"
	    : access.use == FORTRAN_WRITE ? "atomic write"
					  : "atomic read");
	return true;
}

static const char *critical_name(const struct race_construct *critical)
{
	const struct clause *name = find_clause(&critical->clauses, "");

	return name != NULL && name->arguments != NULL ? name->arguments : "";
}

/* Is it the only critical construct of its name in the file, without a call or another inside? */
static bool may_rename(const struct remedy *remedy, const struct race_construct *critical)
{
	size_t count = 0;

	for (int i = 0; i < remedy->text->construct_count; i++)
		count += race_construct_has(&remedy->text->constructs[i], CONSTRUCT_CRITICAL) &&
			 strcmp(critical_name(&remedy->text->constructs[i]),
			     critical_name(critical)) == 0;
	for (int i = 0; i < remedy->procedure.count; i++)
		if (is_inside(&remedy->procedure.all[i], critical->begin, critical->end) &&
		    strstr(remedy->procedure.all[i].text, "call") != NULL)
			return false;
	for (int line = critical->line + 1; line < critical->end; line++)
		if (construct_at(remedy->text, line) != critical)
			return false;
	return count == 1 && critical_name(critical)[0] != '\0';
}

/* Two updates in critical constructs of two names, or one of them outside of any. */
static bool fix_critical(struct remedy *remedy)
{
	const struct race_position *at = remedy->words->relation.at;
	const struct race_construct *kept = at[0].critical, *other = at[1].critical;
	const char *operation = NULL;

	if (kept == NULL || other == NULL || kept == other)
		return false;
	for (int i = 0; i < 2; i++) {
		const int number = statement_at(remedy, remedy->finding->side[i].line.line);
		struct fortran_access access = {FORTRAN_UNUSED};

		if (number >= 0)
			access = race_fortran_access(
			    remedy->arena, &remedy->procedure.all[number], remedy->name);
		if (access.use != FORTRAN_UPDATE ||
		    (operation != NULL && strcmp(operation, access.operation) != 0))
			return false;
		operation = access.operation;
	}
	if (kept->line > other->line) {
		kept = at[1].critical;
		other = at[0].critical;
	}
	if (!may_rename(remedy, other) || critical_name(kept)[0] == '\0')
		return false;
	push(remedy, LINT_CHANGE_NAME, other->line, 0, true, "critical", critical_name(kept));
	push(remedy, LINT_CHANGE_NAME, other->end, 0, true, "end critical", critical_name(kept));
	return true;
}

/* Is the statement executed by all threads of the region, in loops at most? *loop: the innermost.
 */
static bool is_of_team(
    const struct remedy *remedy, int number, const struct race_construct *region, int *loop)
{
	*loop = -1;
	for (int at = remedy->procedure.all[number].block; at >= 0;
	     at = remedy->procedure.all[at].block) {
		const struct fortran_statement *opening = &remedy->procedure.all[at];
		const char *bounds = strchr(opening->text, '=');

		if (opening->line <= region->line)
			return true;
		/* Other bounds than numbers may differ from thread to thread. */
		if (opening->opens != FORTRAN_LOOP || bounds == NULL ||
		    bounds[1 + strspn(bounds + 1, "0123456789,+-")] != '\0')
			return false;
		*loop = *loop < 0 ? at : *loop;
	}
	return true;
}

/* Do threads wait at a directive between the two lines, in the statements' own block? */
static bool has_barrier(
    const struct remedy *remedy, const struct race_construct *region, int from, int to)
{
	for (int i = 0; i < remedy->text->construct_count; i++) {
		const struct race_construct *at = &remedy->text->constructs[i];

		if (at->line < from || at->line >= to || race_parent(remedy->text, at) != region)
			continue;
		if (race_construct_has(at, CONSTRUCT_BARRIER) ||
		    ((race_is_loop(at) || race_construct_has(at, CONSTRUCT_SINGLE) ||
			 race_construct_has(at, CONSTRUCT_SECTIONS)) &&
			find_clause(&at->clauses, "nowait") == NULL))
			return true;
	}
	return false;
}

/* The construct with nowait around one access, if the other one comes behind it in the region. */
static const struct race_construct *early_construct(const struct remedy *remedy)
{
	const struct race_relation *relation = &remedy->words->relation;

	for (int i = 0; i < 2 && relation->earlier == NULL && !remedy->finding->one_place; i++) {
		const struct race_construct *at = relation->at[i].innermost;
		const int line = remedy->finding->side[1 - i].line.line;

		if (at != NULL && relation->at[i].innermost_text == remedy->text &&
		    find_clause(&at->clauses, "nowait") != NULL && line > at->end &&
		    race_construct_has(at, CONSTRUCT_SCOPE) && remedy->region != NULL &&
		    line <= remedy->region->end)
			return at;
	}
	return relation->earlier_text == remedy->text ? relation->earlier : NULL;
}

/* A construct without a barrier at its end. */
static bool fix_end(struct remedy *remedy)
{
	const struct race_construct *early = early_construct(remedy);
	const struct race_construct *region =
	    early != NULL ? race_parent(remedy->text, early) : NULL;
	int number, loop;

	if (early == NULL)
		return false;
	if (find_clause(&early->clauses, "nowait") != NULL) {
		const bool own = strstr(early->use.clauses, "nowait") != NULL;
		push(remedy, LINT_CHANGE_REMOVE, own ? early->line : early->end, 0, true,
		    own ? early->name : arena_format(remedy->arena, "end %s", early->name),
		    "nowait");
		return true;
	}
	number = statement_at(remedy, early->begin + 1);
	for (int line = early->begin + 1; number < 0 && line < early->end; line++)
		number = statement_at(remedy, line);
	if (number < 0 || region == NULL || !directive_is(&region->use, CONSTRUCT_PARALLEL) ||
	    !is_of_team(remedy, number, region, &loop) || loop >= 0)
		return false;
	push(remedy, LINT_CHANGE_BEFORE, early->end + 1,
	    (int)strspn(remedy->text->lines[early->line - 1], " \t") + 1, false, "", "barrier");
	return true;
}

/* Two statements that each thread of the region executes. */
static bool fix_team(struct remedy *remedy)
{
	const struct race_side *side = remedy->finding->side;
	int one = statement_at(remedy, side[0].line.line), loop,
	    other = statement_at(remedy, side[1].line.line);
	const struct race_construct *region = construct_at(remedy->text, side[0].line.line);
	const struct fortran_statement *all = remedy->procedure.all;

	if (one > other) {
		const int swap = one;
		one = other;
		other = swap;
	}
	if (one < 0 || one == other || region == NULL ||
	    construct_at(remedy->text, side[1].line.line) != region ||
	    !directive_is(&region->use, CONSTRUCT_PARALLEL) || all[one].block != all[other].block ||
	    remedy->procedure.labels_loops || !is_of_team(remedy, one, region, &loop))
		return false;
	for (int i = 0; i < remedy->procedure.count; i++)
		if (is_inside(&all[i], region->begin, region->end) && leaves(&all[i]))
			return false;
	if (!has_barrier(remedy, region, all[one].line, all[other].line))
		push_before(remedy, all[other].line, &all[other], "barrier");
	if (loop >= 0) {
		int end = other;
		while (end < remedy->procedure.count &&
		       (end <= loop || all[end].block != all[loop].block))
			end++;
		if (end < remedy->procedure.count &&
		    !has_barrier(remedy, region, all[other].line, all[end].line) &&
		    !has_barrier(remedy, region, all[loop].line, all[one].line))
			push_before(remedy, all[loop + 1].line, &all[loop + 1], "barrier");
	}
	return remedy->count > 0;
}

/* The task around an access, also a target region that is one; NULL if none is. */
static const struct race_construct *task_of(const struct remedy *remedy, int side)
{
	const struct race_position *at = &remedy->words->relation.at[side];

	if (at->innermost != NULL && race_construct_has(at->innermost, CONSTRUCT_TARGET) &&
	    find_clause(&at->innermost->clauses, "nowait") != NULL)
		return at->innermost_text == remedy->text ? at->innermost : NULL;
	return at->unit != NULL && directive_is(&at->unit->use, CONSTRUCT_TASK) &&
		       at->around == remedy->text
		   ? at->unit
		   : NULL;
}

/* A task and what its generating code does after it. */
static bool fix_task(struct remedy *remedy)
{
	const struct fortran_statement *all = remedy->procedure.all;
	const int side = task_of(remedy, 0) != NULL ? 0 : 1;
	const struct race_construct *task = task_of(remedy, side);
	const int line = remedy->finding->side[1 - side].line.line;
	int number = statement_at(remedy, line), inside = -1;

	if (task == NULL || number < 0 || task_of(remedy, 1 - side) == task || line <= task->end ||
	    construct_at(remedy->text, line) != race_parent(remedy->text, task))
		return false;
	for (int at = task->begin + 1; inside < 0 && at < task->end; at++)
		inside = statement_at(remedy, at);
	while (inside >= 0 && number >= 0 && all[number].block != all[inside].block)
		number = all[number].block;
	if (inside < 0 || number < 0 || all[number].line <= task->end)
		return false;
	push_before(remedy, all[number].line, &all[number], "taskwait");
	return true;
}

/* A thread that finds something writes it and cancels the others. */
static bool fix_found(struct remedy *remedy)
{
	const struct race_construct *region = remedy->region;

	for (int i = 0; i < remedy->procedure.count && region != NULL; i++) {
		const struct fortran_statement *statement = &remedy->procedure.all[i];
		struct fortran_access access;
		bool cancels = false;

		if (!is_inside(statement, region->begin, region->end))
			continue;
		access = race_fortran_access(remedy->arena, statement, remedy->name);
		if (access.use == FORTRAN_UNUSED)
			continue;
		for (int j = 0; j < remedy->text->construct_count; j++) {
			const struct race_construct *at = &remedy->text->constructs[j];
			cancels |= race_construct_has(at, CONSTRUCT_CANCEL) &&
				   at->line > statement->last && i + 1 < remedy->procedure.count &&
				   at->line < remedy->procedure.all[i + 1].line;
		}
		if (access.use != FORTRAN_WRITE || access.conditional || !cancels)
			return false;
		push_before(remedy, statement->line, statement, "atomic write");
	}
	return remedy->count > 0;
}

static bool find(struct remedy *remedy)
{
	static bool (*const named[])(struct remedy *) = {
	    fix_reduction, fix_private, fix_found, fix_updates, fix_team};

	switch (remedy->words->relation.rule) {
	case RACE_RULE_BARRIER:
		return fix_end(remedy);
	case RACE_RULE_ATOMIC:
		return (remedy->name[0] != '\0' && fix_half(remedy)) || fix_end(remedy);
	case RACE_RULE_CRITICAL:
		return remedy->name[0] != '\0' && fix_critical(remedy);
	case RACE_RULE_TASKS:
		if (fix_task(remedy))
			return true;
		break;
	case RACE_RULE_SECTIONS:
	case RACE_RULE_THREADS:
		return false;
	default:
		if (fix_task(remedy) || fix_end(remedy))
			return true;
		break;
	}
	for (size_t i = 0; i < sizeof named / sizeof *named && remedy->name[0] != '\0'; i++) {
		remedy->count = 0;
		remedy->refused = false;
		if (remedy->unit != NULL && named[i](remedy))
			return true;
	}
	return false;
}

static const char *in_lower_case(struct inst_arena *arena, const char *name)
{
	char *copy = arena_copy(arena, name, strlen(name));

	for (size_t i = 0; copy[i] != '\0'; i++)
		copy[i] = (char)tolower((unsigned char)copy[i]);
	return copy;
}

bool fortran_remedy_find(struct inst_arena *arena, const struct race_finding *finding,
    const struct race_words *words, const char *name, struct lint_finding *result)
{
	const struct race_position *at = words->relation.at;
	struct remedy remedy = {.arena = arena,
	    .finding = finding,
	    .words = words,
	    .text = at[0].text,
	    .name = in_lower_case(arena, name),
	    .unit = at[0].around == at[0].text ? at[0].unit : NULL};

	if (remedy.text == NULL || !remedy.text->is_there || !remedy.text->is_fortran ||
	    remedy.text->is_changed || (!finding->one_place && at[1].text != remedy.text))
		return false;
	remedy.procedure = race_fortran_procedure(arena, remedy.text, finding->side[0].line.line);
	if (remedy.procedure.preprocessed || remedy.procedure.count == 0)
		return false;
	remedy.region = region_around(remedy.text, remedy.unit);
	remedy.fixes = arena_allocate(arena, MOST_CHANGES * sizeof *remedy.fixes);
	if (!find(&remedy) || remedy.refused)
		return false;
	*result = (struct lint_finding){.check = LINT_SHARED_WRITE,
	    .place = {race_short_path(remedy.text->path), finding->side[0].line.line, 1},
	    .message =
		arena_format(arena, "%s is used by two threads at once, as a run has shown", name),
	    .note_place = {"", 0, 0},
	    .note = "",
	    .fixes = remedy.fixes,
	    .fix_count = remedy.count};
	return true;
}

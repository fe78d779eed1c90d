/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared scalars that several threads write without protection. The use of the variable inside the
 * loop or region determines the proposed remedy: reduction, private, lastprivate, or protection.
 *
 * Reports nothing if it is not certain that more than one thread executes the write: see
 * model_is_selected().
 */
#include "checks.h"
#include "fixes.h"
#include "hand-over.h"
#include "reduction-form.h"

#include <string.h>

/* A variable that the threads of a construct write. */
struct conflict {
	struct lint_unit *unit;
	struct model_function *function;
	const struct model_event *event; /* the write */
	const struct tree_construct
	    *region; /* `parallel`, or NULL for a loop without one in this function */
	const struct tree_construct *directive; /* the directive that gets the clause */
};

static bool is_plain(const struct tree_variable *variable)
{
	return (variable->shape == SHAPE_ARITHMETIC || variable->shape == SHAPE_POINTER) &&
	       !variable->atomic && !variable->reference;
}

/* Is it a taskloop whose tasks several threads execute, even if one thread generates them all? */
static bool is_spread(const struct tree_construct *construct)
{
	return construct_has(construct, CONSTRUCT_BIT(TASKLOOP)) &&
	       find_clause(&construct->clauses, "if") == NULL &&
	       find_clause(&construct->clauses, "final") == NULL &&
	       find_clause(&construct->clauses, "num_tasks") == NULL;
}

/*
 * Finds the region and directive of a write that several threads execute; false if only one does.
 */
static bool find_conflict(struct conflict *conflict)
{
	const struct model_event *event = conflict->event;
	const struct tree_construct *construct = event->construct;
	struct model_sharing sharing = model_sharing_of(construct, event->variable);
	const uint64_t opaque = MODEL_EXCLUSIVE | CONSTRUCT_BIT(TASK) | CONSTRUCT_BIT(TASKGRAPH);

	if (sharing.attribute != ATTRIBUTE_SHARED)
		return false;
	conflict->region = lint_around(construct, CONSTRUCT_BIT(PARALLEL));
	conflict->directive = lint_around(construct, LINT_SHARED_LOOPS | CONSTRUCT_BIT(PARALLEL));
	if (conflict->directive == NULL ||
	    (conflict->region == NULL && sharing.rule != RULE_STATIC))
		return false;
	const bool witnessed = lint_is_witnessed(conflict->unit, event);
	if (model_has_between(construct,
		witnessed || is_spread(conflict->directive) ? conflict->directive
							    : conflict->region,
		opaque) ||
	    (conflict->region != NULL && model_is_serial(conflict->region)))
		return false;
	const struct tree_construct *outer =
	    conflict->region != NULL ? conflict->region : conflict->directive;
	return (witnessed ||
		   (!model_is_selected(conflict->function, event->name, outer) &&
		       !model_is_selected(conflict->function, event->name, conflict->directive))) &&
	       !model_is_locked(event->name, outer);
}

/*
 * The sequential loop inside the construct whose head contains the write and whose variable is
 * written; or NULL.
 */
static struct tree *inner_loop(const struct conflict *conflict)
{
	for (struct tree *at = conflict->event->name; at != NULL && at != conflict->directive->node;
	     at = at->parent)
		if (at->parent != NULL && at->parent->kind == TREE_FOR &&
		    at == at->parent->children[0] &&
		    model_read_loop(at->parent).variable == conflict->event->variable)
			return at->parent;
	return NULL;
}

/* The reduction, if all uses inside the construct belong to the same one; else NULL. */
static const char *common_reduction(const struct conflict *conflict)
{
	const struct model_function *function = conflict->function;
	const char *common = NULL, *operation;
	struct tree *forms[64];
	size_t count = 0;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		if (event->variable != conflict->event->variable ||
		    (event->kind & EVENT_WRITE) == 0 ||
		    !event_is_in(event, conflict->directive->node))
			continue;
		struct tree *form = lint_reduction_form(event, &operation);
		if (form == NULL || count == 64 ||
		    (common != NULL && strcmp(common, operation) != 0))
			return NULL;
		common = operation;
		forms[count++] = form;
	}
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		bool inside = false;
		if (event->variable != conflict->event->variable ||
		    !event_is_in(event, conflict->directive->node))
			continue;
		for (size_t j = 0; j < count; j++)
			inside |= event_is_in(event, forms[j]);
		if (!inside)
			return NULL;
	}
	return common;
}

/* Does each iteration, or each thread, write the variable before reading it, and read it at all? */
static bool is_written_first(const struct conflict *conflict)
{
	const struct model_function *function = conflict->function;
	bool read = false;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		bool covered = false;
		if (event->variable != conflict->event->variable ||
		    (event->kind & (EVENT_READ | EVENT_ADDRESS)) == 0 ||
		    !event_is_in(event, conflict->directive->node))
			continue;
		for (size_t j = 0; j < i && !covered; j++)
			covered = function->events[j].variable == event->variable &&
				  function->events[j].kind == EVENT_WRITE &&
				  event_is_in(&function->events[j], conflict->directive->node) &&
				  model_precedes(function->events[j].name, event->name);
		if (!covered)
			return false;
		read = true;
	}
	return read;
}

static bool is_only_written(const struct conflict *conflict)
{
	const struct model_function *function = conflict->function;

	for (size_t i = 0; i < function->count; i++)
		if (function->events[i].variable == conflict->event->variable &&
		    function->events[i].kind != EVENT_WRITE &&
		    event_is_in(&function->events[i], conflict->directive->node))
			return false;
	return true;
}

/* Is the value of the last iteration read after the construct? */
static bool is_read_behind(const struct conflict *conflict)
{
	const struct model_function *function = conflict->function;
	const struct tree *node = conflict->directive->node;
	const struct model_event *written = NULL;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		if (event->variable != conflict->event->variable || event->name->begin < node->end)
			continue;
		if ((event->kind & (EVENT_READ | EVENT_ADDRESS)) != 0)
			return written == NULL || !model_precedes(written->name, event->name);
		if (written == NULL)
			written = event;
	}
	return false;
}

/* Is the write executed in each iteration of an associated loop, whatever branches are taken? */
static bool is_unconditional(const struct conflict *conflict)
{
	struct model_loop loops[MODEL_MOST_LOOPS];
	size_t count = model_associated_loops(conflict->directive, loops);

	return count > 0 &&
	       !model_is_conditional(conflict->event->name, loops[count - 1].node->children[3]);
}

/* Do all writes in the construct assign the same constant? */
static bool is_flag(const struct conflict *conflict)
{
	const struct model_function *function = conflict->function;
	long long constant = 0, number;
	bool known = false;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const struct tree *assignment = event->object->parent;

		if (event->variable != conflict->event->variable ||
		    (event->kind & EVENT_WRITE) == 0 ||
		    !event_is_in(event, conflict->directive->node))
			continue;
		if (event->kind != EVENT_WRITE || assignment == NULL ||
		    assignment->kind != TREE_ASSIGN || strcmp(assignment->name, "=") != 0)
			return false;
		if (!model_constant(assignment->children[1], &number) ||
		    (known && constant != number))
			return false;
		constant = number;
		known = true;
	}
	return known;
}

/* Chooses the check by how the construct uses the variable. */
static enum lint_check choose_check(
    const struct conflict *conflict, const char *operation, const char **tail)
{
	const bool loop = construct_has(conflict->directive, LINT_SHARED_LOOPS);

	*tail = "";
	if (inner_loop(conflict) != NULL)
		return LINT_INNER_LOOP;
	*tail = ", which all combine values into it";
	if (operation != NULL)
		return LINT_REDUCTION;
	*tail = ", written by each, and read after the loop";
	if (loop && is_unconditional(conflict) && is_read_behind(conflict) &&
	    (is_only_written(conflict) || is_written_first(conflict)))
		return LINT_LASTPRIVATE;
	*tail = ", and each writes it, then reads it";
	if (is_written_first(conflict) && !is_read_behind(conflict))
		return LINT_PRIVATE;
	*tail = ", which set it to one constant";
	if (is_flag(conflict))
		return LINT_FLAG_WRITE;
	*tail = " and written by each";
	return LINT_SHARED_WRITE;
}

/* Does a call in the construct leave open what it does with a variable of static storage? */
static bool visit_call(struct tree *node, void *context)
{
	bool *found = context;

	*found |= node->kind == TREE_CALL;
	return !*found;
}

/* May code other than the function's own statements use the variable in the construct? */
static bool is_used_elsewhere(const struct conflict *conflict)
{
	const struct tree_variable *variable = conflict->event->variable;
	const struct model_function *function = conflict->function;
	bool called = false;

	for (size_t i = 0; i < function->count; i++)
		if (function->events[i].variable == variable &&
		    (function->events[i].kind & EVENT_ADDRESS) != 0)
			return true;
	if (variable->scope == SCOPE_FILE || variable->scope == SCOPE_STATIC)
		model_visit(conflict->directive->node, visit_call, &called);
	return called || function->jumps;
}

/* Is the variable read in front of the construct, in a loop around both, or does it outlive the
 * call? */
static bool may_be_read_later(const struct conflict *conflict)
{
	const struct tree_variable *variable = conflict->event->variable;
	const struct tree *node = conflict->directive->node, *loop = NULL;

	if (variable->scope == SCOPE_FILE || variable->scope == SCOPE_STATIC ||
	    is_read_behind(conflict))
		return true;
	for (const struct tree *at = node; at != NULL; at = at->parent)
		if (at->kind == TREE_FOR || at->kind == TREE_WHILE || at->kind == TREE_DO ||
		    at->kind == TREE_RANGE)
			loop = at;
	for (size_t i = 0; i < conflict->function->count && loop != NULL; i++) {
		const struct model_event *event = &conflict->function->events[i];

		if (event->variable == variable && (event->kind & EVENT_READ) != 0 &&
		    event_is_in(event, loop) && event->name->begin < node->begin)
			return true;
	}
	return false;
}

/* Lists the variable in the clause; its value may leave the construct only if the clause keeps it.
 */
static void fix_by_clause(const struct conflict *conflict, struct lint_remedy *remedy,
    const char *clause, const char *operation)
{
	const struct tree_variable *variable = conflict->event->variable;
	const bool keeps = strcmp(clause, "private") != 0;

	if (is_used_elsewhere(conflict) || (!keeps && may_be_read_later(conflict)) ||
	    (keeps && find_clause(&conflict->directive->clauses, "nowait") != NULL) ||
	    (keeps && !lint_is_alone(conflict->unit, conflict->function, conflict->directive,
			  conflict->event)) ||
	    (strcmp(clause, "reduction") == 0 && variable->shape != SHAPE_ARITHMETIC))
		lint_fix_refuse(&remedy->fixes);
	lint_fix_list(conflict->unit, &remedy->fixes, conflict->directive, "shared", clause,
	    operation, variable->name);
}

/* A flag that nobody reads in the region: each write becomes atomic. */
static void fix_flag(const struct conflict *conflict, struct lint_remedy *remedy)
{
	const struct tree_construct *region =
	    conflict->region != NULL ? conflict->region : conflict->directive;

	for (size_t i = 0; i < conflict->function->count; i++) {
		const struct model_event *event = &conflict->function->events[i];

		if (event->variable != conflict->event->variable ||
		    !event_is_in(event, region->node))
			continue;
		if (event->kind != EVENT_WRITE ||
		    construct_has(event->construct, MODEL_EXCLUSIVE) ||
		    construct_has(event->construct, CONSTRUCT_BIT(SIMD) | CONSTRUCT_BIT(LOOP)) ||
		    find_clause(&event->construct->clauses, "order") != NULL)
			lint_fix_refuse(&remedy->fixes);
		else
			lint_fix_before(conflict->unit, &remedy->fixes, event->object->parent,
			    "atomic write", false);
	}
}

static bool visit_cancel(struct tree *node, void *context)
{
	bool *found = context;

	*found |=
	    node->kind == TREE_CONSTRUCT && construct_has(node->construct, CONSTRUCT_BIT(CANCEL));
	return !*found;
}

/*
 * Some iterations write the variable, none reads it, and it is read after the loop: the last write
 * counts (OpenMP 5.2, 5.4.5).
 */
static void fix_last_write(const struct conflict *conflict, struct lint_remedy *remedy)
{
	bool cancelled = false;

	model_visit(conflict->directive->node, visit_cancel, &cancelled);
	if (cancelled || !construct_has(conflict->directive, CONSTRUCT_BIT(FOR)) ||
	    construct_has(conflict->directive, CONSTRUCT_BIT(DISTRIBUTE) | CONSTRUCT_BIT(SIMD)) ||
	    !is_only_written(conflict) || !is_read_behind(conflict))
		return;
	fix_by_clause(conflict, remedy, "lastprivate", "conditional: ");
}

static void report(const struct conflict *conflict)
{
	struct lint_unit *unit = conflict->unit;
	const char *name = conflict->event->variable->name, *tail, *operation;
	struct lint_remedy remedy = {.directive = conflict->directive};
	enum lint_check check;

	operation = common_reduction(conflict);
	check = choose_check(conflict, operation, &tail);
	switch (check) {
	case LINT_INNER_LOOP:
		remedy.text = lint_text(unit,
		    "add private(%s) to this directive, or declare %s in the loop's head", name,
		    name);
		if (is_written_first(conflict))
			fix_by_clause(conflict, &remedy, "private", "");
		break;
	case LINT_REDUCTION:
		remedy.text =
		    lint_text(unit, "add reduction(%s: %s) to this directive", operation, name);
		fix_by_clause(conflict, &remedy, "reduction", lint_text(unit, "%s: ", operation));
		break;
	case LINT_LASTPRIVATE:
		remedy.text = lint_text(unit, "add lastprivate(%s) to this directive", name);
		fix_by_clause(conflict, &remedy, "lastprivate", "");
		break;
	case LINT_FLAG_WRITE:
		remedy.text =
		    lint_text(unit, "set and read %s by atomic write and atomic read", name);
		fix_flag(conflict, &remedy);
		break;
	case LINT_PRIVATE:
		remedy.text = lint_text(unit, "add private(%s) to this directive", name);
		fix_by_clause(conflict, &remedy, "private", "");
		break;
	default:
		remedy.text = lint_text(
		    unit, "make %s private to this directive, or protect each access to it", name);
		fix_last_write(conflict, &remedy);
		break;
	}
	lint_report(unit, check, conflict->event->name,
	    lint_text(unit, "%s%s is shared by %s threads%s", name,
		check == LINT_INNER_LOOP ? ", the variable of this loop," : "",
		lint_owner(conflict->directive), tail),
	    remedy);
}

/* Was an earlier write already reported for the same variable and directive? */
static bool is_repeated(
    const struct conflict *conflict, const struct tree_construct *const *directives, size_t index)
{
	const struct model_function *function = conflict->function;

	for (size_t i = 0; i < index; i++)
		if (directives[i] == conflict->directive &&
		    function->events[i].variable == function->events[index].variable)
			return true;
	return false;
}

/* Is this the first write of the variable inside the directive? */
static bool is_first_write(const struct conflict *conflict)
{
	const struct model_function *function = conflict->function;

	for (const struct model_event *at = function->events; at < conflict->event; at++)
		if (at->variable == conflict->event->variable && (at->kind & EVENT_WRITE) != 0 &&
		    event_is_in(at, conflict->directive->node))
			return false;
	return true;
}

/* Reports a temporary of a simd loop that each iteration writes before reading it. */
static void report_temporary(const struct conflict *conflict)
{
	struct lint_unit *unit = conflict->unit;
	const char *name = conflict->event->variable->name;
	const bool last = is_read_behind(conflict);
	struct lint_remedy remedy = {.directive = conflict->directive};

	if (!is_first_write(conflict) || (last && !is_unconditional(conflict)))
		return;
	remedy.text =
	    lint_text(unit, "add %s(%s) to this directive", last ? "lastprivate" : "private", name);
	fix_by_clause(conflict, &remedy, last ? "lastprivate" : "private", "");
	lint_report(unit, last ? LINT_LASTPRIVATE : LINT_PRIVATE, conflict->event->name,
	    lint_text(unit, "%s is shared by the loop's lanes, %s", name,
		last ? "written by each, and read after the loop"
		     : "and each writes it, then reads it"),
	    remedy);
}

/*
 * Checks simd loops whose lanes combine values, read what another iteration has written, or share a
 * temporary.
 */
static void check_lanes(
    struct lint_unit *unit, struct model_function *function, const struct model_event *event)
{
	struct conflict conflict = {.unit = unit, .function = function, .event = event};
	const struct tree_variable *variable = event->variable;
	const char *operation;

	conflict.directive = lint_around(
	    event->construct, CONSTRUCT_BIT(SIMD) | LINT_SHARED_LOOPS | CONSTRUCT_BIT(PARALLEL));
	if (conflict.directive == NULL || !construct_has(conflict.directive, CONSTRUCT_BIT(SIMD)) ||
	    construct_has(conflict.directive, LINT_SHARED_LOOPS) ||
	    model_clauses_mention(conflict.directive, variable->name) ||
	    model_sharing_of(event->construct, variable).by == conflict.directive ||
	    (variable->offset >= conflict.directive->node->begin &&
		variable->offset < conflict.directive->node->end) ||
	    model_has_between(event->construct, conflict.directive, MODEL_EXCLUSIVE) ||
	    find_clause(&conflict.directive->clauses, "safelen") != NULL ||
	    inner_loop(&conflict) != NULL || is_only_written(&conflict))
		return;
	if (is_written_first(&conflict)) {
		report_temporary(&conflict);
		return;
	}
	operation = common_reduction(&conflict);
	struct lint_remedy remedy = {.directive = conflict.directive};
	remedy.text = operation != NULL ? lint_text(unit, "add reduction(%s: %s) to this directive",
					      operation, variable->name)
					: "the iterations have to be executed one after the other";
	if (operation != NULL)
		fix_by_clause(&conflict, &remedy, "reduction", lint_text(unit, "%s: ", operation));
	lint_report(unit, operation != NULL ? LINT_REDUCTION : LINT_SIMD_DEPENDENCE, event->name,
	    lint_text(unit, "%s is shared by the loop's lanes, which %s", variable->name,
		operation != NULL ? "all combine values into it"
				  : "read what other iterations write to it"),
	    remedy);
}

/* Checks whether another section uses what this section writes. */
static void check_sections(
    struct lint_unit *unit, const struct model_function *function, const struct model_event *event)
{
	const struct tree_construct *section = event->construct;

	if (!construct_has(section, CONSTRUCT_BIT(SECTION)) || section->parent == NULL ||
	    model_is_conditional(event->name, section->node) ||
	    model_is_locked(event->name, section) ||
	    lint_around(section, CONSTRUCT_BIT(PARALLEL)) == NULL ||
	    model_sharing_of(section, event->variable).attribute != ATTRIBUTE_SHARED)
		return;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *other = &function->events[i];

		if (other->variable != event->variable || other->construct == NULL ||
		    other->construct == section || other->element ||
		    other->construct->parent != section->parent ||
		    !construct_has(other->construct, CONSTRUCT_BIT(SECTION)) ||
		    (other->kind & EVENT_ADDRESS) != 0 ||
		    model_is_conditional(other->name, other->construct->node) ||
		    model_is_locked(other->name, other->construct) ||
		    lint_may_be_ordered(unit, event, section->node, other, other->construct->node))
			continue;
		lint_report(unit, LINT_SHARED_WRITE, event->name,
		    lint_text(unit,
			"%s is shared by the sections, written here and used in another",
			event->variable->name),
		    (struct lint_remedy){.node = other->name, .text = "here it is used, too"});
		return;
	}
}

void lint_check_shared(struct lint_unit *unit, struct model_function *function)
{
	const struct tree_construct **directives =
	    arena_allocate(unit->tree.arena, (function->count + 1) * sizeof *directives);

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct conflict conflict = {.unit = unit, .function = function, .event = event};

		if ((event->kind & (EVENT_WRITE | EVENT_DECLARE)) != EVENT_WRITE ||
		    event->element || event->construct == NULL || !is_plain(event->variable) ||
		    lint_is_captured(function, event->variable))
			continue;
		check_lanes(unit, function, event);
		check_sections(unit, function, event);
		if (!find_conflict(&conflict))
			continue;
		directives[i] = conflict.directive;
		if (!is_repeated(&conflict, directives, i))
			report(&conflict);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private variables whose values are lost or missing: read in the construct before anything is
 * written to the copy, or read after the construct as if the original had changed, or as if the
 * loop had set what it never sets. Copies of threadprivate variables that have no value in a
 * region.
 */
#include "checks.h"
#include "fixes.h"

#include <string.h>

/* Has a copy no value at first? In C++, a constructor may give one to records. */
static bool is_plain(const struct lint_unit *unit, const struct tree_variable *variable)
{
	return variable->shape == SHAPE_ARITHMETIC || variable->shape == SHAPE_POINTER ||
	       (!unit->tree.input->cplusplus &&
		   (variable->shape == SHAPE_ARRAY || variable->shape == SHAPE_RECORD));
}

/* The first use of the copy inside the construct; NULL if there is none. */
static const struct model_event *first_use(const struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	for (size_t i = 0; i < function->count; i++)
		if (function->events[i].variable == variable &&
		    event_is_in(&function->events[i], construct->node))
			return &function->events[i];
	return NULL;
}

/* Does a construct inside have its own attribute for the variable? */
static bool is_decided_inside(const struct tree_construct *inner,
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	for (; inner != NULL && inner != construct; inner = inner->parent)
		if (model_clauses_mention(inner, variable->name))
			return true;
	return false;
}

/* Did the original have a value before the construct? */
static bool has_value(const struct model_function *function, const struct tree_construct *construct,
    const struct tree_variable *variable)
{
	if (variable->scope != SCOPE_LOCAL || variable->initialised)
		return true;
	for (size_t i = 0; i < function->count; i++)
		if (function->events[i].variable == variable &&
		    (function->events[i].kind & (EVENT_WRITE | EVENT_ADDRESS)) != 0 &&
		    function->events[i].name->begin < construct->node->begin)
			return true;
	return false;
}

static void check_read(struct lint_unit *unit, struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *variable,
    const char *clause)
{
	const bool valued = has_value(function, construct, variable);
	const struct model_event *use = first_use(function, construct, variable);
	struct lint_remedy remedy = {.directive = construct};

	/* A use that depends on a condition may follow a write in an earlier iteration. */
	if (use == NULL || (use->kind & EVENT_READ) == 0 || (use->kind & EVENT_ADDRESS) != 0 ||
	    (use->element && variable->shape == SHAPE_POINTER) ||
	    is_decided_inside(use->construct, construct, variable))
		return;
	for (const struct tree *at = use->name; at != NULL && at != construct->node;
	     at = at->parent)
		if (at->parent->kind == TREE_IF || at->parent->kind == TREE_CONDITIONAL ||
		    at->parent->kind == TREE_SWITCH || at->parent->kind == TREE_LABEL ||
		    (at->parent->kind == TREE_BINARY && at == at->parent->children[1] &&
			(strcmp(at->parent->name, "&&") == 0 ||
			    strcmp(at->parent->name, "||") == 0)))
			return;
	remedy.text = lint_text(unit, "%s %s(%s) %s firstprivate(%s), or set it first",
	    strcmp(clause, "private") == 0 ? "replace" : "complete", clause, variable->name,
	    strcmp(clause, "private") == 0 ? "by" : "with", variable->name);
	if (!valued || lint_changes_inside(function, construct, variable))
		lint_fix_refuse(&remedy.fixes);
	lint_fix_list(unit, &remedy.fixes, construct, clause, "firstprivate", "", variable->name);
	lint_report(unit, LINT_FIRSTPRIVATE, use->name,
	    lint_text(unit, "the %s copy of %s is read before anything is written to it", clause,
		variable->name),
	    remedy);
}

/* Reports a read of the original after the construct if the original never got a value. */
static void check_behind(struct lint_unit *unit, struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	struct lint_remedy remedy = {.directive = construct};
	bool written = false;

	if (has_value(function, construct, variable) || function->jumps)
		return;
	for (const struct tree *at = construct->node; at != NULL; at = at->parent)
		if (at->kind == TREE_FOR || at->kind == TREE_WHILE || at->kind == TREE_DO)
			return; /* code after the construct may have run before it */
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		if (event->variable != variable)
			continue;
		if (event_is_in(event, construct->node)) {
			written |= (event->kind & EVENT_WRITE) != 0;
			continue;
		}
		if (event->name->begin < construct->node->end)
			continue;
		if (!written || (event->kind & EVENT_READ) == 0 || event->element ||
		    model_sharing_of(event->construct, variable).by != construct->parent ||
		    (event->kind & EVENT_ADDRESS) != 0)
			return;
		remedy.text = lint_text(unit,
		    "make it lastprivate(%s) here, if the last "
		    "iteration's value is meant",
		    variable->name);
		lint_report(unit, LINT_LASTPRIVATE, event->name,
		    lint_text(unit,
			"%s has no value here: the '%s' before it wrote to private copies",
			variable->name, construct->use.name),
		    remedy);
		return;
	}
}

/*
 * Reports a read after the construct of what its last iteration should have set, if no iteration
 * sets it.
 */
static void check_unset(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *construct, const struct model_event *event)
{
	const struct tree_variable *variable = event->variable;
	const struct model_event *use = first_use(function, construct, variable);
	struct lint_remedy remedy = {.directive = construct};

	if (event->kind != EVENT_READ || event->element || function->jumps ||
	    event->name->begin < construct->node->end ||
	    variable->offset >= construct->node->begin ||
	    variable->scope_end < construct->node->end ||
	    model_sharing_of(construct, variable).by != construct ||
	    (use != NULL && (use->kind & EVENT_READ) != 0) ||
	    lint_changes_inside(function, construct, variable) ||
	    !model_precedes(construct->node, event->name))
		return;
	for (const struct model_event *at = function->events; at < event; at++)
		if (at->variable == variable && at->kind != EVENT_READ &&
		    at->name->begin >= construct->node->end)
			return;
	remedy.text = lint_text(
	    unit, "take %s from lastprivate, or set it in each iteration", variable->name);
	lint_fix_remove(
	    unit, &remedy.fixes, construct, lint_text(unit, "lastprivate(%s)", variable->name));
	if (use != NULL)
		lint_fix_refuse(&remedy.fixes);
	lint_report(unit, LINT_LASTPRIVATE, event->name,
	    lint_text(unit,
		"%s has no value here: no iteration of the '%s' before it sets its lastprivate copy",
		variable->name, construct->use.name),
	    remedy);
}

static void check_construct(
    struct lint_unit *unit, struct model_function *function, struct tree_construct *construct)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const char *name = event->variable->name;
		const bool last = model_clause_lists(construct, "lastprivate", name);

		if (last && (event->variable->scope == SCOPE_LOCAL ||
				event->variable->scope == SCOPE_PARAMETER))
			check_unset(unit, function, construct, event);
		if (!event_is_in(event, construct->node) || !is_plain(unit, event->variable) ||
		    (!last && !model_clause_lists(construct, "private", name)) ||
		    model_clause_lists(construct, "firstprivate", name) ||
		    model_sharing_of(construct, event->variable).by != construct ||
		    first_use(function, construct, event->variable) != event)
			continue;
		check_read(
		    unit, function, construct, event->variable, last ? "lastprivate" : "private");
		if (!last)
			check_behind(unit, function, construct, event->variable);
	}
}

void lint_check_privates(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < unit->tree.construct_count; i++) {
		struct tree_construct *construct = unit->tree.constructs[i];

		if (tree_holds(function->function->body, construct->node) &&
		    (find_clause(&construct->clauses, "private") != NULL ||
			find_clause(&construct->clauses, "lastprivate") != NULL))
			check_construct(unit, function, construct);
	}
}

/*
 * Threadprivate variables that a function sets in its serial part and all threads of a region then
 * read: without copyin, the value is only that of the encountering thread. Nothing is reported if
 * any other code of the file may set the copies of the others.
 */

/* The last write before the region, if all code before it is serial; else NULL. */
static const struct model_event *serial_write(const struct model_function *function,
    const struct tree_construct *region, const struct tree_variable *variable)
{
	const struct model_event *write = NULL;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if (event->variable != variable || event->kind == EVENT_READ)
			continue;
		if (event->construct != NULL || event->element || event->kind != EVENT_WRITE)
			return NULL;
		if (event->name->begin < region->node->begin &&
		    model_precedes(event->name, region->node))
			write = event;
	}
	return write;
}

/* Does code outside of the function write the variable or take its address? */
static bool is_set_elsewhere(const struct lint_unit *unit, const struct model_function *function,
    const struct tree_variable *variable)
{
	for (size_t i = 0; i < unit->tree.function_count; i++) {
		const struct model_function *other = &unit->functions[i];

		for (size_t j = 0; j < other->count && other != function; j++)
			if (other->events[j].variable == variable &&
			    other->events[j].kind != EVENT_READ)
				return true;
	}
	return false;
}

/* May the value that is assigned be the one that each copy has from the start? */
static bool is_first_value(const struct model_event *write)
{
	const struct tree *assignment = write->name->parent;
	long long value;

	if (assignment == NULL || assignment->kind != TREE_ASSIGN ||
	    strcmp(assignment->name, "=") != 0)
		return true;
	return model_constant(assignment->children[1], &value) &&
	       (value == 0 || write->variable->initialised);
}

struct call_search {
	size_t begin, end; /* only calls between these offsets count */
	bool found;
};

/* Finds a call, which may set the copies of all threads. */
static bool visit_call(struct tree *node, void *context)
{
	struct call_search *search = context;

	search->found |= node->kind == TREE_CALL && node->begin >= search->begin &&
			 node->begin < search->end &&
			 (node->name == NULL || strncmp(node->name, "omp_", strlen("omp_")) != 0);
	return !search->found;
}

static bool calls_between(const struct model_function *function, size_t begin, size_t end)
{
	struct call_search search = {begin, end, false};

	model_visit(function->function->body, visit_call, &search);
	return search.found;
}

static void check_copy(
    struct lint_unit *unit, struct model_function *function, const struct model_event *event)
{
	const struct tree_variable *variable = event->variable;
	const struct tree_construct *region =
	    lint_around(event->construct, CONSTRUCT_BIT(PARALLEL));
	struct lint_remedy remedy = {.directive = region};
	const struct model_event *write;

	if (region == NULL || region->parent != NULL || model_is_serial(region) ||
	    model_clause_lists(region, "copyin", variable->name) ||
	    model_has_between(event->construct, region,
		CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED) | CONSTRUCT_BIT(SINGLE) |
		    CONSTRUCT_BIT(SECTION) | LINT_TASKS | CONSTRUCT_BIT(TARGET)) ||
	    model_is_selected(function, event->name, region))
		return;
	write = serial_write(function, region, variable);
	if (write == NULL || is_first_value(write) || is_set_elsewhere(unit, function, variable) ||
	    calls_between(function, write->name->end, event->name->begin))
		return;
	remedy.text = lint_text(unit, "add copyin(%s) to this directive", variable->name);
	lint_fix_list(unit, &remedy.fixes, region, "copyin", "copyin", "", variable->name);
	lint_report(unit, LINT_COPYIN, event->name,
	    lint_text(unit,
		"%s is threadprivate, and its value from line %d is that of one thread only",
		variable->name, lint_line(unit, write->name)),
	    remedy);
}

void lint_check_copyin(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		bool first = true;

		if (event->kind != EVENT_READ || event->element ||
		    !event->variable->threadprivate || event->construct == NULL)
			continue;
		for (size_t j = 0; j < i; j++)
			first &= function->events[j].variable != event->variable ||
				 function->events[j].kind != EVENT_READ ||
				 function->events[j].construct == NULL;
		if (first)
			check_copy(unit, function, event);
	}
}

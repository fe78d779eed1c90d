/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threadprivate variables that a function sets in its serial part and all threads of a region then
 * read: without copyin, the value is only that of the encountering thread. Reports nothing if any
 * other code of the file may set the copies of the others.
 */
#include "checks.h"
#include "fixes.h"

#include <string.h>

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

static void check_read(
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
			check_read(unit, function, event);
	}
}

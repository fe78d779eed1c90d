/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A construct without a barrier at its end (one with nowait, or master) shares data with other
 * threads while it may still be executed: a scalar, the variable of a reduction, or array elements
 * that other threads access after it. One of the two accesses is a write.
 */
#include "checks.h"
#include "fixes.h"
#include "hand-over.h"
#include "iterations.h"

#include <string.h>

/* Constructs without a barrier at their ends. */
#define MASTERS (CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED))

/* Constructs that determine which threads execute their contents. */
#define EXECUTORS (LINT_WORKSHARING | MASTERS)

struct early {
	struct lint_unit *unit;
	struct model_function *function;
	const struct tree_construct *writer; /* the construct with nowait */
	const struct tree_construct *region;
};

struct barrier_search {
	struct lint_unit *unit;
	size_t begin, end;
	bool found;
};

/*
 * A loop that all threads execute and in which they may wait for each other: a hand-written
 * barrier.
 */
static bool is_waiting_loop(struct lint_unit *unit, struct tree *node)
{
	const struct tree_construct *around =
	    lint_around(model_construct_around(node), EXECUTORS | CONSTRUCT_BIT(PARALLEL));

	return (node->kind == TREE_FOR || node->kind == TREE_WHILE || node->kind == TREE_DO) &&
	       around != NULL && construct_has(around, CONSTRUCT_BIT(PARALLEL)) &&
	       lint_uses_flags(unit, node);
}

/* Finds a barrier, the end of a construct that has one, or a call that may lead to one. */
static bool visit_barrier(struct tree *node, void *context)
{
	struct barrier_search *search = context;

	if (node->begin >= search->end)
		return node->kind == TREE_BLOCK;
	if (node->kind == TREE_CONSTRUCT && node->begin >= search->begin) {
		const struct tree_construct *construct = node->construct;
		if (construct_has(construct, CONSTRUCT_BIT(BARRIER)) ||
		    (construct_has(construct, LINT_WORKSHARING) && node->end <= search->end &&
			find_clause(&construct->clauses, "nowait") == NULL))
			search->found = true;
	}
	if (node->kind == TREE_CALL && node->begin >= search->begin && node->name != NULL &&
	    (strstr(node->name, "barrier") != NULL || strstr(node->name, "Barrier") != NULL ||
		lint_find_function(search->unit, node->target) != NULL))
		search->found = true;
	if (node->begin >= search->begin && is_waiting_loop(search->unit, node))
		search->found = true;
	return !search->found;
}

static bool has_barrier(const struct early *early, size_t begin, size_t end)
{
	struct barrier_search search = {early->unit, begin, end, false};

	model_visit(early->region->node, visit_barrier, &search);
	return search.found;
}

/* Is the event after the writer, in the same region, with no barrier in between? */
static bool comes_early(const struct early *early, const struct model_event *event)
{
	return event->name->begin >= early->writer->node->end &&
	       event_is_in(event, early->region->node) &&
	       lint_around(event->construct, CONSTRUCT_BIT(PARALLEL) | LINT_TASKS) ==
		   early->region &&
	       model_precedes(early->writer->node, event->name) &&
	       !has_barrier(early, early->writer->node->end, event->name->begin);
}

static void report(const struct early *early, enum lint_check check,
    const struct model_event *first, const struct model_event *event, const char *name)
{
	struct lint_remedy remedy = {.directive = early->writer};

	const bool master = construct_has(early->writer, MASTERS);

	remedy.text = lint_text(early->unit, "%s '%s'%s",
	    master ? "put a barrier after this" : "remove nowait from this",
	    early->writer->use.name, master ? "" : ", or put a barrier between");
	lint_fix_end(early->unit, &remedy.fixes, early->writer, early->region);
	lint_report(early->unit, check, event->object,
	    check == LINT_REDUCTION_READ
		? lint_text(early->unit, "%s is read before the reduction is complete", name)
		: lint_text(early->unit, "%s is %s here with no barrier after the '%s' that %s it",
		      name, (event->kind & EVENT_READ) != 0 ? "read" : "written",
		      early->writer->use.name,
		      (first->kind & EVENT_WRITE) != 0 ? "writes" : "reads"),
	    remedy);
}

/* Does a condition inside the construct decide whether the event is executed? */
static bool is_guarded(const struct model_event *event, const struct tree_construct *construct)
{
	for (const struct tree *at = event->name; at != construct->node; at = at->parent)
		if (at->parent->kind == TREE_IF || at->parent->kind == TREE_CONDITIONAL ||
		    at->parent->kind == TREE_SWITCH || at->parent->kind == TREE_WHILE ||
		    at->parent->kind == TREE_LABEL)
			return true;
	return false;
}

/* May a flag or a lock order the two accesses? */
static bool is_ordered(
    const struct early *early, const struct model_event *first, const struct model_event *then)
{
	const struct lint_span behind = {early->writer->node, first->name->end, SIZE_MAX},
			       before = {early->region->node, early->writer->node->end,
				   then->name->begin};

	return lint_hands_over(early->unit, &behind, &before);
}

/* Finds out which threads execute the direct contents of the construct; false if unknown. */
static bool read_executor(const struct tree_construct *construct, enum lint_executor *executor)
{
	if (construct_has(construct, MASTERS))
		*executor = LINT_THREAD_0;
	else if (construct_has(construct, CONSTRUCT_BIT(FOR)))
		*executor = LINT_SHARED_OUT;
	else if (construct_has(construct, CONSTRUCT_BIT(SINGLE) | CONSTRUCT_BIT(SECTIONS)))
		*executor = LINT_ONE_THREAD;
	else if (construct_has(construct, CONSTRUCT_BIT(PARALLEL)))
		*executor = LINT_ALL_THREADS;
	else
		return false;
	return true;
}

/* Checks a scalar that the writer changes and that all threads read after it. */
static void check_scalar(const struct early *early, const struct model_event *write)
{
	const bool reduced = model_clause_lists(early->writer, "reduction", write->variable->name);

	if (write->element || write->variable->atomic ||
	    (!reduced && (construct_has(early->writer, CONSTRUCT_BIT(FOR)) ||
			     model_sharing_of(write->construct, write->variable).attribute !=
				 ATTRIBUTE_SHARED)))
		return;
	if (reduced &&
	    model_sharing_of(early->region, write->variable).attribute != ATTRIBUTE_SHARED)
		return;
	for (size_t i = 0; i < early->function->count; i++) {
		const struct model_event *event = &early->function->events[i];

		if (event->variable != write->variable || !comes_early(early, event) ||
		    (event->kind == EVENT_READ && construct_has(early->writer, MASTERS) &&
			model_has_between(event->construct, early->region, MASTERS)))
			continue;
		if (event->kind != EVENT_READ || event->element ||
		    model_has_between(event->construct, early->region,
			CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC) | MASTERS) ||
		    model_is_selected(early->function, event->name, early->region) ||
		    model_sharing_of(event->construct, event->variable).attribute !=
			ATTRIBUTE_SHARED ||
		    is_ordered(early, write, event))
			return;
		report(early, reduced ? LINT_REDUCTION_READ : LINT_NOWAIT, write, event,
		    event->variable->name);
		return;
	}
}

/*
 * Checks a scalar that one thread changes after the construct, while others may still read it in
 * the construct.
 */
static void check_scalar_read(const struct early *early, const struct model_event *read)
{
	const uint64_t protected = CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC) | LINT_TASKS;

	if (read->kind != EVENT_READ || read->element || read->variable->atomic ||
	    model_has_between(read->construct, early->writer, protected) ||
	    model_is_locked(read->name, early->region) ||
	    model_sharing_of(read->construct, read->variable).attribute != ATTRIBUTE_SHARED)
		return;
	for (size_t i = 0; i < early->function->count; i++) {
		const struct model_event *event = &early->function->events[i];
		const struct tree_construct *construct =
		    lint_around(event->construct, EXECUTORS | CONSTRUCT_BIT(PARALLEL) | LINT_TASKS);

		if (event->variable != read->variable || (event->kind & EVENT_WRITE) == 0 ||
		    event->element || !comes_early(early, event) ||
		    !construct_has(
			construct, CONSTRUCT_BIT(SINGLE) | CONSTRUCT_BIT(SECTIONS) | MASTERS) ||
		    (construct_has(construct, MASTERS) && construct_has(early->writer, MASTERS)) ||
		    model_has_between(event->construct, construct, protected) ||
		    model_is_locked(event->name, early->region) ||
		    model_is_selected(early->function, event->name, early->region) ||
		    (is_guarded(read, early->writer) && is_guarded(event, construct)) ||
		    model_sharing_of(event->construct, event->variable).attribute !=
			ATTRIBUTE_SHARED ||
		    is_ordered(early, read, event))
			continue;
		report(early, LINT_NOWAIT, read, event, event->variable->name);
		return;
	}
}

/*
 * Is it one array for the whole team, at the same address from the beginning to the end of the
 * region?
 */
static bool is_of_team(const struct early *early, const struct model_event *event)
{
	const struct tree_variable *variable = event->variable;
	const enum model_attribute attribute =
	    model_sharing_of(event->construct, variable).attribute;

	if (variable->atomic || variable->changing || variable->reference ||
	    lint_is_captured(early->function, variable))
		return false;
	if (variable->shape != SHAPE_POINTER)
		return attribute == ATTRIBUTE_SHARED;
	for (size_t i = 0; i < early->function->count; i++) {
		const struct model_event *other = &early->function->events[i];

		if (other->variable == variable && !other->element && other->kind != EVENT_READ &&
		    event_is_in(other, early->region->node))
			return false;
	}
	return attribute == ATTRIBUTE_SHARED || attribute == ATTRIBUTE_FIRSTPRIVATE;
}

/* Is the element accessed regardless of thread and iteration, and without protection? */
static bool is_certain(const struct early *early, const struct lint_place_of_access *place)
{
	const struct model_event *event = place->event;

	return event->element && (event->kind & EVENT_ADDRESS) == 0 && is_of_team(early, event) &&
	       !model_has_between(event->construct, place->construct,
		   CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC) | CONSTRUCT_BIT(ORDERED) |
		       LINT_TASKS) &&
	       !model_is_selected(early->function, event->name, place->construct) &&
	       !model_is_selected(early->function, event->name, early->region) &&
	       !model_is_locked(event->name, early->region);
}

/* The first access after the construct by which another thread may touch an element of `first`. */
static const struct model_event *early_element(
    const struct early *early, const struct lint_place_of_access *first)
{
	for (size_t i = 0; i < early->function->count; i++) {
		const struct model_event *event = &early->function->events[i];
		struct lint_place_of_access then = {.event = event};

		if (event->variable != first->event->variable ||
		    ((event->kind | first->event->kind) & EVENT_WRITE) == 0 ||
		    event->name->begin < early->writer->node->end ||
		    !event_is_in(event, early->region->node))
			continue;
		then.construct =
		    lint_around(event->construct, EXECUTORS | CONSTRUCT_BIT(PARALLEL) | LINT_TASKS);
		if (then.construct == NULL || !read_executor(then.construct, &then.executor) ||
		    lint_around(then.construct, CONSTRUCT_BIT(PARALLEL)) != early->region ||
		    !is_certain(early, &then) ||
		    (is_guarded(first->event, early->writer) && is_guarded(event, then.construct)))
			continue;
		const struct tree *behind =
		    then.construct != early->region ? then.construct->node : event->name;
		if (!has_barrier(early, early->writer->node->end, behind->begin) &&
		    model_precedes(early->writer->node, behind) &&
		    lint_meets_on_other_thread(early->unit, early->function, first, &then) &&
		    !is_ordered(early, first->event, event))
			return event;
	}
	return NULL;
}

static void check_array(const struct early *early, const struct model_event *first)
{
	struct lint_place_of_access place = {.event = first, .construct = early->writer};
	const struct model_event *then;

	if (!read_executor(early->writer, &place.executor) || !is_certain(early, &place))
		return;
	then = early_element(early, &place);
	if (then != NULL)
		report(
		    early, LINT_NOWAIT, first, then, model_text(&early->unit->tree, then->object));
}

/* Does the construct have no barrier at its end, in a team of several threads? */
static bool is_left_early(const struct early *early)
{
	return early->writer != NULL &&
	       !construct_has(early->writer, CONSTRUCT_BIT(PARALLEL) | LINT_TASKS) &&
	       (construct_has(early->writer, MASTERS) ||
		   find_clause(&early->writer->clauses, "nowait") != NULL) &&
	       find_clause(&early->writer->clauses, "copyprivate") == NULL &&
	       early->region != NULL && !model_is_serial(early->region);
}

void lint_check_nowait(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct early early = {.unit = unit, .function = function};

		early.writer =
		    lint_around(event->construct, EXECUTORS | CONSTRUCT_BIT(PARALLEL) | LINT_TASKS);
		early.region = lint_around(early.writer, CONSTRUCT_BIT(PARALLEL));
		if (!is_left_early(&early))
			continue;
		if ((event->kind & EVENT_WRITE) != 0)
			check_scalar(&early, event);
		check_scalar_read(&early, event);
		check_array(&early, event);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a construct with nowait writes is used by other threads before a barrier: a scalar of single
 * or sections, the variable of a reduction, or elements of an array that a loop behind shares out
 * in another way.
 */
#include "checks.h"
#include "subscript.h"

#include <string.h>

/* They have no barrier at their ends. */
#define MASTERS (CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED))

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

/* A barrier, the end of a construct that has one, or a call that may lead to one. */
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
	return !search->found;
}

static bool has_barrier(const struct early *early, size_t begin, size_t end)
{
	struct barrier_search search = {early->unit, begin, end, false};

	model_visit(early->region->node, visit_barrier, &search);
	return search.found;
}

/* Is the event behind the writer, in the same region, with no barrier between? */
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
    const struct model_event *event, const char *name)
{
	struct lint_remedy remedy = {.directive = early->writer};

	const bool master = construct_has(early->writer, MASTERS);

	remedy.text = lint_text(early->unit, "%s '%s'%s",
	    master ? "put a barrier behind this" : "remove nowait from this",
	    early->writer->use.name, master ? "" : ", or put a barrier between");
	lint_report(early->unit, check, event->object,
	    check == LINT_REDUCTION_READ
		? lint_text(early->unit, "%s is read before the reduction is complete", name)
		: lint_text(early->unit,
		      "%s is read here with no barrier behind the '%s' that writes it", name,
		      early->writer->use.name),
	    remedy);
}

/* Scalars of the writer that all threads read behind it. */
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

		if (event->variable != write->variable || !comes_early(early, event))
			continue;
		if (event->kind != EVENT_READ || event->element ||
		    model_has_between(event->construct, early->region,
			CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC) | MASTERS) ||
		    model_is_selected(early->function, event->name, early->region) ||
		    model_sharing_of(event->construct, event->variable).attribute !=
			ATTRIBUTE_SHARED)
			return;
		report(early, reduced ? LINT_REDUCTION_READ : LINT_NOWAIT, event,
		    event->variable->name);
		return;
	}
}

/* The subscript of a[i]; NULL for other forms. */
static struct tree *index_of(const struct model_event *event)
{
	return event->object->kind == TREE_INDEX && event->object->children[0]->kind == TREE_NAME
		   ? event->object->children[1]
		   : NULL;
}

static const char *schedule_of(const struct tree_construct *construct)
{
	const struct clause *clause = find_clause(&construct->clauses, "schedule");

	return clause != NULL && clause->arguments != NULL ? clause->arguments : "";
}

static bool is_dynamic(const struct tree_construct *construct)
{
	return strncmp(schedule_of(construct), "dynamic", 7) == 0 ||
	       strncmp(schedule_of(construct), "guided", 6) == 0;
}

/* Do two loops with the same bounds touch the element in the same iteration? */
static bool is_other_iteration(const struct early *early, const struct model_event *write,
    const struct model_event *read, const struct tree_construct *reader)
{
	struct model_loop loops[2][MODEL_MOST_LOOPS];
	struct tree_unit *tree = &early->unit->tree;
	long long offsets[2];

	if (model_associated_loops(early->writer, loops[0]) != 1 ||
	    model_associated_loops(reader, loops[1]) != 1 || index_of(write) == NULL ||
	    index_of(read) == NULL || loops[0][0].bound == NULL || loops[1][0].bound == NULL)
		return false;
	for (size_t i = 0; i < 2; i++) {
		const struct tree_variable *variable = loops[i][0].variable;
		struct subscript index =
		    subscript_read(tree, early->function, index_of(i == 0 ? write : read));
		struct subscript factor = subscript_coefficient(&index, variable);
		struct subscript name = {.known = true, .count = 1};
		long long one;

		if (!subscript_is_constant(&factor, &one) || (one != 1 && one != -1))
			return false;
		if (one == -1)
			return i == 1; /* the other end of the range */
		name.terms[0].coefficient = 1;
		name.terms[0].factors[0].variable = variable;
		name.terms[0].factor_count = 1;
		index = subscript_subtract(&index, &name);
		if (!subscript_is_constant(&index, &offsets[i]))
			return false;
	}
	if (offsets[0] != offsets[1])
		return true;
	return (is_dynamic(early->writer) || is_dynamic(reader) ||
		   strcmp(schedule_of(early->writer), schedule_of(reader)) != 0) &&
	       model_same_text(tree, loops[0][0].bound, loops[1][0].bound);
}

static void check_array(const struct early *early, const struct model_event *write)
{
	if (!write->element || !construct_has(early->writer, CONSTRUCT_BIT(FOR)) ||
	    model_sharing_of(write->construct, write->variable).attribute != ATTRIBUTE_SHARED)
		return;
	for (size_t i = 0; i < early->function->count; i++) {
		const struct model_event *event = &early->function->events[i];
		const struct tree_construct *reader =
		    lint_around(event->construct, LINT_WORKSHARING | CONSTRUCT_BIT(PARALLEL));

		if (event->variable != write->variable || !event->element ||
		    (event->kind & EVENT_READ) == 0 || reader == NULL ||
		    !construct_has(reader, CONSTRUCT_BIT(FOR)) ||
		    event->name->begin < early->writer->node->end ||
		    !event_is_in(event, early->region->node) ||
		    has_barrier(early, early->writer->node->end, reader->node->begin) ||
		    !model_precedes(early->writer->node, reader->node) ||
		    !is_other_iteration(early, write, event, reader))
			continue;
		report(early, LINT_NOWAIT, event, model_text(&early->unit->tree, event->object));
		return;
	}
}

void lint_check_nowait(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct early early = {.unit = unit, .function = function};

		early.writer = lint_around(
		    event->construct, LINT_WORKSHARING | CONSTRUCT_BIT(PARALLEL) | LINT_TASKS);
		if ((event->kind & EVENT_WRITE) == 0 || early.writer == NULL ||
		    construct_has(early.writer, CONSTRUCT_BIT(PARALLEL) | LINT_TASKS) ||
		    (!construct_has(early.writer, MASTERS) &&
			find_clause(&early.writer->clauses, "nowait") == NULL) ||
		    find_clause(&early.writer->clauses, "copyprivate") != NULL)
			continue;
		early.region = lint_around(early.writer, CONSTRUCT_BIT(PARALLEL));
		if (early.region == NULL || model_is_serial(early.region))
			continue;
		check_scalar(&early, event);
		check_array(&early, event);
	}
}

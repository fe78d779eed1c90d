/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `declare simd` functions that write variables of static storage: the lanes of the calling loop
 * share these variables (OpenMP 5.2, 7.7).
 */
#include "checks.h"

#include <string.h>

/* Is the declaration at `offset` the one that follows the pragma? */
static bool follows(const struct lint_unit *unit, const struct inst_pragma *pragma, size_t offset)
{
	const char *text = unit->tree.input->text;

	if (pragma->next > offset)
		return false;
	for (size_t at = pragma->next; at < offset; at++)
		if (strchr(";{}", text[at]) != NULL)
			return false;
	return true;
}

/* Does a declare simd directive belong to the function's definition or to its first declaration? */
static bool is_for_lanes(struct lint_unit *unit, const struct tree_function *function)
{
	const struct inst_scan *scan = unit->tree.scan;

	for (size_t i = 0; i < scan->pragma_count && !function->lambda; i++) {
		const struct inst_pragma *pragma = &scan->pragmas[i];

		if (pragma->user || pragma->begin >= function->begin ||
		    (!follows(unit, pragma, function->begin) &&
			!follows(unit, pragma, function->offset)))
			continue;
		struct directive_use use = directive_read(unit->tree.arena, pragma->words);
		if (directive_is(&use, CONSTRUCT_DECLARE_SIMD))
			return true;
	}
	return false;
}

/* Does the event assign a constant to the variable, as is usual for flags? */
static bool sets_constant(const struct model_event *event)
{
	const struct tree *assignment = event->object->parent;
	long long number;

	return event->kind == EVENT_WRITE && assignment != NULL &&
	       assignment->kind == TREE_ASSIGN && strcmp(assignment->name, "=") == 0 &&
	       model_constant(assignment->children[1], &number);
}

static bool is_shared_write(const struct model_event *event)
{
	const struct tree_variable *variable = event->variable;

	return (event->kind & (EVENT_WRITE | EVENT_DECLARE)) == EVENT_WRITE && !event->element &&
	       (variable->scope == SCOPE_FILE || variable->scope == SCOPE_STATIC) &&
	       (variable->shape == SHAPE_ARITHMETIC || variable->shape == SHAPE_POINTER) &&
	       !variable->atomic && !variable->reference && !variable->per_thread &&
	       !variable->threadprivate && !sets_constant(event) &&
	       !model_has_between(event->construct, NULL,
		   MODEL_EXCLUSIVE | LINT_TASKS | CONSTRUCT_BIT(PARALLEL)) &&
	       (event->construct == NULL ||
		   model_sharing_of(event->construct, variable).attribute == ATTRIBUTE_SHARED);
}

void lint_check_declare_simd(struct lint_unit *unit, struct model_function *function)
{
	if (!is_for_lanes(unit, function->function))
		return;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const char *name = event->variable->name;

		if (!is_shared_write(event))
			continue;
		lint_report(unit, LINT_DECLARE_SIMD, event->name,
		    lint_text(unit,
			"%s is shared by the lanes that execute this declare simd function, and "
			"each writes it",
			name),
		    (struct lint_remedy){.node = function->function->body,
			.text = lint_text(unit,
			    "return it instead, for the simd loop to combine in %s by a "
			    "reduction",
			    name)});
	}
}

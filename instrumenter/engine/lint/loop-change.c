/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops that are associated with a directive must be in canonical form (OpenMP 5.2, 4.4.1): the
 * number of iterations is known at the beginning, and nothing in the body changes it.
 */
#include "checks.h"

#include <string.h>

struct loop_check {
	struct lint_unit *unit;
	struct model_function *function;
	const struct tree_construct *construct;
	const struct model_loop *loop;
};

static void report(
    const struct loop_check *check, const struct model_event *event, const char *what)
{
	struct lint_remedy remedy = {.directive = check->construct};

	remedy.text = "the number of iterations has to be known before the loop begins";
	lint_report(check->unit, LINT_LOOP_CHANGE, event->name,
	    lint_text(check->unit, "%s, %s of the loop of this '%s', is changed in its body",
		event->variable->name, what, check->construct->use.name),
	    remedy);
}

static bool names_variable(struct tree *node, void *context)
{
	const struct tree_variable **wanted = context;

	if (node->kind == TREE_NAME && node->variable == *wanted) {
		*wanted = NULL;
		return false;
	}
	return true;
}

static bool is_in_bound(const struct model_loop *loop, const struct tree_variable *variable)
{
	const struct tree_variable *wanted = variable;

	model_visit(loop->bound, names_variable, &wanted);
	return wanted == NULL;
}

static void check_loop(const struct loop_check *check)
{
	const struct tree *body = check->loop->node->children[3];

	for (size_t i = 0; i < check->function->count; i++) {
		const struct model_event *event = &check->function->events[i];

		if ((event->kind & EVENT_WRITE) == 0 || event->element || !event_is_in(event, body))
			continue;
		if (event->variable == check->loop->variable)
			report(check, event, "the variable");
		else if (check->loop->bound != NULL && is_in_bound(check->loop, event->variable) &&
			 event->variable->shape == SHAPE_ARITHMETIC &&
			 model_sharing_of(event->construct, event->variable).attribute ==
			     ATTRIBUTE_SHARED)
			report(check, event, "the bound");
	}
}

void lint_check_loop_change(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < unit->tree.construct_count; i++) {
		struct tree_construct *construct = unit->tree.constructs[i];
		struct model_loop loops[MODEL_MOST_LOOPS];
		size_t count = 0;

		if (tree_holds(function->function->body, construct->node))
			count = model_associated_loops(construct, loops);
		for (size_t n = 0; n < count; n++) {
			struct loop_check check = {unit, function, construct, &loops[n]};
			check_loop(&check);
		}
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists calls, for checks that follow calls of the runtime's routines. */
#include "call-list.h"

static bool visit_call(struct tree *node, void *context)
{
	struct lint_calls *calls = context;

	if (node->kind == TREE_CALL && node->name != NULL) {
		calls->all = arena_grow(
		    calls->arena, calls->all, calls->count, &calls->room, sizeof *calls->all);
		calls->all[calls->count++] = node;
	}
	return node->kind != TREE_LAMBDA;
}

struct lint_calls lint_collect_calls(struct lint_unit *unit, const struct model_function *function)
{
	struct lint_calls calls = {.arena = unit->tree.arena};

	model_visit(function->function->body, visit_call, &calls);
	return calls;
}

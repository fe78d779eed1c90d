/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simple locks: set twice on a path, still set on a return, and two locks that functions of one
 * file take in opposite orders. The text of the argument identifies a lock, as long as no variable
 * in it changes.
 */
#include "call-list.h"
#include "checks.h"

#include <string.h>

enum action { ACTION_NONE, ACTION_SET, ACTION_UNSET };

static enum action action_of(const struct tree *call)
{
	if (call->count != 2)
		return ACTION_NONE;
	if (strcmp(call->name, "omp_set_lock") == 0)
		return ACTION_SET;
	return strcmp(call->name, "omp_unset_lock") == 0 ? ACTION_UNSET : ACTION_NONE;
}

/* Do both calls name the same lock, with no variable in its name changed in between? */
static bool same_lock(struct lint_unit *unit, const struct model_function *function,
    const struct tree *first, const struct tree *second)
{
	if (!model_same_text(&unit->tree, first->children[1], second->children[1]))
		return false;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if ((event->kind & EVENT_WRITE) == 0 || event->name->begin < first->begin ||
		    event->name->begin > second->begin)
			continue;
		for (size_t j = 0; j < function->count; j++)
			if (function->events[j].variable == event->variable &&
			    event_is_in(&function->events[j], second->children[1]))
				return false;
	}
	return true;
}

static bool same_thread(const struct tree *first, const struct tree *second)
{
	const uint64_t other = CONSTRUCT_BIT(PARALLEL) | LINT_TASKS | CONSTRUCT_BIT(SECTION);

	return lint_around(model_construct_around(first), other) ==
	       lint_around(model_construct_around(second), other);
}

/* The call that unsets the lock between two offsets, or NULL. */
static const struct tree *unset_between(
    struct lint_unit *unit, const struct lint_calls *calls, const struct tree *set, size_t end)
{
	for (size_t i = 0; i < calls->count; i++)
		if (calls->all[i]->begin > set->begin && calls->all[i]->begin < end &&
		    action_of(calls->all[i]) == ACTION_UNSET &&
		    model_same_text(&unit->tree, calls->all[i]->children[1], set->children[1]))
			return calls->all[i];
	return NULL;
}

static void check_twice(struct lint_unit *unit, const struct model_function *function,
    const struct lint_calls *calls, struct tree *set)
{
	for (size_t i = 0; i < calls->count; i++) {
		struct tree *again = calls->all[i];
		struct lint_remedy remedy = {.node = set};

		if (action_of(again) != ACTION_SET || again->begin <= set->begin ||
		    !same_thread(set, again) || !model_precedes(set, again) ||
		    !same_lock(unit, function, set, again) ||
		    unset_between(unit, calls, set, again->begin) != NULL)
			continue;
		remedy.text =
		    "it was set here, and not unset since; a nestable lock may be set again";
		lint_report(unit, LINT_LOCK_TWICE, again,
		    lint_text(unit,
			"the thread sets the lock %s, which it holds: it waits for itself",
			model_text(&unit->tree, again->children[1])),
		    remedy);
		return;
	}
}

struct return_search {
	struct tree *found[64];
	size_t count;
};

static bool visit_return(struct tree *node, void *context)
{
	struct return_search *search = context;

	if (node->kind == TREE_RETURN && search->count < 64)
		search->found[search->count++] = node;
	return node->kind != TREE_LAMBDA;
}

/* Does the unset before this return also come before another return in its own block? */
static bool leads_elsewhere(
    const struct tree *unset, const struct return_search *returns, const struct tree *leaving)
{
	for (size_t i = 0; i < returns->count; i++)
		if (returns->found[i] != leaving && returns->found[i]->begin < leaving->begin &&
		    model_precedes(unset, returns->found[i]) &&
		    returns->found[i]->parent == unset->parent)
			return true;
	return false;
}

static void check_kept(struct lint_unit *unit, const struct model_function *function,
    const struct lint_calls *calls, struct tree *set, const struct return_search *returns)
{
	if (unset_between(unit, calls, set, function->function->end) == NULL)
		return; /* another function unsets it */
	for (size_t i = 0; i < returns->count; i++) {
		struct tree *leaving = returns->found[i];
		struct lint_remedy remedy = {.node = set};
		bool unset = false;

		if (!model_precedes(set, leaving) || !same_thread(set, leaving))
			continue;
		for (size_t j = 0; j < calls->count; j++)
			unset |= action_of(calls->all[j]) == ACTION_UNSET &&
				 calls->all[j]->begin > set->begin &&
				 calls->all[j]->begin < leaving->end &&
				 model_same_text(
				     &unit->tree, calls->all[j]->children[1], set->children[1]) &&
				 !leads_elsewhere(calls->all[j], returns, leaving);
		if (unset)
			continue;
		remedy.text = "it is set here; unset it before each return";
		lint_report(unit, LINT_LOCK_KEPT, leaving,
		    lint_text(unit,
			"the function returns with the lock %s set, which it unsets elsewhere",
			model_text(&unit->tree, set->children[1])),
		    remedy);
	}
}

/* The file-scope variable that is the lock, for comparing orders across functions; or NULL. */
static const struct tree_variable *global_lock(const struct tree *call)
{
	struct tree *argument = call->children[1];

	if (argument->kind == TREE_UNARY && strcmp(argument->name, "&") == 0)
		argument = argument->children[0];
	return argument->kind == TREE_NAME && argument->variable != NULL &&
		       argument->variable->scope == SCOPE_FILE
		   ? argument->variable
		   : NULL;
}

/* The call by which a thread that holds `first` sets `second` in the function, or NULL. */
static struct tree *find_pair(struct lint_unit *unit, const struct model_function *function,
    const struct tree_variable *first, const struct tree_variable *second)
{
	struct lint_calls calls = lint_collect_calls(unit, function);

	for (size_t i = 0; i < calls.count; i++)
		for (size_t j = i + 1; j < calls.count && action_of(calls.all[i]) == ACTION_SET;
		     j++)
			if (action_of(calls.all[j]) == ACTION_SET &&
			    global_lock(calls.all[i]) == first &&
			    global_lock(calls.all[j]) == second &&
			    same_thread(calls.all[i], calls.all[j]) &&
			    model_precedes(calls.all[i], calls.all[j]) &&
			    unset_between(unit, &calls, calls.all[i], calls.all[j]->begin) == NULL)
				return calls.all[j];
	return NULL;
}

/*
 * This function sets one lock while it holds another. Reports it if the opposite order appears
 * earlier in the file.
 */
static void check_order(struct lint_unit *unit, const struct model_function *function,
    const struct tree *outer, struct tree *inner)
{
	const struct tree_variable *first = global_lock(outer), *second = global_lock(inner);

	if (first == NULL || second == NULL || first == second)
		return;
	for (size_t i = 0; i < unit->tree.function_count; i++) {
		struct tree *other = find_pair(unit, &unit->functions[i], second, first);
		struct lint_remedy remedy = {.node = other};

		if (other == NULL || other->begin > inner->begin)
			continue;
		remedy.text =
		    lint_text(unit, "here %s is set while %s is held: take them in one order",
			first->name, second->name);
		lint_report(unit, LINT_LOCK_ORDER, inner,
		    lint_text(unit,
			"%s is set while %s is held, and elsewhere in the opposite order: two threads "
			"can wait for each other",
			second->name, first->name),
		    remedy);
		return;
	}
	(void)function;
}

void lint_check_locks(struct lint_unit *unit, struct model_function *function)
{
	struct lint_calls calls = lint_collect_calls(unit, function);
	struct return_search returns = {.count = 0};

	if (function->jumps)
		return;
	model_visit(function->function->body, visit_return, &returns);
	for (size_t i = 0; i < calls.count; i++) {
		if (action_of(calls.all[i]) != ACTION_SET)
			continue;
		check_twice(unit, function, &calls, calls.all[i]);
		check_kept(unit, function, &calls, calls.all[i], &returns);
		for (size_t j = i + 1; j < calls.count; j++)
			if (action_of(calls.all[j]) == ACTION_SET &&
			    same_thread(calls.all[i], calls.all[j]) &&
			    model_precedes(calls.all[i], calls.all[j]) &&
			    unset_between(unit, &calls, calls.all[i], calls.all[j]->begin) == NULL)
				check_order(unit, function, calls.all[i], calls.all[j]);
	}
}

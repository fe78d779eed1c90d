/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simple locks: set twice on a path, still set on a return, and two locks that functions of one
 * file take in opposite orders. The text of the argument identifies a lock, as long as no variable
 * in it changes.
 */
#include "checks.h"
#include "fixes.h"
#include "lock-meeting.h"

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

/* Does the name of the lock mean the same from the call until the offset? */
static bool names_same(const struct model_function *function, const struct tree *call, size_t end)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if ((event->kind & EVENT_WRITE) == 0 || event->name->begin < call->begin ||
		    event->name->begin > end)
			continue;
		for (size_t j = 0; j < function->count; j++)
			if (function->events[j].variable == event->variable &&
			    event_is_in(&function->events[j], call->children[1]))
				return false;
	}
	return true;
}

/* Do both calls name the same lock, with no variable in its name changed in between? */
static bool same_lock(struct lint_unit *unit, const struct model_function *function,
    const struct tree *first, const struct tree *second)
{
	return model_same_text(&unit->tree, first->children[1], second->children[1]) &&
	       names_same(function, first, second->begin);
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

enum { RETURNS_MAX = 64 };

struct return_search {
	struct tree *found[RETURNS_MAX];
	size_t count;
};

static bool visit_return(struct tree *node, void *context)
{
	struct return_search *search = context;

	if (node->kind == TREE_RETURN && search->count < RETURNS_MAX)
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

/* What a path does between a set lock and a return, as far as the text shows it. */
struct path_search {
	struct lint_unit *unit;
	const struct model_function *function;
	const struct tree *set, *unset, *leaving;
	bool unknown;
};

/* Calls of the C library that have no callbacks; any other may unset the lock, or not return. */
static bool is_harmless(const struct tree *call)
{
	static const char *const names[] = {"printf", "fprintf", "puts", "fputs", "putchar",
	    "perror", "free", "omp_get_thread_num", "omp_get_wtime"};

	for (size_t i = 0; i < sizeof names / sizeof *names && call->name != NULL; i++)
		if (strcmp(call->name, names[i]) == 0)
			return true;
	return false;
}

/* A call that also the path to the unset makes does not unset the lock. */
static bool visit_path(struct tree *node, void *context)
{
	struct path_search *search = context;

	if (node->begin <= search->set->begin || node->begin >= search->leaving->begin)
		return true;
	search->unknown |=
	    node->kind == TREE_LAMBDA || node->kind == TREE_ASSEMBLER ||
	    (node->kind == TREE_CALL && node->parent != search->set && !is_harmless(node) &&
		action_of(node) == ACTION_NONE && !model_precedes(node, search->unset));
	return true;
}

/* The value may be read without the lock: constants, and what belongs to the function alone. */
static bool visit_value(struct tree *node, void *context)
{
	struct path_search *search = context;
	const struct tree_variable *variable = node->variable;

	switch (node->kind) {
	case TREE_RETURN:
	case TREE_NUMBER:
	case TREE_BINARY:
	case TREE_CONDITIONAL:
	case TREE_CAST:
	case TREE_UNEVALUATED:
		return true;
	case TREE_UNARY:
		search->unknown |= strchr("-~!+", node->name[0]) == NULL || node->name[1] != '\0';
		return true;
	case TREE_OTHER:
		search->unknown |= node->count > 0;
		return true;
	case TREE_NAME:
		break;
	default:
		search->unknown = true;
		return false;
	}
	if (variable == NULL)
		return true;
	search->unknown |=
	    (variable->scope != SCOPE_LOCAL && variable->scope != SCOPE_PARAMETER) ||
	    variable->reference || variable->in_lambda ||
	    (variable->shape != SHAPE_ARITHMETIC && variable->shape != SHAPE_POINTER);
	for (size_t i = 0; i < search->function->count; i++)
		search->unknown |= search->function->events[i].variable == variable &&
				   (search->function->events[i].kind & EVENT_ADDRESS) != 0;
	return true;
}

/* Does another variable of that name, or the end of its block, hide one of the lock's names? */
static bool is_hidden(const struct lint_unit *unit, const struct model_function *function,
    const struct tree *set, const struct tree *leaving)
{
	const size_t tables = sizeof unit->tree.variables / sizeof *unit->tree.variables;

	for (size_t i = 0; i < function->count; i++) {
		const struct tree_variable *named = function->events[i].variable;

		if (!event_is_in(&function->events[i], set->children[1]))
			continue;
		if (named->scope == SCOPE_LOCAL && named->scope_end < leaving->begin)
			return true;
		for (size_t j = 0; j < tables; j++)
			for (const struct tree_variable *other = unit->tree.variables[j];
			     other != NULL; other = other->next)
				if (other != named && strcmp(other->name, named->name) == 0 &&
				    other->offset > set->begin && other->offset < leaving->begin)
					return true;
	}
	return false;
}

/* Is the node only inside of statements that lead to it, without `try` and constructs? */
static bool is_in_statements(const struct model_function *function, const struct tree *node)
{
	for (node = node->parent; node != NULL && node != function->function->body;
	     node = node->parent)
		if (node->kind != TREE_BLOCK && node->kind != TREE_IF && node->kind != TREE_FOR &&
		    node->kind != TREE_WHILE && node->kind != TREE_DO &&
		    node->kind != TREE_SWITCH && node->kind != TREE_LABEL)
			return false;
	return node != NULL;
}

/* C++: the destructor of an object that is declared under the lock may need the lock. */
static bool has_object(
    const struct lint_unit *unit, const struct tree *set, const struct tree *leaving)
{
	const size_t tables = sizeof unit->tree.variables / sizeof *unit->tree.variables;

	for (size_t i = 0; i < tables && unit->tree.input->cplusplus; i++)
		for (const struct tree_variable *at = unit->tree.variables[i]; at != NULL;
		     at = at->next)
			if (at->offset > set->begin && at->offset < leaving->begin &&
			    at->scope_end > leaving->begin && at->shape != SHAPE_ARITHMETIC &&
			    at->shape != SHAPE_POINTER)
				return true;
	return false;
}

/*
 * The lock is unset in front of the return if the block that sets it also unsets it, behind the
 * return: a function that keeps it on purpose unsets it only in branches. The path must have it set
 * in any case, and the returned value must not depend on what it protects.
 */
static void fix_kept(struct lint_unit *unit, const struct model_function *function,
    const struct tree *set, const struct tree *unset, struct tree *leaving,
    const struct return_search *returns, struct lint_fixes *fixes)
{
	struct path_search search = {unit, function, set, unset, leaving, false};
	const struct tree *block = leaving->parent;

	while (block->parent != NULL && !lint_has_braces(unit, block) &&
	       (block->kind == TREE_LABEL || block->parent->kind == TREE_LABEL))
		block = block->parent;
	const bool alone = lint_has_braces(unit, block);
	model_visit(function->function->body, visit_path, &search);
	model_visit(leaving, visit_value, &search);
	for (size_t i = 0; i < returns->count; i++)
		search.unknown |= returns->found[i] != leaving &&
				  lint_line(unit, returns->found[i]) == lint_line(unit, leaving);
	if (search.unknown || !lint_is_statement(leaving) || (!alone && block != leaving->parent) ||
	    returns->count == RETURNS_MAX || !is_in_statements(function, leaving) ||
	    !lint_is_statement(set) || !names_same(function, set, leaving->begin) ||
	    unset->parent != set->parent || unset->begin < leaving->begin ||
	    is_hidden(unit, function, set, leaving) || has_object(unit, set, leaving))
		lint_fix_refuse(fixes);
	lint_fix_keep(unit, fixes, function, set, "omp_set_lock");
	lint_fix_keep(unit, fixes, function, unset, "omp_unset_lock");
	lint_fix_words(unit, fixes, alone ? LINT_CHANGE_LINE : LINT_CHANGE_BRANCH, leaving->begin,
	    "return",
	    lint_text(unit, "omp_unset_lock(%s);", model_text(&unit->tree, set->children[1])));
}

static void check_kept(struct lint_unit *unit, const struct model_function *function,
    const struct lint_calls *calls, struct tree *set, const struct return_search *returns)
{
	const struct tree *own = unset_between(unit, calls, set, function->function->end);

	if (own == NULL)
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
		for (size_t j = 0; j < calls->count; j++) /* the one of the same block */
			if (action_of(calls->all[j]) == ACTION_UNSET &&
			    calls->all[j]->parent == set->parent &&
			    calls->all[j]->begin > leaving->begin &&
			    same_lock(unit, function, set, calls->all[j]))
				own = calls->all[j];
		fix_kept(unit, function, set, own, leaving, returns, &remedy.fixes);
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

/*
 * The call by which a thread that holds `first` sets `second` in the function, or NULL. `opposite`:
 * a pair of the same function, which must be able to meet it; or NULL.
 */
static struct tree *find_pair(struct lint_unit *unit, const struct model_function *function,
    const struct tree_variable *first, const struct tree_variable *second,
    const struct lint_lock_pair *opposite)
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
			    unset_between(unit, &calls, calls.all[i], calls.all[j]->begin) ==
				NULL &&
			    (opposite == NULL ||
				lint_locks_meet(unit, function, opposite,
				    &(struct lint_lock_pair){calls.all[i], calls.all[j]})))
				return calls.all[j];
	return NULL;
}

/*
 * If the two calls follow each other, nothing is between that the lock protects, and their locks
 * change places.
 */
static void fix_order(struct lint_unit *unit, const struct model_function *function,
    const struct tree *outer, const struct tree *inner, struct lint_fixes *fixes)
{
	const struct tree *block = outer->parent;
	bool adjacent = false;

	for (size_t i = 0; block->kind == TREE_BLOCK && i + 1 < block->count; i++)
		adjacent |= block->children[i] == outer && block->children[i + 1] == inner;
	if (!adjacent)
		lint_fix_refuse(fixes);
	lint_fix_keep(unit, fixes, function, outer, model_text(&unit->tree, outer));
	lint_fix_keep(unit, fixes, function, inner, model_text(&unit->tree, inner));
	lint_fix_words(unit, fixes, LINT_CHANGE_WORDS, outer->children[1]->begin,
	    model_text(&unit->tree, outer->children[1]),
	    model_text(&unit->tree, inner->children[1]));
	lint_fix_words(unit, fixes, LINT_CHANGE_WORDS, inner->children[1]->begin,
	    model_text(&unit->tree, inner->children[1]),
	    model_text(&unit->tree, outer->children[1]));
}

/*
 * This function sets one lock while it holds another. Reports it if the opposite order appears
 * earlier in the file.
 */
static void check_order(struct lint_unit *unit, const struct model_function *function,
    struct tree *outer, struct tree *inner)
{
	const struct lint_lock_pair pair = {outer, inner};
	const struct tree_variable *first = global_lock(outer), *second = global_lock(inner);

	if (first == NULL || second == NULL || first == second)
		return;
	for (size_t i = 0; i < unit->tree.function_count; i++) {
		struct tree *other = find_pair(unit, &unit->functions[i], second, first,
		    &unit->functions[i] == function ? &pair : NULL);
		struct lint_remedy remedy = {.node = other};

		if (other == NULL || other->begin > inner->begin)
			continue;
		remedy.text =
		    lint_text(unit, "here %s is set while %s is held: take them in one order",
			first->name, second->name);
		fix_order(unit, function, outer, inner, &remedy.fixes);
		lint_report(unit, LINT_LOCK_ORDER, inner,
		    lint_text(unit,
			"%s is set while %s is held, and elsewhere in the opposite order: two threads "
			"can wait for each other",
			second->name, first->name),
		    remedy);
		return;
	}
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

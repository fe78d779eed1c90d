/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits an access of an array element into the array, its subscripts, and the members after them.
 *
 * An array may have two names in a function: a local pointer that gets one value, which is the
 * array or the address of one of its elements. Neither the pointer nor what its value depends on
 * may change afterwards, so that each access through it has one meaning.
 */
#include "array-access.h"

#include <string.h>

bool lint_read_access(const struct model_event *event, struct lint_access *access)
{
	struct tree *at = event->object;

	*access = (struct lint_access){.event = event, .array = event->variable};
	while (at->kind == TREE_MEMBER && !at->arrow && at->count > 0)
		at = at->children[0];
	if (at->kind == TREE_UNARY && at->children[0]->kind == TREE_NAME) {
		access->indices[access->count++] = NULL;
		return true;
	}
	while (at->kind == TREE_INDEX && access->count < LINT_MOST_DIMENSIONS) {
		access->indices[access->count++] = at->children[1];
		at = at->children[0];
	}
	for (size_t i = 0; i < access->count / 2; i++) {
		struct tree *other = access->indices[access->count - 1 - i];
		access->indices[access->count - 1 - i] = access->indices[i];
		access->indices[i] = other;
	}
	return access->count > 0 && at->kind == TREE_NAME;
}

struct subscript lint_read_index(struct tree_unit *unit, const struct model_function *function,
    const struct lint_access *access, size_t dimension)
{
	struct subscript index = {.known = true}, offset;

	if (access->indices[dimension] != NULL)
		index = subscript_read(unit, function, access->indices[dimension]);
	if (dimension > 0 || access->offset == NULL)
		return index;
	offset = subscript_read(unit, function, access->offset);
	return subscript_add_scaled(&index, &offset, 1);
}

bool lint_same_members(const struct tree *one, const struct tree *other)
{
	while (one->kind == TREE_MEMBER && other->kind == TREE_MEMBER) {
		if (strcmp(one->name, other->name) != 0)
			return false;
		one = one->children[0];
		other = other->children[0];
	}
	return one->kind != TREE_MEMBER && other->kind != TREE_MEMBER;
}

struct tree *lint_only_value(const struct model_function *function,
    const struct tree_variable *variable, const struct tree **place)
{
	struct tree *value = NULL;

	if (variable->scope != SCOPE_LOCAL || variable->reference || variable->changing ||
	    variable->atomic)
		return NULL;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const struct tree *around = event->name->parent;

		if (event->variable != variable || event->element || event->kind == EVENT_READ)
			continue;
		if (value != NULL || (event->kind & EVENT_ADDRESS) != 0)
			return NULL;
		if ((event->kind & EVENT_DECLARE) != 0 && event->name->count == 1) {
			value = event->name->children[0];
			*place = event->name;
		} else if (event->kind == EVENT_WRITE && around != NULL &&
			   around->kind == TREE_ASSIGN && strcmp(around->name, "=") == 0 &&
			   around->children[0] == event->name) {
			value = around->children[1];
			*place = around;
		} else {
			return NULL;
		}
	}
	return value;
}

/* Has the variable one value in the whole function? For an array: is it always the same one? */
static bool is_kept(const struct model_function *function, const struct tree_variable *variable)
{
	const bool array = variable->shape == SHAPE_ARRAY;

	if (variable->reference || variable->changing || variable->atomic ||
	    variable->threadprivate || variable->per_thread ||
	    lint_is_captured(function, variable) ||
	    (!array && variable->scope != SCOPE_LOCAL && variable->scope != SCOPE_PARAMETER))
		return false;
	for (size_t i = 0; i < function->count && !array; i++) {
		const struct model_event *event = &function->events[i];

		if (event->variable == variable && !event->element && event->kind != EVENT_READ &&
		    ((event->kind & EVENT_DECLARE) == 0 || event->name->count != 1))
			return false;
	}
	return true;
}

struct kept_search {
	const struct model_function *function;
	bool lost;
};

static bool visit_name(struct tree *node, void *context)
{
	struct kept_search *search = context;

	search->lost |= node->kind == TREE_CALL || node->kind == TREE_MEMBER ||
			(node->kind == TREE_NAME &&
			    (node->variable == NULL || !is_kept(search->function, node->variable)));
	return !search->lost;
}

/* Splits a value into an array and what is added to its address. */
static struct tree *split(struct tree *value, struct tree **offset)
{
	*offset = NULL;
	if (value->kind == TREE_BINARY && strcmp(value->name, "+") == 0) {
		*offset = value->children[1];
		value = value->children[0];
	} else if (value->kind == TREE_UNARY && strcmp(value->name, "&") == 0 &&
		   value->children[0]->kind == TREE_INDEX) {
		*offset = value->children[0]->children[1];
		value = value->children[0]->children[0];
	}
	return value->kind == TREE_NAME && value->variable != NULL &&
		       (value->variable->shape == SHAPE_ARRAY ||
			   value->variable->shape == SHAPE_POINTER)
		   ? value
		   : NULL;
}

void lint_find_array(const struct model_function *function, const struct tree_construct *construct,
    struct lint_access *access)
{
	const struct tree_variable *pointer = access->event->variable;
	const struct tree *place = NULL;
	struct kept_search search = {function, false};
	struct tree *value, *array, *offset;

	if (pointer->shape != SHAPE_POINTER ||
	    (value = lint_only_value(function, pointer, &place)) == NULL ||
	    (array = split(value, &offset)) == NULL || !is_kept(function, array->variable) ||
	    !model_precedes(place, construct->node))
		return;
	model_visit(offset, visit_name, &search);
	if (search.lost)
		return;
	access->array = array->variable;
	access->offset = offset;
}

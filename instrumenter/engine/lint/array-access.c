/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits an access of an array element into the array, its subscripts, and the members after them.
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

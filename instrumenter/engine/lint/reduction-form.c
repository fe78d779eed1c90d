/* SPDX-License-Identifier: BSD-3-Clause */
/* x += e, x++, x = x + e, x = max(x, e), x = e > x ? e : x, if (e > x) x = e. */
#include "reduction-form.h"

#include <string.h>

struct name_count {
	const struct tree_variable *variable;
	size_t count;
};

static bool visit_name(struct tree *node, void *context)
{
	struct name_count *names = context;

	names->count += node->kind == TREE_NAME && node->variable == names->variable;
	return true;
}

size_t lint_count_names(struct tree *node, const struct tree_variable *variable)
{
	struct name_count names = {variable, 0};

	model_visit(node, visit_name, &names);
	return names.count;
}

static const char *find_operator(const char *name, bool assignment)
{
	static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "&&", "||"};

	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		size_t length = strlen(operators[i]);
		if (strncmp(name, operators[i], length) == 0 &&
		    strcmp(name + length, assignment ? "=" : "") == 0)
			return strcmp(operators[i], "-") == 0 ? "+" : operators[i];
	}
	return NULL;
}

static bool is_name(const struct tree *node, const struct tree_variable *variable)
{
	return node != NULL && node->kind == TREE_NAME && node->variable == variable;
}

/* x is an operand of a chain of one operator: x + a + b, a * (x * b). */
static bool is_operand(
    const struct tree *node, const char *operation, const struct tree_variable *variable)
{
	if (is_name(node, variable))
		return true;
	if (node->kind != TREE_BINARY)
		return false;
	const char *found = find_operator(node->name, false);
	if (found == NULL || strcmp(found, operation) != 0)
		return false;
	return is_operand(node->children[0], operation, variable) ||
	       (strcmp(node->name, "-") != 0 && is_operand(node->children[1], operation, variable));
}

/*
 * The reduction that the comparison implies if the variable gets the other operand's value when it
 * holds: "max" or "min".
 */
static const char *compare_operation(
    const struct tree *condition, const struct tree_variable *variable)
{
	bool left;

	if (condition->kind != TREE_BINARY ||
	    (condition->name[0] != '<' && condition->name[0] != '>') ||
	    condition->name[1] == condition->name[0])
		return NULL;
	left = is_name(condition->children[0], variable);
	if (!left && !is_name(condition->children[1], variable))
		return NULL;
	return (condition->name[0] == '<') == left ? "max" : "min";
}

static const char *value_operation(struct tree *value, const struct tree_variable *variable)
{
	if (value->kind == TREE_CAST)
		value = value->children[0];
	if (value->kind == TREE_BINARY) {
		const char *operation = find_operator(value->name, false);
		return operation != NULL && is_operand(value, operation, variable) ? operation
										   : NULL;
	}
	if (value->kind == TREE_CALL && value->name != NULL) {
		bool operand = false;
		for (size_t i = 1; i < value->count; i++)
			operand |= is_name(value->children[i], variable);
		if (operand && (strstr(value->name, "max") || strstr(value->name, "MAX")))
			return "max";
		if (operand && (strstr(value->name, "min") || strstr(value->name, "MIN")))
			return "min";
	}
	if (value->kind == TREE_CONDITIONAL && value->count == 3 &&
	    compare_operation(value->children[0], variable) != NULL) {
		const char *operation = compare_operation(value->children[0], variable);
		if (is_name(value->children[2], variable))
			return operation;
		if (is_name(value->children[1], variable))
			return strcmp(operation, "max") == 0 ? "min" : "max";
	}
	return NULL;
}

/* `if (e > x) x = e;`: the if around the assignment. */
static struct tree *comparing_if(struct tree *assignment)
{
	struct tree *at = assignment->parent;

	while (at != NULL && at->kind == TREE_BLOCK && at->count == 1)
		at = at->parent;
	return at != NULL && at->kind == TREE_IF && at->children[2] == NULL ? at : NULL;
}

struct tree *lint_reduction_form(const struct model_event *event, const char **operation)
{
	const struct tree_variable *variable = event->variable;
	struct tree *node = event->name->parent, *test;

	if (node == NULL || event->element)
		return NULL;
	if (node->kind == TREE_UNARY && (event->kind & EVENT_WRITE) != 0 &&
	    (node->parent == NULL || node->parent->kind == TREE_BLOCK ||
		node->parent->kind == TREE_FOR)) {
		*operation = "+";
		return node;
	}
	if (node->kind != TREE_ASSIGN || node->children[0] != event->name)
		return NULL;
	if (strcmp(node->name, "=") != 0) {
		*operation = find_operator(node->name, true);
		return *operation != NULL && lint_count_names(node, variable) == 1 ? node : NULL;
	}
	*operation = value_operation(node->children[1], variable);
	if (*operation != NULL)
		return lint_count_names(node->children[1], variable) <=
			       (node->children[1]->kind == TREE_CONDITIONAL ? 2u : 1u)
			   ? node
			   : NULL;
	test = comparing_if(node);
	if (test == NULL || lint_count_names(test, variable) != 2)
		return NULL;
	*operation = compare_operation(test->children[0], variable);
	return *operation != NULL ? test : NULL;
}

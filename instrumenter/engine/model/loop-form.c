/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads variable, bounds and step of `for` statements, and finds the loops of a construct. */
#include "loop-form.h"

#include <stdlib.h>
#include <string.h>

bool model_constant(const struct tree *expression, long long *value)
{
	long long left, right;

	if (expression == NULL)
		return false;
	if (expression->kind == TREE_NUMBER) {
		*value = expression->value;
		return true;
	}
	if (expression->kind == TREE_CAST)
		return model_constant(expression->children[0], value);
	if (expression->kind == TREE_UNARY && strcmp(expression->name, "-") == 0 &&
	    model_constant(expression->children[0], value)) {
		*value = -*value;
		return true;
	}
	if (expression->kind != TREE_BINARY || !model_constant(expression->children[0], &left) ||
	    !model_constant(expression->children[1], &right) || llabs(left) > 1 << 30 ||
	    llabs(right) > 1 << 30)
		return false;
	if (strcmp(expression->name, "+") == 0)
		*value = left + right;
	else if (strcmp(expression->name, "-") == 0)
		*value = left - right;
	else if (strcmp(expression->name, "*") == 0)
		*value = left * right;
	else
		return false;
	return true;
}

static bool names(const struct tree *node, const struct tree_variable *variable)
{
	return node != NULL && node->kind == TREE_NAME && node->variable == variable;
}

static void read_first(struct model_loop *loop, struct tree *first)
{
	if (first == NULL)
		return;
	if (first->kind == TREE_DECLARE && first->count == 1)
		first = first->children[0];
	if (first->kind == TREE_VARIABLE && first->count == 1) {
		loop->variable = first->variable;
		loop->first = first->children[0];
	} else if (first->kind == TREE_ASSIGN && strcmp(first->name, "=") == 0 &&
		   first->children[0]->kind == TREE_NAME) {
		loop->variable = first->children[0]->variable;
		loop->first = first->children[1];
	}
}

static void read_bound(struct model_loop *loop, struct tree *condition)
{
	static const char *const mirrored[][2] = {
	    {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}, {"!=", "!="}};

	if (condition == NULL || condition->kind != TREE_BINARY)
		return;
	for (size_t i = 0; i < sizeof mirrored / sizeof *mirrored; i++) {
		if (strcmp(condition->name, mirrored[i][0]) != 0)
			continue;
		if (names(condition->children[0], loop->variable)) {
			loop->relation = mirrored[i][0];
			loop->bound = condition->children[1];
		} else if (names(condition->children[1], loop->variable)) {
			loop->relation = mirrored[i][1];
			loop->bound = condition->children[0];
		}
	}
}

static void read_step(struct model_loop *loop, const struct tree *step)
{
	long long value = 0;

	if (step == NULL || step->count == 0)
		return;
	if (step->kind == TREE_UNARY && names(step->children[0], loop->variable)) {
		loop->step = strcmp(step->name, "++") == 0   ? 1
			     : strcmp(step->name, "--") == 0 ? -1
							     : 0;
		return;
	}
	if (step->kind != TREE_ASSIGN || !names(step->children[0], loop->variable))
		return;
	const struct tree *right = step->children[1];
	if (strcmp(step->name, "+=") == 0 && model_constant(right, &value))
		loop->step = value;
	else if (strcmp(step->name, "-=") == 0 && model_constant(right, &value))
		loop->step = -value;
	else if (strcmp(step->name, "=") == 0 && right->kind == TREE_BINARY &&
		 names(right->children[0], loop->variable) &&
		 model_constant(right->children[1], &value))
		loop->step = strcmp(right->name, "+") == 0   ? value
			     : strcmp(right->name, "-") == 0 ? -value
							     : 0;
}

struct model_loop model_read_loop(struct tree *node)
{
	struct model_loop loop = {.node = node};

	if (node == NULL || node->kind != TREE_FOR || node->count != 4)
		return loop;
	read_first(&loop, node->children[0]);
	if (loop.variable == NULL)
		return loop;
	read_bound(&loop, node->children[1]);
	read_step(&loop, node->children[2]);
	return loop;
}

static size_t number_of(const struct tree_construct *construct, const char *name)
{
	const struct clause *clause = find_clause(&construct->clauses, name);
	long value =
	    clause != NULL && clause->arguments != NULL ? strtol(clause->arguments, NULL, 0) : 1;

	return value < 1 ? 1 : value > MODEL_MOST_LOOPS ? MODEL_MOST_LOOPS : (size_t)value;
}

/*
 * The `for` with which a body begins, perhaps in blocks of one statement or after loop
 * transformations.
 */
static struct tree *find_loop(struct tree *body)
{
	while (body != NULL && body->kind != TREE_FOR) {
		if ((body->kind == TREE_BLOCK || body->kind == TREE_CONSTRUCT) && body->count == 1)
			body = body->children[0];
		else
			return NULL;
	}
	return body;
}

size_t model_associated_loops(const struct tree_construct *construct, struct model_loop *loops)
{
	size_t wanted = number_of(construct, "collapse"), ordered = number_of(construct, "ordered");
	struct tree *node = find_loop(construct_body(construct));
	size_t count = 0;

	if (!construct_has(construct, MODEL_LOOP_CONSTRUCTS))
		return 0;
	if (ordered > wanted)
		wanted = ordered;
	while (node != NULL && count < wanted) {
		loops[count] = model_read_loop(node);
		if (loops[count].variable == NULL)
			break;
		count++;
		node = find_loop(node->children[3]);
	}
	return count;
}

long long model_trip_count(const struct model_loop *loop)
{
	long long first, bound, range;

	if (loop->relation == NULL || loop->step == 0 || !model_constant(loop->first, &first) ||
	    !model_constant(loop->bound, &bound))
		return -1;
	range = loop->step > 0 ? bound - first : first - bound;
	if (strchr(loop->relation, '=') != NULL && loop->relation[0] != '!')
		range++;
	return range <= 0 ? 0 : (range + llabs(loop->step) - 1) / llabs(loop->step);
}

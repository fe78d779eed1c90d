/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks a function's tree in the order of evaluation and records each use of a variable. Calls are
 * not followed; an argument whose address is passed to a call is EVENT_ADDRESS.
 */
#include "variable-uses.h"

#include <string.h>

struct walk {
	struct tree_unit *unit;
	struct model_function *function;
	struct tree_construct *construct;
};

static void evaluate(struct walk *walk, struct tree *node, unsigned kind);

struct tree_construct *model_construct_around(const struct tree *node)
{
	for (; node != NULL && node->kind != TREE_LAMBDA; node = node->parent)
		if (node->kind == TREE_CONSTRUCT)
			return node->construct;
	return NULL;
}

struct tree *model_root(struct tree *object)
{
	while (object != NULL) {
		switch (object->kind) {
		case TREE_NAME:
			return object->variable != NULL ? object : NULL;
		case TREE_INDEX:
		case TREE_MEMBER:
			object = object->count > 0 ? object->children[0] : NULL;
			break;
		case TREE_UNARY:
			if (strcmp(object->name, "*") != 0)
				return NULL;
			object = object->children[0];
			break;
		default:
			return NULL;
		}
	}
	return NULL;
}

static void add_event(struct walk *walk, unsigned kind, struct tree *name, struct tree *object)
{
	struct model_function *function = walk->function;

	if (name == NULL || name->variable == NULL)
		return;
	*ARENA_ADD(walk->unit->arena, function->events, function->count, function->room) =
	    (struct model_event){.kind = kind,
		.variable = name->variable,
		.name = name,
		.object = object,
		.element = object != name,
		.construct = walk->construct};
}

/* Evaluates the parts of an object that come before its use. */
static void evaluate_path(struct walk *walk, struct tree *object)
{
	struct tree *base = object->count > 0 ? object->children[0] : NULL;
	bool through = object->kind == TREE_UNARY || (object->kind == TREE_MEMBER && object->arrow);

	if (base == NULL)
		return;
	if (base->kind == TREE_NAME) {
		if (base->variable != NULL && base->variable->shape == SHAPE_POINTER)
			add_event(walk, EVENT_READ, base, base);
	} else if (base->kind == TREE_INDEX || base->kind == TREE_MEMBER ||
		   (base->kind == TREE_UNARY && strcmp(base->name, "*") == 0)) {
		evaluate_path(walk, base);
		if (through && model_root(base) != NULL)
			add_event(walk, EVENT_READ, model_root(base), base);
	} else {
		evaluate(walk, base, EVENT_READ);
	}
	if (object->kind == TREE_INDEX && object->count > 1)
		evaluate(walk, object->children[1], EVENT_READ);
}

static void evaluate_unary(struct walk *walk, struct tree *node, unsigned kind)
{
	struct tree *operand = node->children[0];

	if (strcmp(node->name, "*") == 0) {
		evaluate_path(walk, node);
		add_event(walk, kind, model_root(node), node);
	} else if (strcmp(node->name, "&") == 0) {
		evaluate(walk, operand, EVENT_ADDRESS);
	} else if (strcmp(node->name, "++") == 0 || strcmp(node->name, "--") == 0) {
		evaluate(walk, operand, EVENT_READ | EVENT_WRITE);
	} else {
		evaluate(walk, operand, EVENT_READ);
	}
}

static void evaluate_call(struct walk *walk, struct tree *node)
{
	for (size_t i = 0; i < node->count; i++) {
		struct tree *child = node->children[i];

		if (child == NULL)
			continue;
		if (i == 0 && child->kind == TREE_MEMBER && walk->unit->input->cplusplus)
			evaluate(walk, child, EVENT_ADDRESS); /* the object of a method call */
		else if (i > 0 && i <= 30 && (node->references >> (i - 1) & 1) != 0)
			evaluate(walk, child, EVENT_READ | EVENT_ADDRESS);
		else
			evaluate(walk, child, EVENT_READ);
	}
}

/* Records the names inside a lambda, whose time of execution is unknown. */
static void evaluate_lambda(struct walk *walk, struct tree *node)
{
	if (node == NULL)
		return;
	if (node->kind == TREE_NAME)
		add_event(walk, EVENT_ADDRESS, node, node);
	for (size_t i = 0; i < node->count; i++)
		evaluate_lambda(walk, node->children[i]);
}

static void evaluate_all(struct walk *walk, struct tree *node)
{
	for (size_t i = 0; i < node->count; i++)
		if (node->children[i] != NULL)
			evaluate(walk, node->children[i], EVENT_READ);
}

static void evaluate_for(struct walk *walk, struct tree *node)
{
	static const int order[] = {0, 1, 3, 2}; /* the step comes after the body */

	for (size_t i = 0; i < 4 && node->count == 4; i++)
		if (node->children[order[i]] != NULL)
			evaluate(walk, node->children[order[i]], EVENT_READ);
}

static void evaluate_statement(struct walk *walk, struct tree *node)
{
	struct tree_construct *outer = walk->construct;

	switch (node->kind) {
	case TREE_FOR:
		evaluate_for(walk, node);
		break;
	case TREE_VARIABLE:
		evaluate_all(walk, node);
		if (node->variable != NULL && (node->count > 0 || node->variable->initialised))
			add_event(walk, EVENT_WRITE | EVENT_DECLARE, node, node);
		break;
	case TREE_CONSTRUCT:
		walk->construct = node->construct;
		evaluate_all(walk, node);
		walk->construct = outer;
		break;
	case TREE_LABEL:
		walk->function->jumps |= node->name != NULL;
		evaluate_all(walk, node);
		break;
	default:
		evaluate_all(walk, node);
		break;
	}
}

static void evaluate(struct walk *walk, struct tree *node, unsigned kind)
{
	switch (node->kind) {
	case TREE_NAME:
		if (node->variable != NULL && node->variable->shape == SHAPE_ARRAY)
			kind = EVENT_ADDRESS;
		add_event(walk, kind, node, node);
		break;
	case TREE_INDEX:
	case TREE_MEMBER:
		evaluate_path(walk, node);
		add_event(walk, kind, model_root(node), node);
		break;
	case TREE_UNARY:
		evaluate_unary(walk, node, kind);
		break;
	case TREE_ASSIGN:
		evaluate(walk, node->children[1], EVENT_READ);
		evaluate(walk, node->children[0],
		    strcmp(node->name, "=") == 0 ? EVENT_WRITE : EVENT_READ | EVENT_WRITE);
		break;
	case TREE_CONDITIONAL:
		for (size_t i = 0; i < node->count; i++)
			evaluate(walk, node->children[i], i == 0 ? EVENT_READ : kind);
		break;
	case TREE_CALL:
		evaluate_call(walk, node);
		break;
	case TREE_ASSEMBLER:
		for (size_t i = 0; i < node->count; i++)
			evaluate(walk, node->children[i], EVENT_ADDRESS);
		break;
	case TREE_LAMBDA:
		evaluate_lambda(walk, node);
		break;
	default:
		evaluate_statement(walk, node);
		break;
	}
}

struct model_function model_read_function(
    struct tree_unit *unit, const struct tree_function *function)
{
	struct model_function result = {.function = function};
	struct walk walk = {.unit = unit, .function = &result};

	evaluate(&walk, function->body, EVENT_READ);
	return result;
}

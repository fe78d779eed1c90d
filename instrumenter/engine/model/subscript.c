/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on polynomials with few terms; larger ones are unknown. */
#include "subscript.h"

#include "enclosing-constructs.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 6 };

static const struct subscript unknown;

static int compare_factors(
    const struct subscript_factor *left, const struct subscript_factor *right)
{
	if (left->variable->offset != right->variable->offset)
		return left->variable->offset < right->variable->offset ? -1 : 1;
	if (left->path == NULL || right->path == NULL)
		return (left->path != NULL) - (right->path != NULL);
	return strcmp(left->path, right->path);
}

static bool same_factors(const struct subscript_term *left, const struct subscript_term *right)
{
	if (left->factor_count != right->factor_count)
		return false;
	for (size_t i = 0; i < left->factor_count; i++)
		if (compare_factors(&left->factors[i], &right->factors[i]) != 0)
			return false;
	return true;
}

static void add_term(struct subscript *sum, const struct subscript_term *term)
{
	if (llabs(term->coefficient) > 1LL << 40)
		sum->known = false;
	for (size_t i = 0; i < sum->count; i++) {
		if (!same_factors(&sum->terms[i], term))
			continue;
		sum->terms[i].coefficient += term->coefficient;
		if (sum->terms[i].coefficient == 0)
			sum->terms[i] = sum->terms[--sum->count];
		return;
	}
	if (term->coefficient == 0)
		return;
	if (sum->count == SUBSCRIPT_MOST_TERMS)
		sum->known = false;
	else
		sum->terms[sum->count++] = *term;
}

static struct subscript number(long long value)
{
	struct subscript result = {.known = true};
	struct subscript_term term = {.coefficient = value};

	add_term(&result, &term);
	return result;
}

struct subscript subscript_add_scaled(
    const struct subscript *left, const struct subscript *right, long long scale)
{
	struct subscript sum = *left;

	sum.known = left->known && right->known;
	for (size_t i = 0; i < right->count && sum.known; i++) {
		struct subscript_term term = right->terms[i];
		term.coefficient *= scale;
		add_term(&sum, &term);
	}
	return sum.known ? sum : unknown;
}

struct subscript subscript_subtract(const struct subscript *left, const struct subscript *right)
{
	return subscript_add_scaled(left, right, -1);
}

/* False if the product has too many factors. */
static bool multiply_terms(const struct subscript_term *left, const struct subscript_term *right,
    struct subscript_term *product)
{
	*product = *left;
	if (left->factor_count + right->factor_count > SUBSCRIPT_MOST_FACTORS ||
	    llabs(left->coefficient) > 1 << 20 || llabs(right->coefficient) > 1 << 20)
		return false;
	product->coefficient *= right->coefficient;
	for (size_t i = 0; i < right->factor_count; i++) {
		size_t at = product->factor_count++;

		for (; at > 0 && compare_factors(&product->factors[at - 1], &right->factors[i]) > 0;
		     at--)
			product->factors[at] = product->factors[at - 1];
		product->factors[at] = right->factors[i];
	}
	return true;
}

struct subscript subscript_multiply(const struct subscript *left, const struct subscript *right)
{
	struct subscript product = {.known = left->known && right->known};
	struct subscript_term term;

	for (size_t i = 0; i < left->count && product.known; i++)
		for (size_t j = 0; j < right->count && product.known; j++) {
			if (!multiply_terms(&left->terms[i], &right->terms[j], &term))
				return unknown;
			add_term(&product, &term);
		}
	return product.known ? product : unknown;
}

static struct subscript factor(const struct tree_variable *variable, const char *path)
{
	struct subscript result = {.known = true, .count = 1};

	result.terms[0] = (struct subscript_term){1, {{.variable = variable, .path = path}}, 1};
	return result;
}

static struct subscript read(struct tree_unit *unit, const struct model_function *function,
    struct tree *expression, int depth);

/* The variable's initialiser, if the variable never gets another value; else NULL. */
static struct tree *only_value(
    const struct model_function *function, const struct tree_variable *variable)
{
	struct tree *value = NULL;

	if (variable->scope != SCOPE_LOCAL || variable->reference)
		return NULL;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if (event->variable != variable || event->kind == EVENT_READ)
			continue;
		if ((event->kind & EVENT_DECLARE) == 0 || event->name->count != 1 || value != NULL)
			return NULL;
		value = event->name->children[0];
	}
	return value;
}

static struct subscript read_name(struct tree_unit *unit, const struct model_function *function,
    const struct tree *name, int depth)
{
	struct tree *value;
	struct subscript result;

	if (name->variable == NULL || !name->variable->integer || name->variable->reference ||
	    name->variable->shape != SHAPE_ARITHMETIC)
		return unknown;
	value = only_value(function, name->variable);
	if (value != NULL) {
		result = read(unit, function, value, depth + 1);
		if (result.known)
			return result;
	}
	return factor(name->variable, NULL);
}

static struct subscript read_binary(struct tree_unit *unit, const struct model_function *function,
    const struct tree *node, int depth)
{
	struct subscript left = read(unit, function, node->children[0], depth + 1);
	struct subscript right = read(unit, function, node->children[1], depth + 1);

	if (strcmp(node->name, "+") == 0)
		return subscript_add_scaled(&left, &right, 1);
	if (strcmp(node->name, "-") == 0)
		return subscript_add_scaled(&left, &right, -1);
	if (strcmp(node->name, "*") == 0)
		return subscript_multiply(&left, &right);
	return unknown;
}

static struct subscript read(struct tree_unit *unit, const struct model_function *function,
    struct tree *expression, int depth)
{
	struct subscript value;
	struct tree *root;

	if (expression == NULL || depth > MOST_DEPTH)
		return unknown;
	switch (expression->kind) {
	case TREE_NUMBER:
		return number(expression->value);
	case TREE_NAME:
		return read_name(unit, function, expression, depth);
	case TREE_CAST:
		return read(unit, function, expression->children[0], depth + 1);
	case TREE_MEMBER:
		root = model_root(expression);
		for (struct tree *at = expression; at != root && root != NULL; at = at->children[0])
			if (at->kind != TREE_MEMBER)
				return unknown;
		return root != NULL ? factor(root->variable, model_text(unit, expression))
				    : unknown;
	case TREE_UNARY:
		value = read(unit, function, expression->children[0], depth + 1);
		if (strcmp(expression->name, "-") == 0)
			return subscript_add_scaled(&(struct subscript){.known = true}, &value, -1);
		return strcmp(expression->name, "+") == 0 ? value : unknown;
	case TREE_BINARY:
		return read_binary(unit, function, expression, depth);
	default:
		return unknown;
	}
}

struct subscript subscript_read(
    struct tree_unit *unit, const struct model_function *function, struct tree *expression)
{
	return read(unit, function, expression, 0);
}

bool subscript_is_constant(const struct subscript *subscript, long long *value)
{
	if (!subscript->known || subscript->count > 1 ||
	    (subscript->count == 1 && subscript->terms[0].factor_count > 0))
		return false;
	*value = subscript->count == 1 ? subscript->terms[0].coefficient : 0;
	return true;
}

bool subscript_mentions(const struct subscript *subscript, const struct tree_variable *variable)
{
	for (size_t i = 0; i < subscript->count; i++)
		for (size_t j = 0; j < subscript->terms[i].factor_count; j++)
			if (subscript->terms[i].factors[j].variable == variable)
				return true;
	return false;
}

struct subscript subscript_coefficient(
    const struct subscript *subscript, const struct tree_variable *variable)
{
	struct subscript result = {.known = subscript->known};

	for (size_t i = 0; i < subscript->count && result.known; i++) {
		struct subscript_term term = {.coefficient = subscript->terms[i].coefficient};
		size_t seen = 0;

		for (size_t j = 0; j < subscript->terms[i].factor_count; j++)
			if (subscript->terms[i].factors[j].variable == variable)
				seen++;
			else
				term.factors[term.factor_count++] = subscript->terms[i].factors[j];
		if (seen > 1)
			result.known = false;
		if (seen == 1)
			add_term(&result, &term);
	}
	return result.known ? result : unknown;
}

struct subscript subscript_replace(const struct subscript *subscript,
    const struct tree_variable *variable, const struct subscript *value)
{
	struct subscript coefficient = subscript_coefficient(subscript, variable);
	struct subscript old = factor(variable, NULL), change = subscript_subtract(value, &old);

	change = subscript_multiply(&coefficient, &change);
	return subscript_add_scaled(subscript, &change, 1);
}

bool subscript_divide(
    const struct subscript *left, const struct subscript *right, long long *quotient)
{
	struct subscript rest;

	if (!left->known || !right->known || right->count == 0)
		return false;
	*quotient = 0;
	for (size_t i = 0; i < left->count; i++)
		if (same_factors(&left->terms[i], &right->terms[0])) {
			if (left->terms[i].coefficient % right->terms[0].coefficient != 0)
				return false;
			*quotient = left->terms[i].coefficient / right->terms[0].coefficient;
		}
	rest = subscript_add_scaled(left, right, -*quotient);
	return rest.known && rest.count == 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that writes data and then sets a flag, and one that waits for the flag and then reads
 * the data, are ordered, although no OpenMP construct orders them. This file does not decide
 * whether the flag is used correctly: if both threads use the same one, the checks for unordered
 * accesses report nothing.
 */
#include "hand-over.h"

#include "enclosing-constructs.h"

#include <string.h>

enum { MOST_FLAGS = 32 };

/* Constructs that contain accesses of possible flags. */
#define PROTECTED (CONSTRUCT_BIT(ATOMIC) | CONSTRUCT_BIT(CRITICAL))

struct flags {
	struct lint_unit *unit;
	const struct lint_span *span; /* NULL inside a called function */
	const struct tree_variable *all[MOST_FLAGS];
	size_t count;
	bool unknown; /* any variable may be a flag */
};

static bool visit_flag(struct tree *node, void *context);

static void add_flag(struct flags *flags, const struct tree_variable *variable)
{
	if (flags->count == MOST_FLAGS)
		flags->unknown = true;
	else
		flags->all[flags->count++] = variable;
}

static bool visit_name(struct tree *node, void *context)
{
	if (node->kind == TREE_NAME && node->variable != NULL)
		add_flag(context, node->variable);
	return true;
}

/* Does the routine's name say that it orders threads? */
static bool synchronises(const char *name)
{
	static const char *const words[] = {"atomic", "sync", "exchange", "test_and_set", "fence",
	    "wait", "signal", "post", "notify", "barrier"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(name, words[i]) != NULL)
			return true;
	return false;
}

/* The object of a method call may be a flag or queue of an unknown class. */
static void add_call(struct flags *flags, struct tree *call)
{
	struct model_function *function = lint_find_function(flags->unit, call->target);
	const size_t before = flags->count;

	if (call->name != NULL && (model_is_about_lock(call) || synchronises(call->name))) {
		model_visit(call, visit_name, flags);
		flags->unknown |= flags->count == before;
	} else if (call->count > 0 && call->children[0] != NULL &&
		   call->children[0]->kind == TREE_MEMBER) {
		model_visit(call->children[0], visit_name, flags);
	}
	if (function != NULL && function->visit != flags->unit->visit) {
		const struct lint_span *span = flags->span;
		const size_t count = flags->count;

		function->visit = flags->unit->visit;
		flags->span = NULL;
		model_visit(function->function->body, visit_flag, flags);
		flags->span = span;
		flags->unknown |=
		    flags->count > count; /* the flags may be parameters of the function */
	}
}

/*
 * libclang shows no call for __atomic_load_n() and similar builtins, nor for those of
 * <stdatomic.h>.
 */
static bool is_atomic_builtin(const struct lint_unit *unit, const struct tree *node)
{
	const char *text = unit->tree.input->text + node->begin;

	return node->kind == TREE_OTHER &&
	       (strncmp(text, "__atomic_", strlen("__atomic_")) == 0 ||
		   strncmp(text, "__c11_atomic_", strlen("__c11_atomic_")) == 0);
}

static bool visit_flag(struct tree *node, void *context)
{
	struct flags *flags = context;

	if (flags->span != NULL &&
	    (node->begin < flags->span->begin || node->begin >= flags->span->end))
		return true;
	if ((node->kind == TREE_CONSTRUCT && construct_has(node->construct, PROTECTED)) ||
	    is_atomic_builtin(flags->unit, node))
		model_visit(node, visit_name, flags);
	if (node->kind == TREE_CONSTRUCT && construct_has(node->construct, CONSTRUCT_BIT(FLUSH)))
		flags->unknown = true;
	if (node->kind == TREE_CALL)
		add_call(flags, node);
	if (node->kind == TREE_NAME && node->variable != NULL &&
	    (node->variable->atomic || node->variable->changing))
		add_flag(flags, node->variable);
	return true;
}

static struct flags collect(struct lint_unit *unit, const struct lint_span *span)
{
	struct flags flags = {.unit = unit, .span = span};

	unit->visit++;
	model_visit(span->node, visit_flag, &flags);
	return flags;
}

bool lint_uses_flags(struct lint_unit *unit, struct tree *node)
{
	const struct lint_span all = {node, 0, SIZE_MAX};
	const struct flags flags = collect(unit, &all);

	return flags.unknown || flags.count > 0;
}

bool lint_hands_over(
    struct lint_unit *unit, const struct lint_span *first, const struct lint_span *then)
{
	const struct flags one = collect(unit, first), other = collect(unit, then);

	if ((one.unknown && (other.unknown || other.count > 0)) || (other.unknown && one.count > 0))
		return true;
	for (size_t i = 0; i < one.count; i++)
		for (size_t j = 0; j < other.count; j++)
			if (one.all[i] == other.all[j])
				return true;
	return false;
}

static struct lint_span before(const struct model_event *event, struct tree *node)
{
	return (struct lint_span){node, 0, event->name->begin};
}

static struct lint_span behind(const struct model_event *event, struct tree *node)
{
	return (struct lint_span){node, event->name->end, SIZE_MAX};
}

bool lint_may_be_ordered(struct lint_unit *unit, const struct model_event *one,
    struct tree *around_one, const struct model_event *other, struct tree *around_other)
{
	const struct lint_span behind_one = behind(one, around_one),
			       before_one = before(one, around_one),
			       behind_other = behind(other, around_other),
			       before_other = before(other, around_other);

	return lint_hands_over(unit, &behind_one, &before_other) ||
	       lint_hands_over(unit, &behind_other, &before_one);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers questions by looking from a node outwards. If it is unclear which threads execute
 * something, the answer is the one with which the checks report nothing.
 */
#include "enclosing-constructs.h"

#include "lexer.h"
#include "loop-form.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool model_visit(struct tree *node, bool (*visit)(struct tree *node, void *context), void *context)
{
	if (node == NULL)
		return true;
	if (!visit(node, context))
		return false;
	for (size_t i = 0; i < node->count; i++)
		if (!model_visit(node->children[i], visit, context))
			return false;
	return true;
}

static bool contains_word(const char *name, const char *word)
{
	size_t length = strlen(word);

	for (; *name != '\0'; name++)
		if (strncasecmp(name, word, length) == 0)
			return true;
	return false;
}

/* Routines whose result differs between threads. */
static bool selects(const char *name)
{
	static const char *const words[] = {"get_team_num", "in_parallel", "test_lock", "trylock",
	    "test_nest", "sync_", "atomic", "exchange", "test_and_set", "cancel", "get_level",
	    "get_ancestor", "thread", "rank"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (contains_word(name, words[i]))
			return true;
	return false;
}

struct thread_search {
	const struct model_function *function;
	int depth;
	bool strict; /* only omp_get_thread_num() */
	bool found;
};

static bool is_of_thread(
    const struct model_function *function, const struct tree *expression, int depth, bool strict);

/* Does some assignment to the variable depend on the thread's number? */
static bool variable_is_of_thread(const struct model_function *function,
    const struct tree_variable *variable, int depth, bool strict)
{
	if (depth > 3 || variable->scope == SCOPE_FILE)
		return false;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const struct tree *value = NULL;

		if (event->variable != variable || (event->kind & EVENT_WRITE) == 0)
			continue;
		if ((event->kind & EVENT_DECLARE) != 0 && event->name->count > 0)
			value = event->name->children[0];
		else if (event->object->parent != NULL &&
			 event->object->parent->kind == TREE_ASSIGN)
			value = event->object->parent->children[1];
		if (value != NULL && is_of_thread(function, value, depth + 1, strict))
			return true;
	}
	return false;
}

static bool visit_for_thread(struct tree *node, void *context)
{
	struct thread_search *search = context;

	if (node->kind == TREE_CALL && node->name != NULL &&
	    (search->strict ? strcmp(node->name, "omp_get_thread_num") == 0 : selects(node->name)))
		search->found = true;
	if (node->kind == TREE_NAME && node->variable != NULL &&
	    variable_is_of_thread(search->function, node->variable, search->depth, search->strict))
		search->found = true;
	return !search->found;
}

static bool is_of_thread(
    const struct model_function *function, const struct tree *expression, int depth, bool strict)
{
	struct thread_search search = {.function = function, .depth = depth, .strict = strict};

	model_visit((struct tree *)expression, visit_for_thread, &search);
	return search.found;
}

bool model_is_of_thread(const struct model_function *function, const struct tree *expression)
{
	return is_of_thread(function, expression, 0, true);
}

/* Does each thread or iteration of the construct have its own copy of the variable? */
static bool is_own(const struct tree_construct *upto, const struct tree_variable *variable)
{
	struct tree_variable *known = (struct tree_variable *)variable;
	struct model_sharing sharing;

	if (variable->offset >= upto->node->begin && variable->offset < upto->node->end)
		return true;
	sharing = model_sharing_of(upto, known);
	return sharing.attribute != ATTRIBUTE_SHARED;
}

static bool is_associated(const struct tree_construct *upto, const struct tree_variable *variable)
{
	struct model_loop loops[MODEL_MOST_LOOPS];

	for (size_t n = model_associated_loops(upto, loops); n > 0; n--)
		if (loops[n - 1].variable == variable)
			return true;
	return false;
}

static bool is_relation(const struct tree *node)
{
	return node->kind == TREE_BINARY && (node->name[0] == '<' || node->name[0] == '>') &&
	       (node->name[1] == '\0' || (node->name[1] == '=' && node->name[2] == '\0'));
}

/* Judging by the names in it: does the condition hold only for some threads or iterations? */
static bool is_selective(const struct model_function *function, const struct tree *condition,
    const struct tree_construct *upto, bool relation)
{
	if (condition == NULL)
		return false;
	if (condition->kind == TREE_CALL && condition->name != NULL && selects(condition->name))
		return true;
	if (condition->kind == TREE_NAME && condition->variable != NULL) {
		const struct tree_variable *variable = condition->variable;
		if (variable->shape == SHAPE_RECORD || variable->shape == SHAPE_ARRAY)
			return false;
		if (is_associated(upto, variable) ||
		    variable_is_of_thread(function, variable, 0, false))
			return true;
		if (relation || !is_own(upto, variable))
			return false;
		return variable->integer || variable->shape == SHAPE_OTHER;
	}
	if (condition->kind == TREE_INDEX)
		return is_selective(function, condition->children[0], upto, relation);
	if (is_relation(condition))
		relation = true;
	for (size_t i = 0; i < condition->count; i++)
		if (is_selective(function, condition->children[i], upto, relation))
			return true;
	return false;
}

/* The condition under which the child is executed, or NULL. */
static struct tree *condition_of(const struct tree *parent, const struct tree *child)
{
	switch (parent->kind) {
	case TREE_IF:
	case TREE_CONDITIONAL:
		return child != parent->children[0] ? parent->children[0] : NULL;
	case TREE_WHILE:
	case TREE_SWITCH:
		return child != parent->children[0] ? parent->children[0] : NULL;
	case TREE_FOR: /* a thread's own range selects nothing: each thread has one */
		return child == parent->children[3] && parent->children[1] != NULL &&
			       !is_relation(parent->children[1])
			   ? parent->children[1]
			   : NULL;
	case TREE_BINARY:
		return child == parent->children[1] &&
			       (strcmp(parent->name, "&&") == 0 || strcmp(parent->name, "||") == 0)
			   ? parent->children[0]
			   : NULL;
	default:
		return NULL;
	}
}

static bool visit_for_jump(struct tree *node, void *context)
{
	bool *found = context;

	*found |= node->kind == TREE_BREAK || node->kind == TREE_CONTINUE ||
		  node->kind == TREE_RETURN || node->kind == TREE_GOTO;
	return !*found;
}

/* Does a statement before the child leave the block for some threads or iterations? */
static bool is_left_before(const struct model_function *function, const struct tree *block,
    const struct tree *child, const struct tree_construct *upto)
{
	for (size_t i = 0; i < block->count && block->children[i] != child; i++) {
		struct tree *statement = block->children[i];
		bool jumps = false;

		if (statement->kind != TREE_IF ||
		    !is_selective(function, statement->children[0], upto, false))
			continue;
		model_visit(statement, visit_for_jump, &jumps);
		if (jumps)
			return true;
	}
	return false;
}

/* The conditions of the associated loops select nothing: each iteration is executed once. */
static bool is_loop_of(const struct tree_construct *upto, const struct tree *node)
{
	struct model_loop loops[MODEL_MOST_LOOPS];

	for (const struct tree *at = node->parent; at != NULL && at != upto->node; at = at->parent)
		if (at->kind == TREE_CONSTRUCT)
			for (size_t n = model_associated_loops(at->construct, loops); n > 0; n--)
				if (loops[n - 1].node == node)
					return true;
	for (size_t n = model_associated_loops(upto, loops); n > 0; n--)
		if (loops[n - 1].node == node)
			return true;
	return false;
}

bool model_is_selected(
    struct model_function *function, const struct tree *node, const struct tree_construct *upto)
{
	for (const struct tree *at = node; at != NULL && at != upto->node && at->parent != NULL;
	     at = at->parent) {
		struct tree *parent = at->parent;
		struct tree *condition = condition_of(parent, at);

		if (condition != NULL && !is_loop_of(upto, parent) &&
		    is_selective(function, condition, upto, false))
			return true;
		if (parent->kind == TREE_BLOCK && is_left_before(function, parent, at, upto))
			return true;
	}
	return false;
}

bool model_is_conditional(const struct tree *node, const struct tree *upto)
{
	for (const struct tree *at = node; at != NULL && at != upto && at->parent != NULL;
	     at = at->parent)
		if (condition_of(at->parent, at) != NULL || at->kind == TREE_LABEL ||
		    (at->parent->kind == TREE_RANGE && at != at->parent->children[0]) ||
		    (at->parent->kind == TREE_FOR &&
			(at == at->parent->children[3] || at == at->parent->children[2])))
			return true;
	return false;
}

bool model_precedes(const struct tree *first, const struct tree *then)
{
	const struct tree *common = first;

	while (common != NULL && !tree_holds(common, then))
		common = common->parent;
	if (common == NULL)
		return false;
	/* The step is executed after the body, the right side of an assignment before the left. */
	if (common->kind == TREE_FOR && common->count == 4 &&
	    tree_holds(common->children[2], first) && tree_holds(common->children[3], then))
		return false;
	return first->begin < then->begin && !model_is_conditional(first, common);
}

bool model_has_between(
    const struct tree_construct *inner, const struct tree_construct *outer, uint64_t leaves)
{
	for (; inner != NULL && inner != outer; inner = inner->parent)
		if (construct_has(inner, leaves))
			return true;
	return false;
}

/* Does the name contain "lock", other than as part of "block" or "clock"? */
static bool names_lock(const char *name)
{
	static const char *const words[] = {"mutex", "critical", "semaphore", "acquire", "spin_"};
	const char *at = name;

	for (; *at != '\0'; at++)
		if (strncasecmp(at, "lock", 4) == 0 &&
		    (at == name || strchr("bBcC", at[-1]) == NULL))
			return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (contains_word(name, words[i]))
			return true;
	return false;
}

static bool names_release(const char *name)
{
	static const char *const words[] = {
	    "unlock", "unset", "release", "leave", "exit", "destroy", "init", "end"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (contains_word(name, words[i]))
			return true;
	return false;
}

struct lock_search {
	const struct tree *node;
	int depth; /* how often a nestable lock is set; 1 for others */
};

bool model_is_about_lock(const struct tree *call)
{
	if (names_lock(call->name))
		return true;
	for (size_t i = 1; i < call->count; i++) {
		struct tree *argument = call->children[i];

		if (argument->kind == TREE_UNARY && strcmp(argument->name, "&") == 0)
			argument = argument->children[0];
		argument = model_root(argument);
		if (argument != NULL && names_lock(argument->variable->name))
			return true;
	}
	return false;
}

static bool visit_for_lock(struct tree *node, void *context)
{
	struct lock_search *search = context;

	if (node->begin >= search->node->begin)
		return node->kind == TREE_BLOCK || node->kind == TREE_CONSTRUCT;
	if (node->kind != TREE_CALL || node->name == NULL || !model_is_about_lock(node))
		return true;
	const bool nested = contains_word(node->name, "nest");
	if (names_release(node->name))
		search->depth = nested && search->depth > 0 ? search->depth - 1 : 0;
	else
		search->depth = nested ? search->depth + 1 : 1;
	return true;
}

bool model_is_locked(const struct tree *node, const struct tree_construct *construct)
{
	struct lock_search search = {.node = node};

	model_visit(construct->node, visit_for_lock, &search);
	return search.depth > 0;
}

bool model_is_serial(const struct tree_construct *construct)
{
	const struct clause *threads = find_clause(&construct->clauses, "num_threads");
	const struct clause *condition = find_clause(&construct->clauses, "if");
	const char *text;

	if (threads != NULL && threads->arguments != NULL &&
	    strcmp(threads->arguments + strspn(threads->arguments, " \t"), "1") == 0)
		return true;
	if (condition == NULL || condition->arguments == NULL)
		return false;
	text = condition->arguments + strspn(condition->arguments, " \t");
	return strcmp(text, "0") == 0 || strcmp(text, "false") == 0;
}

const char *model_text(struct tree_unit *unit, const struct tree *node)
{
	struct inst_buffer text = {.arena = unit->arena};
	struct lexer lexer;
	struct token token;
	bool word = false;

	buffer_add(&text, "", 0);
	lexer_init(&lexer, unit->input->text, node->end, node->begin);
	lexer.line_start = false;
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		bool now = token.kind == TOKEN_IDENTIFIER || token.kind == TOKEN_NUMBER;

		if (token.kind == TOKEN_DIRECTIVE)
			continue;
		if (word && now)
			buffer_add(&text, " ", 1);
		buffer_add(&text, unit->input->text + token.begin, token.end - token.begin);
		word = now;
	}
	return text.data;
}

bool model_same_text(const struct tree_unit *unit, const struct tree *one, const struct tree *other)
{
	struct lexer lexers[2];

	lexer_init(&lexers[0], unit->input->text, one->end, one->begin);
	lexer_init(&lexers[1], unit->input->text, other->end, other->begin);
	for (;;) {
		struct token a = lexer_next(&lexers[0]), b = lexer_next(&lexers[1]);

		if (a.kind != b.kind || a.end - a.begin != b.end - b.begin ||
		    memcmp(unit->input->text + a.begin, unit->input->text + b.begin,
			a.end - a.begin) != 0)
			return false;
		if (a.kind == TOKEN_END)
			return true;
	}
}

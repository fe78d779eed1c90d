/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides data-sharing attributes from the innermost construct outwards: the first construct with
 * its own attribute for the variable decides. In a task without one, the constructs around it
 * decide.
 */
#include "sharing.h"

#include "clause-table.h"
#include "loop-form.h"

#include <string.h>

static const struct clause_meaning {
	const char *clause;
	enum model_attribute attribute;
} meanings[] = {
    {"private", ATTRIBUTE_PRIVATE},
    {"lastprivate", ATTRIBUTE_LASTPRIVATE},
    {"firstprivate", ATTRIBUTE_FIRSTPRIVATE},
    {"shared", ATTRIBUTE_SHARED},
    {"reduction", ATTRIBUTE_REDUCTION},
    {"in_reduction", ATTRIBUTE_REDUCTION},
    {"task_reduction", ATTRIBUTE_REDUCTION},
    {"linear", ATTRIBUTE_LINEAR},
    {"induction", ATTRIBUTE_LINEAR},
    {"detach", ATTRIBUTE_FIRSTPRIVATE},
    {"is_device_ptr", ATTRIBUTE_FIRSTPRIVATE},
    {"use_device_ptr", ATTRIBUTE_UNKNOWN},
    {"use_device_addr", ATTRIBUTE_UNKNOWN},
};

static bool is_word(char byte)
{
	return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
	       (byte >= 'A' && byte <= 'Z');
}

/* Is the item the variable, or an array section of it? */
static bool item_is(const char *text, size_t begin, size_t end, const char *variable)
{
	size_t length = strlen(variable);

	return end - begin >= length && memcmp(text + begin, variable, length) == 0 &&
	       (end - begin == length || strchr(" \t[", text[begin + length]) != NULL);
}

/* Does the text contain the word? */
static bool mentions(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
		if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
			return true;
	return false;
}

static bool lists(const struct clause *clause, const char *variable)
{
	size_t at, begin, end;

	if (clause->arguments == NULL)
		return false;
	/* linear(x : step), linear(val(x)): the list comes first. */
	if (strcmp(clause->name, "linear") == 0 || strcmp(clause->name, "induction") == 0)
		return mentions(clause->arguments, variable);
	at = clause_list_begin(clause);
	while (clause_next_item(clause->arguments, &at, &begin, &end))
		if (item_is(clause->arguments, begin, end, variable))
			return true;
	return false;
}

bool model_clause_lists(
    const struct tree_construct *construct, const char *clause, const char *variable)
{
	for (size_t i = 0; i < construct->clauses.count; i++)
		if (strcmp(construct->clauses.clauses[i].name, clause) == 0 &&
		    lists(&construct->clauses.clauses[i], variable))
			return true;
	return false;
}

bool model_clauses_mention(const struct tree_construct *construct, const char *variable)
{
	for (size_t i = 0; i < construct->clauses.count; i++) {
		const char *text = construct->clauses.clauses[i].arguments;

		if (text != NULL && mentions(text, variable))
			return true;
	}
	return false;
}

static bool find_listed(const struct tree_construct *construct,
    const struct tree_variable *variable, struct model_sharing *sharing)
{
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (model_clause_lists(construct, meanings[i].clause, variable->name)) {
			/* A task_reduction only declares a reduction for tasks inside to join. */
			if (strcmp(meanings[i].clause, "task_reduction") == 0)
				continue;
			*sharing =
			    (struct model_sharing){meanings[i].attribute, RULE_CLAUSE, construct};
			return true;
		}
	return false;
}

static bool is_inside(const struct tree_construct *construct, const struct tree_variable *variable)
{
	return variable->offset >= construct->node->begin &&
	       variable->offset < construct->node->end;
}

static bool is_loop_variable(
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	struct model_loop loops[MODEL_MOST_LOOPS];
	size_t count = model_associated_loops(construct, loops);

	for (size_t i = 0; i < count; i++)
		if (loops[i].variable == variable)
			return true;
	return false;
}

/* The attribute that the default clause gives to a variable that no other clause lists. */
static enum model_attribute default_of(const struct tree_construct *construct, bool *given)
{
	const struct clause *clause = find_clause(&construct->clauses, "default");
	const char *value = clause != NULL && clause->arguments != NULL
				? clause->arguments + strspn(clause->arguments, " \t")
				: "";

	*given = *value != '\0';
	if (strncmp(value, "private", 7) == 0)
		return ATTRIBUTE_PRIVATE;
	if (strncmp(value, "firstprivate", 12) == 0)
		return ATTRIBUTE_FIRSTPRIVATE;
	if (strncmp(value, "none", 4) == 0)
		return ATTRIBUTE_UNKNOWN;
	return ATTRIBUTE_SHARED;
}

#define DECIDING (CONSTRUCT_BIT(PARALLEL) | CONSTRUCT_BIT(TEAMS))
#define TASKS    (CONSTRUCT_BIT(TASK) | CONSTRUCT_BIT(TASKLOOP))
#define OPAQUE                                                                                     \
	(CONSTRUCT_BIT(METADIRECTIVE) | CONSTRUCT_BIT(BEGIN_METADIRECTIVE) |                       \
	    CONSTRUCT_BIT(TASKGRAPH))

/*
 * In a task without a clause for it, a variable is shared if it is shared in all constructs around.
 */
static struct model_sharing in_task(
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	struct model_sharing outer = model_sharing_of(construct->parent, variable);

	if (outer.attribute == ATTRIBUTE_SHARED)
		return outer;
	if (outer.attribute == ATTRIBUTE_UNKNOWN &&
	    (outer.rule != RULE_NONE || variable->reference))
		return outer;
	return (struct model_sharing){ATTRIBUTE_FIRSTPRIVATE, RULE_DEFAULT, construct};
}

/*
 * The attribute that this construct alone determines; false if it leaves that to the constructs
 * around it.
 */
static bool decide(const struct tree_construct *construct, const struct tree_variable *variable,
    struct model_sharing *sharing)
{
	bool given = false;

	if (is_inside(construct, variable) && variable->scope == SCOPE_LOCAL) {
		*sharing = (struct model_sharing){
		    variable->reference ? ATTRIBUTE_UNKNOWN : ATTRIBUTE_PRIVATE,
		    is_loop_variable(construct, variable) ? RULE_LOOP : RULE_INSIDE, construct};
		return true;
	}
	if (find_listed(construct, variable, sharing))
		return true;
	if (is_loop_variable(construct, variable)) {
		*sharing = (struct model_sharing){ATTRIBUTE_PRIVATE, RULE_LOOP, construct};
		return true;
	}
	if (construct_has(construct, OPAQUE)) {
		*sharing = (struct model_sharing){ATTRIBUTE_UNKNOWN, RULE_DEFAULT, construct};
		return true;
	}
	enum model_attribute attribute = default_of(construct, &given);
	if (construct_has(construct, DECIDING) || (given && construct_has(construct, TASKS))) {
		*sharing = (struct model_sharing){
		    attribute, given ? RULE_DEFAULT_CLAUSE : RULE_DEFAULT, construct};
		return true;
	}
	if (construct_has(construct, TASKS)) {
		*sharing = in_task(construct, variable);
		return true;
	}
	if (construct_has(construct, CONSTRUCT_BIT(TARGET))) {
		*sharing = (struct model_sharing){ATTRIBUTE_UNKNOWN, RULE_DEVICE, construct};
		return true;
	}
	return false;
}

struct model_sharing model_sharing_of(
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	struct model_sharing sharing = {ATTRIBUTE_PRIVATE, RULE_NONE, NULL};

	if (variable->threadprivate || variable->per_thread)
		return (struct model_sharing){ATTRIBUTE_THREADPRIVATE, RULE_DIRECTIVE, NULL};
	for (; construct != NULL; construct = construct->parent)
		if (decide(construct, variable, &sharing))
			return sharing;
	if (variable->scope == SCOPE_FILE || variable->scope == SCOPE_STATIC)
		return (struct model_sharing){ATTRIBUTE_SHARED, RULE_STATIC, NULL};
	if (variable->reference)
		return (struct model_sharing){ATTRIBUTE_UNKNOWN, RULE_NONE, NULL};
	return sharing;
}

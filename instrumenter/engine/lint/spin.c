/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that wait for another thread with plain reads of a shared variable: without an atomic read
 * or a flush, the compiler may read the variable only once. Also updates that atomic does not fully
 * protect.
 */
#include "checks.h"
#include "declared-type.h"
#include "fixes.h"
#include "reduction-form.h"

#include <string.h>

static bool visit_effect(struct tree *node, void *context)
{
	bool *found = context;

	*found |= node->kind == TREE_CALL || node->kind == TREE_ASSIGN ||
		  node->kind == TREE_CONSTRUCT || node->kind == TREE_ASSEMBLER ||
		  node->kind == TREE_BREAK || node->kind == TREE_RETURN ||
		  node->kind == TREE_GOTO || node->kind == TREE_LAMBDA ||
		  (node->kind == TREE_UNARY &&
		      (strcmp(node->name, "++") == 0 || strcmp(node->name, "--") == 0));
	return !*found;
}

/* The loop whose condition contains this name, if the loop has no other effect; else NULL. */
static const struct tree *waiting_loop(const struct tree *name)
{
	const struct tree *at = name;
	bool effect = false;

	while (at->parent != NULL &&
	       (at->parent->kind == TREE_BINARY || at->parent->kind == TREE_UNARY ||
		   at->parent->kind == TREE_OTHER))
		at = at->parent;
	const struct tree *loop = at->parent;
	if (loop == NULL || loop->count == 0 ||
	    !((loop->kind == TREE_WHILE && loop->children[0] == at) ||
		(loop->kind == TREE_DO && loop->children[1] == at) ||
		(loop->kind == TREE_FOR && loop->children[1] == at)))
		return NULL;
	model_visit((struct tree *)loop, visit_effect, &effect);
	return effect ? NULL : loop;
}

static bool is_declared(const struct lint_unit *unit, const char *name)
{
	const size_t tables = sizeof unit->tree.variables / sizeof *unit->tree.variables;

	for (size_t i = 0; i < tables; i++)
		for (const struct tree_variable *at = unit->tree.variables[i]; at != NULL;
		     at = at->next)
			if (strcmp(at->name, name) == 0)
				return true;
	return false;
}

/* A name for what the loop reads that the text does not use yet. */
static const char *free_name(struct lint_unit *unit)
{
	const char *name = "seen";

	for (size_t number = 2; is_declared(unit, name); number++)
		name = lint_text(unit, "seen%zu", number);
	for (size_t i = 0, number = 1; i < unit->count; i++)
		if (unit->findings[i].check == LINT_SPIN && unit->findings[i].fix_count > 0)
			name = lint_text(unit, "seen_%zu", ++number);
	return name;
}

/* Makes the writes atomic that may be at the same time as the loop; refuses what it cannot see. */
static void fix_writes(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct model_event *spin,
    const struct tree_construct *region)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct tree *form = event->object->parent;
		const bool inside = region == NULL || event_is_in(event, region->node);
		char operation;

		if (event->variable != spin->variable || event->name == spin->name)
			continue;
		if ((event->kind & EVENT_ADDRESS) != 0)
			lint_fix_refuse(fixes);
		if (!inside || (event->kind & EVENT_DECLARE) != 0 ||
		    (event->construct != NULL &&
			construct_has(event->construct, CONSTRUCT_BIT(ATOMIC))))
			continue;
		if ((event->kind & EVENT_WRITE) == 0) {
			if (region != NULL)
				lint_fix_refuse(fixes);
			continue;
		}
		if (!lint_allows_atomic(event->construct))
			lint_fix_refuse(fixes);
		if (form != NULL && form->kind == TREE_ASSIGN && strcmp(form->name, "=") == 0 &&
		    form->children[0] == event->object &&
		    lint_count_names(form->children[1], event->variable) == 0)
			lint_fix_before(unit, fixes, form, "atomic write release", false);
		else if ((form = lint_update_form(unit, event, &operation)) != NULL)
			lint_fix_before(unit, fixes, form, "atomic update release", false);
		else
			lint_fix_refuse(fixes);
	}
}

struct condition_search {
	const struct model_event *spin;
	bool other;
};

/* Is there anything else in the condition that another thread may change? */
static bool visit_condition(struct tree *node, void *context)
{
	struct condition_search *search = context;

	search->other |= node->kind == TREE_MEMBER || node->kind == TREE_INDEX ||
			 (node->kind == TREE_UNARY && node->name[0] == '*') ||
			 (node->kind == TREE_NAME && node != search->spin->name &&
			     node->variable != NULL && !node->variable->constant);
	return true;
}

static bool is_empty(const struct tree *body)
{
	while (body->kind == TREE_BLOCK && body->count == 1)
		body = body->children[0];
	return (body->kind == TREE_BLOCK || body->kind == TREE_OTHER) && body->count == 0;
}

/*
 * The loop waits for a private variable, which an atomic read fills before the loop and in it. All
 * that write the shared one must be in this text.
 */
static void fix_wait(struct lint_unit *unit, const struct model_function *function,
    const struct model_event *event, const struct tree *loop, struct lint_fixes *fixes)
{
	const struct tree_construct *region =
	    lint_around(event->construct, CONSTRUCT_BIT(PARALLEL));
	const struct tree_variable *variable = event->variable;
	const struct model_declaration type = model_declaration_of(&unit->tree, variable);
	const char *name = free_name(unit), *read;
	struct condition_search search = {event, false};

	model_visit(loop->children[0], visit_condition, &search);
	if (loop->kind != TREE_WHILE || !lint_has_braces(unit, loop->parent) || search.other ||
	    !is_empty(loop->children[1]) || variable->reference || type.type == NULL ||
	    (variable->scope != SCOPE_LOCAL && !type.is_static) ||
	    lint_around(region->parent, CONSTRUCT_BIT(PARALLEL)) != NULL ||
	    variable->scope == SCOPE_PARAMETER || !lint_allows_atomic(event->construct) ||
	    lint_is_captured(function, variable)) {
		lint_fix_refuse(fixes);
		return;
	}
	read = lint_text(unit, "#pragma omp atomic read acquire\n%s = %s;", name, variable->name);
	lint_fix_keep(unit, fixes, function, loop, "while");
	lint_fix_words(unit, fixes, LINT_CHANGE_LINE, loop->begin, model_text(&unit->tree, loop),
	    lint_text(unit, "%s %s;\n%s", type.type, name, read));
	lint_fix_words(unit, fixes, LINT_CHANGE_WORDS, event->name->begin, variable->name, name);
	lint_fix_words(
	    unit, fixes, LINT_CHANGE_BODY, loop->begin, model_text(&unit->tree, loop), read);
	for (size_t i = 0; i < unit->tree.function_count; i++)
		if (&unit->functions[i] == function || variable->scope == SCOPE_FILE)
			fix_writes(unit, fixes, &unit->functions[i], event,
			    &unit->functions[i] == function ? region : NULL);
}

static void check_wait(
    struct lint_unit *unit, const struct model_function *function, const struct model_event *event)
{
	const struct tree_construct *region =
	    lint_around(event->construct, CONSTRUCT_BIT(PARALLEL));
	const struct tree *loop = waiting_loop(event->name);
	struct lint_remedy remedy = {.node = loop};

	if (event->kind != EVENT_READ || event->element || region == NULL || loop == NULL ||
	    event->variable->atomic || event->variable->changing ||
	    event->variable->shape != SHAPE_ARITHMETIC ||
	    lint_around(event->construct, CONSTRUCT_BIT(ATOMIC) | CONSTRUCT_BIT(CRITICAL)) !=
		NULL ||
	    model_sharing_of(event->construct, event->variable).attribute != ATTRIBUTE_SHARED)
		return;
	remedy.text = lint_text(unit,
	    "read %s into a private variable by atomic read in the loop, and write it by atomic "
	    "write",
	    event->variable->name);
	fix_wait(unit, function, event, loop, &remedy.fixes);
	lint_report(unit, LINT_SPIN, event->name,
	    lint_text(unit,
		"the loop waits for %s, which nothing in it changes and no atomic or flush reads anew",
		event->variable->name),
	    remedy);
}

/*
 * critical protects the whole statement, if the region has no other access of the variable and
 * nothing outside of the function has one.
 */
static void fix_atomic(struct lint_unit *unit, const struct model_function *function,
    const struct model_event *event, const struct tree *update, struct lint_fixes *fixes)
{
	const struct tree_construct *region =
	    lint_around(event->construct, CONSTRUCT_BIT(PARALLEL));

	if (region == NULL || !lint_allows_atomic(event->construct->parent) ||
	    event->construct->clauses.count > 0 || event->variable->reference ||
	    lint_around(event->construct, CONSTRUCT_BIT(CRITICAL)) != NULL ||
	    (event->variable->scope != SCOPE_LOCAL && event->variable->scope != SCOPE_PARAMETER) ||
	    lint_is_captured(function, event->variable))
		lint_fix_refuse(fixes);
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *other = &function->events[i];

		if (other->variable == event->variable &&
		    ((other->kind & EVENT_ADDRESS) != 0 ||
			(region != NULL && event_is_in(other, region->node) &&
			    !event_is_in(other, update))))
			lint_fix_refuse(fixes);
	}
	lint_fix_replace(unit, fixes, event->construct, "critical");
}

/*
 * `atomic` protects only the update itself: the variable may appear once in it (OpenMP 5.2,
 * 15.8.4).
 */
static void check_atomic(
    struct lint_unit *unit, const struct model_function *function, const struct model_event *event)
{
	struct tree *update = event->object->parent;
	struct lint_remedy remedy = {.directive = event->construct,
	    .text = "use critical, or a value that does not contain the variable"};
	size_t count;

	if ((event->kind & EVENT_WRITE) == 0 || event->construct == NULL || event->element ||
	    !construct_has(event->construct, CONSTRUCT_BIT(ATOMIC)) || update == NULL ||
	    update->kind != TREE_ASSIGN || update->children[0] != event->object ||
	    find_clause(&event->construct->clauses, "capture") != NULL ||
	    find_clause(&event->construct->clauses, "compare") != NULL ||
	    find_clause(&event->construct->clauses, "write") != NULL ||
	    find_clause(&event->construct->clauses, "read") != NULL)
		return;
	count = lint_count_names(update->children[1], event->variable);
	if (count <= (strcmp(update->name, "=") == 0 ? 1u : 0u))
		return;
	fix_atomic(unit, function, event, update, &remedy.fixes);
	lint_report(unit, LINT_ATOMIC, event->name,
	    lint_text(unit,
		"%s is also read in the value that this atomic update takes, which is not atomic",
		event->variable->name),
	    remedy);
}

void lint_check_spin(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < function->count; i++) {
		check_wait(unit, function, &function->events[i]);
		check_atomic(unit, function, &function->events[i]);
	}
}

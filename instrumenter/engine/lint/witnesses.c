/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remedies of races that a run has shown, where the checks have none, because the text alone does
 * not prove the race. The run says that two threads execute the two accesses; the text says what
 * orders them, so that the program computes what it computes with one thread.
 */
#include "checks.h"
#include "fixes.h"
#include "reduction-form.h"

#include <string.h>

#define LINT_EXECUTORS (LINT_WORKSHARING | CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED))

struct pair {
	struct lint_unit *unit;
	struct model_function *function;
	const struct model_event *first, *then; /* in the text's order */
	struct lint_fixes fixes;
};

static const struct tree_construct *around(const struct model_event *event, uint64_t leaves)
{
	return lint_around(event->construct, leaves);
}

/* A plain access beside an atomic one: it becomes atomic, too, if it is a statement of its own. */
static bool fix_half(struct pair *pair)
{
	const struct tree_construct *first = around(pair->first, CONSTRUCT_BIT(ATOMIC));
	const struct tree_construct *then = around(pair->then, CONSTRUCT_BIT(ATOMIC));
	const struct model_event *plain = first != NULL ? pair->then : pair->first;
	struct tree *node = plain->object->parent;
	const char *form = NULL;
	char operation;

	if ((first == NULL) == (then == NULL))
		return false;
	if (lint_update_form(pair->unit, plain, &operation) != NULL)
		form = "atomic";
	else if (node != NULL && node->kind == TREE_ASSIGN && strcmp(node->name, "=") == 0 &&
		 lint_count_names(node->children[0], plain->variable) +
			 lint_count_names(node->children[1], plain->variable) ==
		     1)
		form = node->children[0] == plain->object   ? "atomic write"
		       : node->children[1] == plain->object ? "atomic read"
							    : NULL;
	if (form == NULL || !lint_allows_atomic(plain->construct) ||
	    around(plain, MODEL_EXCLUSIVE & ~CONSTRUCT_BIT(SINGLE) & ~CONSTRUCT_BIT(MASTER) &
			      ~CONSTRUCT_BIT(MASKED) & ~CONSTRUCT_BIT(SECTION)) != NULL)
		lint_fix_refuse(&pair->fixes);
	else
		lint_fix_before(pair->unit, &pair->fixes, node, form, false);
	return true;
}

/* How many critical constructs of this name the text has. */
static size_t count_criticals(const struct lint_unit *unit, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < unit->tree.construct_count; i++)
		count += construct_has(unit->tree.constructs[i], CONSTRUCT_BIT(CRITICAL)) &&
			 strcmp(lint_critical_name(unit->tree.constructs[i]), name) == 0;
	return count;
}

/* A call or another critical construct inside: regions of one name might be nested then. */
static bool visit_risk(struct tree *node, void *context)
{
	bool *found = context;

	*found |=
	    node->kind == TREE_CALL || (node->kind == TREE_CONSTRUCT &&
					   construct_has(node->construct, CONSTRUCT_BIT(CRITICAL)));
	return !*found;
}

static bool may_nest(const struct tree_construct *critical)
{
	bool found = false;

	model_visit(construct_body(critical), visit_risk, &found);
	return found || lint_around(critical->parent, CONSTRUCT_BIT(CRITICAL)) != NULL;
}

/* Two updates of which one is in a critical construct, and the other in another one or in none. */
static bool fix_critical(struct pair *pair)
{
	const struct tree_construct *first = around(pair->first, CONSTRUCT_BIT(CRITICAL));
	const struct tree_construct *then = around(pair->then, CONSTRUCT_BIT(CRITICAL));
	const struct tree_construct *critical = first != NULL ? first : then;
	const struct model_event *plain = first != NULL ? pair->then : pair->first;
	const char *one = NULL, *other = NULL;
	struct tree *form = lint_reduction_form(plain, &other);

	if (critical == NULL || first == then)
		return false;
	lint_reduction_form(first != NULL ? pair->first : pair->then, &one);
	if (form == NULL || one == NULL || other == NULL || strcmp(one, other) != 0 ||
	    may_nest(critical) || (then != NULL && may_nest(then)))
		lint_fix_refuse(&pair->fixes);
	else if (first == NULL || then == NULL)
		lint_fix_before(pair->unit, &pair->fixes, form,
		    lint_critical_name(critical)[0] == '\0'
			? "critical"
			: lint_text(pair->unit, "critical(%s)", lint_critical_name(critical)),
		    false);
	else if (count_criticals(pair->unit, lint_critical_name(then)) > 1)
		lint_fix_refuse(&pair->fixes);
	else
		lint_fix_name(pair->unit, &pair->fixes, then, lint_critical_name(first));
	return true;
}

/* The task that executes the event in this region, or NULL; a target region may be one. */
static const struct tree_construct *task_of(const struct model_event *event)
{
	const struct tree_construct *at =
	    around(event, CONSTRUCT_BIT(TASK) | CONSTRUCT_BIT(PARALLEL) | CONSTRUCT_BIT(TARGET));

	if (at == NULL || construct_has(at, CONSTRUCT_BIT(PARALLEL)))
		return NULL;
	return construct_has(at, CONSTRUCT_BIT(TASK)) || find_clause(&at->clauses, "nowait") != NULL
		   ? at
		   : NULL;
}

/* A task and what its generating code does after it, or two tasks of one block. */
static bool fix_tasks(struct pair *pair)
{
	const struct tree_construct *task = task_of(pair->first), *next = task_of(pair->then);

	if (task == NULL || task == next)
		return false;
	if (next == NULL) {
		if (pair->then->construct != task->parent)
			return false;
		if (construct_has(task, CONSTRUCT_BIT(TASK)) &&
		    (pair->first->kind & EVENT_WRITE) == 0 && !pair->first->element &&
		    pair->first->variable->scope != SCOPE_FILE &&
		    pair->first->variable->scope != SCOPE_STATIC)
			lint_fix_by_copy(
			    pair->unit, &pair->fixes, pair->function, task, pair->first->variable);
		else
			lint_fix_by_wait(pair->unit, &pair->fixes, task, pair->then);
		return true;
	}
	if (task->parent != next->parent || task->node->parent != next->node->parent)
		lint_fix_refuse(&pair->fixes);
	else
		lint_fix_before(pair->unit, &pair->fixes, next->node, "taskwait", true);
	return true;
}

/* A construct without a barrier at its end, of which one access is a part and the other is not. */
static bool fix_end(struct pair *pair)
{
	const struct tree_construct *region = around(pair->first, CONSTRUCT_BIT(PARALLEL));
	const struct tree_construct *writer =
	    around(pair->first, LINT_EXECUTORS | CONSTRUCT_BIT(PARALLEL));

	if (region == NULL || around(pair->then, CONSTRUCT_BIT(PARALLEL)) != region)
		return false;
	if (writer == region || !construct_has(writer, LINT_EXECUTORS) ||
	    event_is_in(pair->then, writer->node))
		return false;
	if (find_clause(&writer->clauses, "nowait") == NULL &&
	    !construct_has(writer, CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED)))
		return false;
	lint_fix_end(pair->unit, &pair->fixes, writer, region);
	return true;
}

/* Do all threads of the region execute the block, each as often? */
static bool is_of_team(
    const struct pair *pair, const struct tree *block, const struct tree_construct *region)
{
	for (; block != region->node; block = block->parent) {
		if (block->kind == TREE_FOR) {
			for (size_t i = 0; i < 3; i++)
				if (block->children[i] != NULL &&
				    model_is_of_thread(pair->function, block->children[i]))
					return false;
		} else if (block->kind != TREE_BLOCK) {
			return false;
		}
	}
	return true;
}

/*
 * Two statements that each thread of the region executes: a barrier between them. If a loop is
 * around both, the next iteration has to wait, too.
 */
static bool fix_team(struct pair *pair)
{
	const struct tree_construct *region = around(pair->first, CONSTRUCT_BIT(PARALLEL));
	struct lint_order order;

	if (region == NULL)
		return false;
	order = lint_order_of(region, pair->first->name, pair->then->name, CONSTRUCT_BIT(BARRIER));
	region = order.block != NULL ? model_construct_around(order.block) : NULL;
	if (region == NULL || !construct_has(region, CONSTRUCT_BIT(PARALLEL)) ||
	    construct_has(region, MODEL_LOOP_CONSTRUCTS | LINT_WORKSHARING) ||
	    !is_of_team(pair, order.block, region) || lint_has_jump(region->node) ||
	    order.first == order.then)
		return false;
	/* The block's region may be around that of the first access. */
	order = lint_order_of(region, order.first, order.then, CONSTRUCT_BIT(BARRIER));
	if (!order.between)
		lint_fix_before(pair->unit, &pair->fixes, order.then, "barrier", true);
	if (!order.again)
		lint_fix_before(
		    pair->unit, &pair->fixes, order.block->children[0], "barrier", true);
	return !order.between || !order.again;
}

/* Does the block have a construct with the leaf next to the statement, or anywhere behind it? */
static bool has_near(const struct tree *statement, uint64_t leaf, bool behind)
{
	const struct tree *block = statement->parent;

	for (size_t i = 0; i < block->count && block->kind == TREE_BLOCK; i++) {
		const struct tree *node = block->children[i];

		if (node->kind == TREE_CONSTRUCT && construct_has(node->construct, leaf) &&
		    (behind ? node->begin > statement->begin
			    : (i > 0 && block->children[i - 1] == statement) ||
				  (i + 1 < block->count && block->children[i + 1] == statement)))
			return true;
	}
	return false;
}

/* `x = e` or, reading, `v = x`, where the variable is named once: the statement, else NULL. */
static struct tree *plain_statement(const struct model_event *event)
{
	struct tree *node = event->object->parent;

	return node != NULL && lint_is_statement(node) && node->kind == TREE_ASSIGN &&
		       strcmp(node->name, "=") == 0 && !event->element &&
		       (event->kind == EVENT_WRITE || event->kind == EVENT_READ) &&
		       node->children[event->kind == EVENT_WRITE ? 0 : 1] == event->object &&
		       lint_count_names(node, event->variable) == 1
		   ? node
		   : NULL;
}

/* Threads look for something: the one that finds it writes it and cancels the others. */
static bool fix_found(struct pair *pair)
{
	const struct tree_construct *construct =
	    around(pair->first, CONSTRUCT_BIT(FOR) | CONSTRUCT_BIT(PARALLEL));

	if (construct == NULL || !lint_allows_atomic(pair->first->construct))
		return false;
	for (size_t i = 0; i < pair->function->count; i++) {
		const struct model_event *event = &pair->function->events[i];
		struct tree *statement = plain_statement(event);

		if (event->variable != pair->first->variable ||
		    !event_is_in(event, construct->node))
			continue;
		if (statement == NULL || event->kind != EVENT_WRITE ||
		    !has_near(statement, CONSTRUCT_BIT(CANCEL), true))
			return false;
		lint_fix_before(pair->unit, &pair->fixes, statement, "atomic write", false);
	}
	return pair->fixes.count > 0;
}

/* A flag that is only written, or read into another variable, each time next to a flush. */
static bool fix_flushed(struct pair *pair)
{
	const struct tree_construct *region = around(pair->first, CONSTRUCT_BIT(PARALLEL));
	const struct model_event *const sides[] = {pair->first, pair->then};

	for (size_t i = 0; i < 2; i++) {
		const struct tree *statement = plain_statement(sides[i]);

		if (region == NULL || statement == NULL ||
		    !has_near(statement, CONSTRUCT_BIT(FLUSH), false))
			return false;
	}
	for (size_t i = 0; i < pair->function->count; i++) {
		const struct model_event *event = &pair->function->events[i];
		struct tree *statement = plain_statement(event);

		if (event->variable != pair->first->variable || !event_is_in(event, region->node))
			continue;
		if (statement == NULL || !lint_allows_atomic(event->construct) ||
		    model_has_between(event->construct, region, MODEL_EXCLUSIVE))
			lint_fix_refuse(&pair->fixes);
		else
			lint_fix_before(pair->unit, &pair->fixes, statement,
			    event->kind == EVENT_WRITE ? "atomic write" : "atomic read", false);
	}
	return true;
}

/* Updates in any order: each is atomic. */
static bool fix_updates(struct pair *pair)
{
	const struct tree_construct *construct =
	    around(pair->first, LINT_SHARED_LOOPS | CONSTRUCT_BIT(TASK) | CONSTRUCT_BIT(SECTIONS) |
				    CONSTRUCT_BIT(PARALLEL));
	char operation;

	if (construct == NULL || !event_is_in(pair->then, construct->node) ||
	    lint_update_form(pair->unit, pair->first, &operation) == NULL)
		return false;
	lint_fix_updates(pair->unit, &pair->fixes, pair->function, construct, pair->first);
	return true;
}

/* Values combined by the teams of a league: only teams itself may have a clause for that. */
static bool fix_teams(struct pair *pair)
{
	const struct tree_construct *teams =
	    around(pair->first, CONSTRUCT_BIT(TEAMS) | CONSTRUCT_BIT(PARALLEL));
	const struct tree_variable *variable = pair->first->variable;
	const char *common = NULL, *operation;

	if (teams == NULL || construct_has(teams, CONSTRUCT_BIT(PARALLEL)) ||
	    !event_is_in(pair->then, teams->node) || variable->shape != SHAPE_ARITHMETIC)
		return false;
	for (size_t i = 0; i < pair->function->count; i++) {
		const struct model_event *event = &pair->function->events[i];

		if (event->variable != variable || !event_is_in(event, teams->node))
			continue;
		if ((event->kind & EVENT_WRITE) == 0 ||
		    lint_reduction_form(event, &operation) == NULL ||
		    (common != NULL && strcmp(common, operation) != 0))
			return false;
		common = operation;
	}
	lint_fix_list(pair->unit, &pair->fixes, teams, "shared", "reduction",
	    lint_text(pair->unit, "%s: ", common), variable->name);
	return true;
}

/* Is the variable read outside of the construct behind it, or in a loop around it? */
static bool is_needed_behind(const struct pair *pair, const struct tree_construct *construct)
{
	const size_t end = construct->node->end;

	for (const struct tree *at = construct->node->parent; at != NULL; at = at->parent)
		if (at->kind == TREE_FOR || at->kind == TREE_WHILE || at->kind == TREE_DO ||
		    at->kind == TREE_RANGE)
			return true;
	for (size_t i = 0; i < pair->function->count; i++)
		if (pair->function->events[i].variable == pair->first->variable &&
		    pair->function->events[i].name->begin >= end)
			return true;
	return pair->first->variable->scope != SCOPE_LOCAL &&
	       pair->first->variable->scope != SCOPE_PARAMETER;
}

/* Each section writes the variable before it reads it. */
static bool fix_sections(struct pair *pair)
{
	const uint64_t section = CONSTRUCT_BIT(SECTION);
	const struct tree_construct *sections = around(pair->first, CONSTRUCT_BIT(SECTIONS));
	const struct tree_variable *variable = pair->first->variable;

	if (sections == NULL || around(pair->then, CONSTRUCT_BIT(SECTIONS)) != sections ||
	    pair->first->element || is_needed_behind(pair, sections))
		return false;
	for (size_t i = 0; i < pair->function->count; i++) {
		const struct model_event *event = &pair->function->events[i];
		bool covered = event->kind == EVENT_WRITE;

		if (event->variable != variable || !event_is_in(event, sections->node))
			continue;
		for (size_t j = 0; j < i && !covered; j++) {
			const struct model_event *write = &pair->function->events[j];
			covered = write->variable == variable && write->kind == EVENT_WRITE &&
				  around(write, section) == around(event, section) &&
				  model_precedes(write->name, event->name);
		}
		if (!covered || (event->kind & EVENT_ADDRESS) != 0)
			return false;
	}
	lint_fix_list(pair->unit, &pair->fixes, sections, "shared", "private", "", variable->name);
	return true;
}

static bool is_assignment(const struct tree *node)
{
	return node != NULL && node->kind == TREE_ASSIGN && strcmp(node->name, "=") == 0;
}

/*
 * Does another function use the variable without atomic, which threads may call at the same time?
 * What stands beside a region in its function, one thread executes.
 */
static bool is_used_by_others(const struct pair *pair)
{
	for (size_t i = 0; i < pair->unit->tree.function_count; i++) {
		const struct model_function *other = &pair->unit->functions[i];
		bool regions = false, used = false;

		if (other->function == pair->function->function)
			continue;
		for (size_t j = 0; j < pair->unit->tree.construct_count; j++)
			regions |=
			    construct_has(
				pair->unit->tree.constructs[j], CONSTRUCT_BIT(PARALLEL)) &&
			    tree_holds(other->function->body, pair->unit->tree.constructs[j]->node);
		for (size_t j = 0; j < other->count; j++) {
			const struct tree_construct *at = other->events[j].construct;

			used |= other->events[j].variable == pair->first->variable &&
				(at == NULL ? !regions : !construct_has(at, CONSTRUCT_BIT(ATOMIC)));
		}
		if (used)
			return true;
	}
	return false;
}

/*
 * In a function without constructs around the accesses: updates in any order, or writes of one
 * constant, of a variable that all calls share.
 */
static bool fix_called(struct pair *pair)
{
	long long constant = 0, number;
	char common = '\0', operation;
	bool flag = false;

	if (is_used_by_others(pair))
		return false;
	for (size_t i = 0; i < pair->function->count; i++) {
		const struct model_event *event = &pair->function->events[i];
		struct tree *form;

		if (event->variable != pair->first->variable)
			continue;
		form = lint_update_form(pair->unit, event, &operation);
		if (event->construct != NULL || event->element != pair->first->element)
			return false;
		if (form == NULL) {
			form = event->object->parent;
			if (event->kind != EVENT_WRITE || !is_assignment(form) ||
			    !model_constant(form->children[1], &number) ||
			    (flag && number != constant))
				return false;
			constant = number;
			operation = '=';
			flag = true;
		}
		if (common != '\0' && common != operation)
			return false;
		common = operation;
		lint_fix_before(
		    pair->unit, &pair->fixes, form, flag ? "atomic write" : "atomic", false);
	}
	return common != '\0';
}

/* Has a check the remedy already? */
static bool is_fixed(const struct pair *pair)
{
	const int lines[] = {
	    lint_line(pair->unit, pair->first->name), lint_line(pair->unit, pair->then->name)};

	for (size_t i = 0; i < pair->unit->count; i++) {
		const struct lint_finding *finding = &pair->unit->findings[i];

		if (finding->fix_count > 0 &&
		    (finding->place.line == lines[0] || finding->place.line == lines[1]) &&
		    strstr(finding->message, pair->first->variable->name) != NULL)
			return true;
	}
	return false;
}

static void check_pair(struct pair *pair)
{
	static bool (*const remedies[])(struct pair *) = {fix_half, fix_critical, fix_tasks,
	    fix_end, fix_teams, fix_sections, fix_found, fix_flushed, fix_updates, fix_team};
	struct lint_remedy remedy = {.node = pair->then->name, .text = "here it is used, too"};
	bool known = false;

	if (is_fixed(pair))
		return;
	if (pair->first->construct == NULL && pair->then->construct == NULL)
		known = fix_called(pair);
	for (size_t i = 0; i < sizeof remedies / sizeof *remedies && !known; i++) {
		pair->fixes = (struct lint_fixes){NULL};
		known = pair->first->construct != NULL && remedies[i](pair);
	}
	remedy.fixes = pair->fixes;
	if (known && !pair->fixes.refused)
		lint_report(pair->unit, LINT_SHARED_WRITE, pair->first->name,
		    lint_text(pair->unit, "%s is used by two threads at once, as a run has shown",
			pair->first->variable->name),
		    remedy);
}

/*
 * The access of the race's side in the function, a write if there is one; or NULL. variable: only
 * of this one, or NULL.
 */
static const struct model_event *find_side(const struct lint_unit *unit,
    const struct model_function *function, const struct lint_witness *witness, int side,
    const struct tree_variable *variable)
{
	const struct model_event *found = NULL;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if ((event->kind & EVENT_DECLARE) == 0 &&
		    (variable == NULL || event->variable == variable) &&
		    lint_is_side(unit, event, witness, side) &&
		    (found == NULL || event->element > found->element ||
			(side == 0 && (event->kind & EVENT_WRITE) != 0 &&
			    (found->kind & EVENT_WRITE) == 0)))
			found = event;
	}
	return found;
}

/* Does the line access a copy of the thread's own? The directive's line combines the copies. */
static bool is_own(const struct lint_unit *unit, const struct model_event *event,
    const struct lint_witness *witness)
{
	return !event->element && lint_line(unit, event->name) == witness->line[0] &&
	       model_sharing_of(event->construct, event->variable).attribute != ATTRIBUTE_SHARED;
}

/* The one variable that is written at the first place and used at the other; NULL if others are. */
static const struct tree_variable *common_variable(const struct lint_unit *unit,
    const struct model_function *function, const struct lint_witness *witness)
{
	const struct tree_variable *common = NULL;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if ((event->kind & EVENT_WRITE) == 0 || event->variable == common ||
		    is_own(unit, event, witness) || !lint_is_side(unit, event, witness, 0) ||
		    find_side(unit, function, witness, 1, event->variable) == NULL)
			continue;
		if (common != NULL)
			return NULL;
		common = event->variable;
	}
	return common;
}

void lint_check_witnesses(struct lint_unit *unit, struct model_function *function)
{
	const struct inst_input *input = unit->tree.input;

	for (size_t i = 0; i < input->witness_count; i++) {
		const struct lint_witness *witness = &input->witnesses[i];
		const struct tree_variable *variable =
		    witness->name[0] == '\0' ? common_variable(unit, function, witness) : NULL;
		const struct model_event *one, *other;
		struct pair pair = {.unit = unit, .function = function};

		if (witness->name[0] == '\0' && variable == NULL)
			continue;
		one = find_side(unit, function, witness, 0, variable);
		other = find_side(unit, function, witness, 1, variable);
		if (one == NULL || other == NULL || one->variable != other->variable ||
		    lint_is_captured(function, one->variable))
			continue;
		pair.first = one->name->begin <= other->name->begin ? one : other;
		pair.then = pair.first == one ? other : one;
		check_pair(&pair);
	}
}

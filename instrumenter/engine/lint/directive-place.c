/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directives in places where they are not allowed (OpenMP 5.2, 17.1): inside another construct, or
 * in a function that is called from inside one. Compilers diagnose only the first.
 */
#include "checks.h"
#include "fixes.h"

#include <string.h>

#define BIT(id) CONSTRUCT_BIT(id)

/*
 * Directives that bind to the innermost parallel region, and the constructs in which they are not
 * allowed. `scope` is not listed: all threads execute it, and compilers accept worksharing inside
 * it.
 */
static const struct rule {
	uint64_t what, where;
} rules[] = {
    {BIT(BARRIER) | BIT(FOR) | BIT(SECTIONS) | BIT(SINGLE) | BIT(SCOPE),
	BIT(FOR) | BIT(SECTIONS) | BIT(SECTION) | BIT(SINGLE) | BIT(LOOP) | BIT(TASK) |
	    BIT(TASKLOOP) | BIT(CRITICAL) | BIT(ORDERED) | BIT(ATOMIC) | BIT(MASTER) | BIT(MASKED)},
    {BIT(MASTER) | BIT(MASKED), BIT(FOR) | BIT(SECTIONS) | BIT(SECTION) | BIT(SINGLE) | BIT(LOOP) |
				    BIT(TASK) | BIT(TASKLOOP) | BIT(ATOMIC)},
    {BIT(ORDERED),
	BIT(CRITICAL) | BIT(ORDERED) | BIT(ATOMIC) | BIT(TASK) | BIT(TASKLOOP) | BIT(LOOP)},
};

/* Regions that another team executes, or no team. */
#define OTHER_TEAM (BIT(PARALLEL) | BIT(TEAMS) | BIT(TARGET))

/* A directive as seen from one place: the directive's own, or a call that leads to it. */
struct place {
	struct lint_unit *unit;
	struct model_function *function;
	const struct tree_construct *construct; /* the directive */
	const struct tree_construct *around;    /* innermost construct around the place */
	struct tree *call;                      /* NULL: the place is the directive's own */
};

static bool begins_team(const struct tree_construct *construct)
{
	return construct_has(construct, OTHER_TEAM);
}

/* The construct around the place that does not allow the directive, or NULL. */
static const struct tree_construct *forbidding(const struct place *place)
{
	if (begins_team(place->construct))
		return NULL;
	for (const struct tree_construct *at = place->around; at != NULL; at = at->parent) {
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			if (construct_has(place->construct, rules[i].what) &&
			    construct_has(at, rules[i].where))
				return at;
		if (begins_team(at))
			return NULL;
	}
	return NULL;
}

/* Is the node in a loop inside of this one, so that an iteration may execute it several times? */
static bool is_in_loop(const struct tree *node, const struct tree *outer)
{
	for (; node != NULL && node != outer; node = node->parent)
		if (node->kind == TREE_FOR || node->kind == TREE_WHILE || node->kind == TREE_DO ||
		    node->kind == TREE_RANGE)
			return true;
	return false;
}

/*
 * The loop gets the clause if each of its iterations executes one ordered region at most (OpenMP
 * 5.2, 15.10.2).
 */
static void fix_ordered(
    const struct place *place, const struct tree_construct *loop, struct lint_fixes *fixes)
{
	const struct model_function *called =
	    place->call != NULL ? lint_find_function(place->unit, place->call->target) : NULL;
	const struct clause *schedule = find_clause(&loop->clauses, "schedule");
	const struct tree *node = place->construct->node;
	struct model_loop loops[MODEL_MOST_LOOPS];
	const size_t count = model_associated_loops(loop, loops);

	if (count != 1 || construct_has(loop, BIT(SIMD) | BIT(DISTRIBUTE)) ||
	    find_clause(&loop->clauses, "order") != NULL ||
	    (schedule != NULL && strstr(schedule->text, "nonmonotonic") != NULL) ||
	    place->construct->clauses.count > 0 ||
	    (place->call == NULL ? is_in_loop(node, loops[0].node->children[3])
				 : called == NULL || !tree_holds(called->function->body, node) ||
				       is_in_loop(node, called->function->body) ||
				       is_in_loop(place->call, loops[0].node->children[3])))
		lint_fix_refuse(fixes);
	for (size_t i = 0; i < place->unit->count; i++) {
		struct lint_finding *other = &place->unit->findings[i];

		if (other->check == LINT_ORDERED_PLACE && other->fix_count > 0 &&
		    other->fixes[0].place.line ==
			scan_place(place->unit->tree.scan, loop->pragma->begin).line) {
			other->fix_count = 0;
			lint_fix_refuse(fixes);
		}
	}
	lint_fix_add(place->unit, fixes, loop, "ordered");
}

/*
 * The message names the place as "inside of 'single'", and names the called function if there is
 * one.
 */
static void report(
    const struct place *place, enum lint_check check, const char *text, struct lint_fixes fixes)
{
	struct lint_remedy remedy = {.directive = place->construct, .fixes = fixes};

	if (place->call == NULL) {
		lint_report_directive(place->unit, check, place->construct,
		    lint_text(place->unit, "'%s' %s", place->construct->use.name, text),
		    (struct lint_remedy){.fixes = fixes});
		return;
	}
	remedy.text = lint_text(place->unit, "the '%s' is here", place->construct->use.name);
	lint_report(place->unit, check, place->call,
	    lint_text(place->unit, "%s() leads to '%s' %s", place->call->name,
		place->construct->use.name, text),
	    remedy);
}

static void check_critical(const struct place *place)
{
	const char *name = lint_critical_name(place->construct);

	for (const struct tree_construct *at = place->around; at != NULL; at = at->parent) {
		if (construct_has(at, BIT(TASK) | BIT(TARGET)))
			return;
		if (construct_has(at, BIT(CRITICAL)) && strcmp(lint_critical_name(at), name) == 0)
			report(place, LINT_CRITICAL_NESTED,
			    lint_text(place->unit,
				"inside of the 'critical' of line %d, which has the same name: "
				"the thread waits for itself",
				scan_place(place->unit->tree.scan, at->pragma->begin).line),
			    (struct lint_fixes){NULL});
	}
}

static void check_ordered(const struct place *place)
{
	const struct tree_construct *at = lint_around(place->around, BIT(FOR) | OTHER_TEAM);
	struct lint_fixes fixes = {NULL};

	if (at == NULL || !construct_has(at, BIT(FOR)) ||
	    find_clause(&at->clauses, "ordered") != NULL)
		return;
	fix_ordered(place, at, &fixes);
	report(place, LINT_ORDERED_PLACE,
	    lint_text(place->unit, "inside of the '%s' of line %d, which has no ordered clause",
		at->use.name, scan_place(place->unit->tree.scan, at->pragma->begin).line),
	    fixes);
}

/* The branch around the node that depends on the thread's number, or NULL. */
static const struct tree *branch_by_thread(
    const struct model_function *function, const struct tree *node)
{
	for (; node != NULL && node->parent != NULL; node = node->parent) {
		const struct tree *parent = node->parent;
		bool branch = (parent->kind == TREE_IF || parent->kind == TREE_SWITCH) &&
			      node != parent->children[0];
		if (branch && model_is_of_thread(function, parent->children[0]))
			return parent;
		if (node->kind == TREE_LAMBDA ||
		    (node->kind == TREE_CONSTRUCT &&
			construct_has(node->construct, OTHER_TEAM | MODEL_EXCLUSIVE | LINT_TASKS)))
			return NULL;
	}
	return NULL;
}

/* The barrier at the end of the block, or NULL. */
static const struct tree_construct *last_barrier(const struct tree *block)
{
	const struct tree *last = block;

	while (last != NULL && last->kind == TREE_BLOCK)
		last = last->count > 0 ? last->children[last->count - 1] : NULL;

	return last != NULL && last->kind == TREE_CONSTRUCT &&
		       last->construct->leaves == BIT(BARRIER)
		   ? last->construct
		   : NULL;
}

static bool visit_for_team(struct tree *node, void *context)
{
	size_t *count = context;

	*count += node->kind == TREE_CALL ||
		  (node->kind == TREE_CONSTRUCT && construct_has(node->construct, rules[0].what));
	return true;
}

/* The directives of the whole team in the node, and the calls, which may lead to some. */
static size_t count_for_team(struct tree *node)
{
	size_t count = 0;

	model_visit(node, visit_for_team, &count);
	return count;
}

/*
 * The barrier moves behind the branch if that is a statement of the region itself, and the barrier
 * is the last statement in it, or in both of its parts. Then only what comes first changes: the
 * threads of the branch have executed the same before the barrier, and the others wait for them.
 */
static void fix_branch(
    const struct place *place, const struct tree *branch, struct lint_fixes *fixes)
{
	const struct tree_construct *barrier = place->construct, *also = NULL,
				    *region = barrier->parent;
	const struct tree *around = branch->parent;
	size_t count;

	if (place->call != NULL || branch->kind != TREE_IF || region == NULL ||
	    region->leaves != BIT(PARALLEL) || place->function->jumps ||
	    !lint_has_braces(place->unit, branch->parent) || lint_has_jump((struct tree *)branch)) {
		lint_fix_refuse(fixes);
		return;
	}
	while (around != NULL && around->kind == TREE_BLOCK)
		around = around->parent;
	also = last_barrier(branch->children[2]);
	count = count_for_team(branch->children[1]) +
		(branch->children[2] != NULL ? count_for_team(branch->children[2]) : 0);
	if (around != region->node || last_barrier(branch->children[1]) == NULL ||
	    (branch->children[2] != NULL && also == NULL) ||
	    (last_barrier(branch->children[1]) != barrier && also != barrier) ||
	    count != (also != NULL ? 2u : 1u)) {
		lint_fix_refuse(fixes);
		return;
	}
	lint_fix_keep(place->unit, fixes, place->function, branch, "if");
	lint_fix_move(
	    place->unit, fixes, place->function, last_barrier(branch->children[1]), branch);
	if (also != NULL)
		lint_fix_move(place->unit, fixes, place->function, also, branch);
}

static void check_branch(const struct place *place)
{
	struct lint_fixes fixes = {NULL};
	const struct tree *at = place->call != NULL ? place->call : place->construct->node;
	const struct tree *branch;

	if (!construct_has(place->construct, rules[0].what) || begins_team(place->construct))
		return;
	branch = branch_by_thread(place->function, at->parent != NULL ? at : NULL);
	if (branch != NULL && branch != at)
		fix_branch(place, branch, &fixes);
	if (branch != NULL && branch != at)
		report(place, LINT_BARRIER_BRANCH,
		    lint_text(place->unit,
			"in a branch that depends on the thread's number (line %d): all threads of "
			"the team have to reach it, or none",
			lint_line(place->unit, branch)),
		    fixes);
}

static void check_place(const struct place *place)
{
	const struct tree_construct *at = forbidding(place);

	if (at != NULL)
		report(place, LINT_BARRIER_PLACE,
		    lint_text(place->unit, "inside of the '%s' of line %d, where it may not be",
			at->use.name, scan_place(place->unit->tree.scan, at->pragma->begin).line),
		    (struct lint_fixes){NULL});
	if (construct_has(place->construct, BIT(CRITICAL)))
		check_critical(place);
	if (construct_has(place->construct, BIT(ORDERED)) && at == NULL)
		check_ordered(place);
	check_branch(place);
}

/* The search through a called function. */
struct descent {
	struct place place;
	struct model_function *function; /* the called function */
};

static void descend(const struct descent *descent);

/* Only a directive outside all regions of the called function belongs to the place of the call. */
static bool visit_called(struct tree *node, void *context)
{
	struct descent *descent = context;

	if (node->kind == TREE_LAMBDA)
		return true;
	if (node->kind == TREE_CONSTRUCT) {
		struct place place = descent->place;
		place.construct = node->construct;
		if (lint_around(node->construct->parent, OTHER_TEAM | LINT_TASKS) == NULL)
			check_place(&place);
	}
	if (node->kind == TREE_CALL && node->target != 0 &&
	    lint_around(model_construct_around(node), OTHER_TEAM | LINT_TASKS) == NULL) {
		struct descent next = *descent;
		next.function = lint_find_function(descent->place.unit, node->target);
		descend(&next);
	}
	return true;
}

static void descend(const struct descent *descent)
{
	struct descent copy = *descent;
	struct model_function *function = descent->function;

	/* Each function once, because calls may be recursive. */
	if (function == NULL || function->function->faulty ||
	    function->visit == descent->place.unit->visit)
		return;
	function->visit = descent->place.unit->visit;
	model_visit(function->function->body, visit_called, &copy);
}

static bool visit_node(struct tree *node, void *context)
{
	struct place place = *(struct place *)context;

	if (node->kind == TREE_LAMBDA && node != place.function->function->body->parent)
		return true;
	if (node->kind == TREE_CONSTRUCT) {
		place.construct = node->construct;
		place.around = node->construct->parent;
		check_place(&place);
	}
	if (node->kind == TREE_CALL && node->target != 0) {
		struct descent descent = {.place = place};
		descent.place.call = node;
		descent.place.around = model_construct_around(node);
		descent.function = lint_find_function(place.unit, node->target);
		place.unit->visit++;
		if (descent.place.around != NULL)
			descend(&descent);
	}
	return true;
}

void lint_check_place(struct lint_unit *unit, struct model_function *function)
{
	struct place place = {.unit = unit, .function = function};

	model_visit(function->function->body, visit_node, &place);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a directive says of the order of iterations, and that order as remedy. With such an order
 * the loop computes what it computes with one thread (OpenMP 5.2, 15.10.1 and 15.10.2). What the
 * iterations do apart from these statements still runs in parallel.
 */
#include "fixes.h"
#include "iterations.h"

#include <stdlib.h>
#include <string.h>

long long lint_safe_length(const struct tree_construct *construct)
{
	const struct clause *clause = find_clause(&construct->clauses, "safelen");

	return clause != NULL && clause->arguments != NULL ? strtoll(clause->arguments, NULL, 0)
							   : 0;
}

bool lint_iterations_are_concurrent(const struct tree_construct *construct)
{
	const struct clause *order = find_clause(&construct->clauses, "order");

	if (construct_has(construct, CONSTRUCT_BIT(SIMD)) &&
	    find_clause(&construct->clauses, "safelen") == NULL)
		return true;
	return construct_has(construct, CONSTRUCT_BIT(LOOP)) ||
	       (order != NULL && order->arguments != NULL &&
		   strstr(order->arguments, "concurrent") != NULL);
}

bool lint_iterations_have_order(const struct tree_construct *construct)
{
	const struct tree_construct *region = lint_around(construct, CONSTRUCT_BIT(PARALLEL));
	const struct clause *reduction = find_clause(&construct->clauses, "reduction");

	return find_clause(&construct->clauses, "ordered") != NULL ||
	       (reduction != NULL && reduction->arguments != NULL &&
		   strstr(reduction->arguments, "inscan") != NULL) ||
	       (region != NULL && model_is_serial(region)) ||
	       lint_around(construct, CONSTRUCT_BIT(TARGET) | CONSTRUCT_BIT(TASK)) != NULL;
}

/* The first and the last statement of the loop's body that access an array. */
struct span {
	const struct tree *body, *first, *last;
	bool unclear;
};

/* May the construct and its loop have the clause `ordered`, also with a number? */
static bool allows_order(const struct tree_construct *construct, const struct model_loop *loop)
{
	static const char *const without[] = {"order", "ordered", "collapse", "linear"};
	const struct clause *schedule = find_clause(&construct->clauses, "schedule");

	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (find_clause(&construct->clauses, without[i]) != NULL)
			return false;
	return construct_has(construct, CONSTRUCT_BIT(FOR)) &&
	       !construct_has(construct, CONSTRUCT_BIT(SIMD) | CONSTRUCT_BIT(DISTRIBUTE)) &&
	       (schedule == NULL || strstr(schedule->text, "nonmonotonic") == NULL) &&
	       loop->node->kind == TREE_FOR && loop->variable != NULL && loop->variable->integer &&
	       loop->step != 0 && !lint_has_jump(loop->node->children[3]);
}

static void find_span(struct span *span, const struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *array)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const struct tree *statement;

		if (event->variable != array || !event_is_in(event, construct->node))
			continue;
		if (!tree_holds(span->body, event->name) ||
		    (!event->element && (event->kind & (EVENT_WRITE | EVENT_ADDRESS)) != 0)) {
			span->unclear = true;
			continue;
		}
		statement = lint_statement_in(span->body, event->name);
		span->unclear |= event->construct != construct;
		if (span->first == NULL || statement->begin < span->first->begin)
			span->first = statement;
		if (span->last == NULL || statement->begin > span->last->begin)
			span->last = statement;
	}
}

/* The end of what later iterations wait for. */
static void fix_source(struct lint_unit *unit, struct lint_fixes *fixes, const struct tree *body,
    const struct tree *last)
{
	for (size_t i = 0; i + 1 < body->count; i++)
		if (body->children[i] == last) {
			lint_fix_before(
			    unit, fixes, body->children[i + 1], "ordered depend(source)", true);
			return;
		}
	if (last->kind != TREE_ASSIGN)
		lint_fix_refuse(fixes);
	lint_fix_words(unit, fixes, LINT_CHANGE_AFTER, last->begin,
	    lint_text(unit, "%s;", model_text(&unit->tree, last)),
	    "#pragma omp ordered depend(source)");
}

static bool is_same(const struct lint_fix *one, const struct lint_fix *other)
{
	return one->place.line == other->place.line && strcmp(one->text, other->text) == 0;
}

/*
 * An iteration executes one ordered region at most: two findings about one loop with different ones
 * are both not decided.
 */
static void compare_with_others(struct lint_unit *unit, struct lint_fixes *fixes)
{
	for (size_t i = 0; i < unit->count; i++) {
		struct lint_finding *other = &unit->findings[i];
		bool same = other->fix_count == fixes->count;

		if (fixes->refused || other->check != LINT_LOOP_DEPENDENCE ||
		    other->fix_count == 0 || other->fixes[0].place.line != fixes->all[0].place.line)
			continue;
		for (size_t j = 0; j < fixes->count && same; j++)
			same = is_same(&other->fixes[j], &fixes->all[j]);
		if (!same) {
			other->fix_count = 0;
			lint_fix_refuse(fixes);
		}
	}
}

void lint_fix_by_order(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct model_event *event, long long distance)
{
	struct model_loop loops[MODEL_MOST_LOOPS];
	const size_t count = model_associated_loops(construct, loops);
	struct span span = {.body = NULL};

	if (count != 1 || !allows_order(construct, &loops[0]) ||
	    !lint_is_alone(unit, function, construct, event)) {
		lint_fix_refuse(fixes);
		return;
	}
	span.body = loops[0].node->children[3];
	while (span.body->count == 1 && span.body->children[0]->kind == TREE_BLOCK)
		span.body = span.body->children[0];
	find_span(&span, function, construct, event->variable);
	const bool braces = lint_has_braces(unit, span.body);
	if (span.unclear || span.first == NULL || (!braces && span.body->count != 1)) {
		lint_fix_refuse(fixes);
	} else if (span.first == span.last && span.first->kind == TREE_ASSIGN &&
		   (distance == 1 || !braces)) {
		lint_fix_add(unit, fixes, construct, "ordered");
		lint_fix_before(unit, fixes, span.first, "ordered", false);
	} else if (braces) {
		lint_fix_add(unit, fixes, construct, "ordered(1)");
		lint_fix_before(unit, fixes, span.first,
		    lint_text(unit, "ordered depend(sink: %s %c %lld)", loops[0].variable->name,
			loops[0].step > 0 ? '-' : '+', distance * llabs(loops[0].step)),
		    true);
		fix_source(unit, fixes, span.body, span.last);
	} else {
		lint_fix_refuse(fixes);
	}
	compare_with_others(unit, fixes);
}

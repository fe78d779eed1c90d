/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between iterations of a worksharing or simd loop, found by comparing array
 * subscripts: two accesses of one array, at least one of them a write, that touch the same element
 * in different iterations.
 *
 * Every subscript of both accesses must be a polynomial in variables that the loop does not change,
 * and both accesses must be executed in every iteration. Subscripts that differ by a constant meet
 * at one distance; for others, as in a[2 * i + 1] and a[i], a pair of iterations is looked for.
 * Different arrays are assumed not to overlap, except for pointers that the function sets to them.
 */
#include "array-access.h"
#include "checks.h"
#include "fixes.h"
#include "hand-over.h"
#include "iterations.h"
#include "subscript.h"

#include <stdlib.h>
#include <string.h>

/* A larger distance may be intended, such as that between the halves of a buffer. */
enum { MOST_DISTANCE = 8 };

/* The loops of a construct whose iterations are compared. */
struct dependence {
	struct lint_unit *unit;
	struct model_function *function;
	const struct tree_construct *construct;
	struct model_loop loops[MODEL_MOST_LOOPS];
	size_t loop_count;
	bool simd; /* lanes only: the distance counts, and which access comes first */
};

enum relation {
	RELATION_UNKNOWN, /* or nothing can be proved */
	RELATION_NONE,
	RELATION_DISTANCE, /* the element of another iteration */
	RELATION_ALL,      /* all iterations of one loop touch the element */
};

/* Does the construct use the variable, other than as one of its loops', in one of these ways? */
static bool is_used_inside(
    const struct dependence *dependence, const struct tree_variable *variable, unsigned kinds)
{
	for (size_t i = 0; i < dependence->loop_count; i++)
		if (dependence->loops[i].variable == variable)
			return false;
	for (size_t i = 0; i < dependence->function->count; i++) {
		const struct model_event *event = &dependence->function->events[i];
		if (event->variable == variable && !event->element && (event->kind & kinds) != 0 &&
		    event_is_in(event, dependence->construct->node))
			return true;
	}
	return false;
}

static bool is_inner_variable(
    const struct dependence *dependence, const struct tree_variable *variable)
{
	return is_used_inside(dependence, variable, EVENT_WRITE);
}

/* The innermost loop inside the construct and around the node that counts with the variable. */
static struct tree *loop_of(const struct dependence *dependence, const struct tree *node,
    const struct tree_variable *variable)
{
	for (struct tree *at = node->parent; at != NULL && at != dependence->construct->node;
	     at = at->parent)
		if (at->kind == TREE_FOR && model_read_loop(at).variable == variable)
			return at;
	return NULL;
}

struct mention {
	const struct dependence *dependence;
	bool found;
};

static bool visit_mention(struct tree *node, void *context)
{
	struct mention *mention = context;
	const struct dependence *dependence = mention->dependence;

	if (node->kind == TREE_NAME && node->variable != NULL) {
		for (size_t i = 0; i < dependence->loop_count; i++)
			mention->found |= dependence->loops[i].variable == node->variable;
		/* A function that gets its address may change it. */
		mention->found |=
		    is_used_inside(dependence, node->variable, EVENT_WRITE | EVENT_ADDRESS);
	}
	mention->found |= node->kind == TREE_CALL;
	return !mention->found;
}

/*
 * Does the inner loop run over the same range, of more than one iteration, in each outer iteration?
 */
static bool has_fixed_range(const struct dependence *dependence, struct tree *loop)
{
	struct model_loop head = model_read_loop(loop);
	struct mention mention = {dependence, false};
	long long trips = model_trip_count(&head);

	if (head.first == NULL || head.bound == NULL || head.step == 0 || (trips >= 0 && trips < 2))
		return false;
	model_visit(head.first, visit_mention, &mention);
	model_visit(head.bound, visit_mention, &mention);
	return !mention.found;
}

/*
 * The inner loop whose variable the subscript contains; NULL if there is none. Sets *fault if the
 * subscript cannot be understood.
 */
static struct tree *inner_loop_of(const struct dependence *dependence,
    const struct subscript *subscript, const struct tree *node, bool *fault)
{
	struct tree *found = NULL;

	for (size_t i = 0; i < subscript->count; i++)
		for (size_t j = 0; j < subscript->terms[i].factor_count; j++) {
			const struct tree_variable *variable =
			    subscript->terms[i].factors[j].variable;
			struct tree *loop;

			if (!is_inner_variable(dependence, variable))
				continue;
			loop = loop_of(dependence, node, variable);
			if (loop == NULL || (found != NULL && found != loop))
				*fault = true;
			found = loop;
		}
	return found;
}

struct solution {
	bool fixed[MODEL_MOST_LOOPS];
	long long distance[MODEL_MOST_LOOPS]; /* in steps, from the first access to the second */
};

/* Fixes the distance d between the iterations, for which d times the step equals the difference. */
static enum relation fix(const struct dependence *dependence, struct solution *solution,
    size_t loop, long long difference)
{
	const struct model_loop *head = &dependence->loops[loop];
	long long steps;

	if (difference != 0 && head->step == 0)
		return RELATION_UNKNOWN;
	if (difference != 0 && difference % head->step != 0)
		return RELATION_NONE;
	steps = difference == 0 ? 0 : difference / head->step;
	if (solution->fixed[loop] && solution->distance[loop] != steps)
		return RELATION_NONE;
	solution->fixed[loop] = true;
	solution->distance[loop] = steps;
	return RELATION_DISTANCE;
}

/*
 * For a subscript without inner variables: in which iterations do both accesses have the same
 * value?
 */
static enum relation solve_plain(const struct dependence *dependence, const struct subscript *first,
    const struct subscript *difference, struct solution *solution)
{
	long long value = 0, quotient;
	bool constant = subscript_is_constant(difference, &value);
	size_t mentioned = 0, solved = 0;

	for (size_t i = 0; i < dependence->loop_count; i++) {
		const struct tree_variable *variable = dependence->loops[i].variable;
		struct subscript coefficient = subscript_coefficient(first, variable);

		if (!subscript_mentions(first, variable))
			continue;
		mentioned++;
		if (!coefficient.known)
			return RELATION_UNKNOWN;
		if (!subscript_divide(difference, &coefficient, &quotient) ||
		    (quotient == 0 && difference->count > 0)) {
			long long factor;
			/* 2 * i and 2 * i + 1 never meet. */
			if (mentioned == 1 && constant && first->count <= 2 &&
			    subscript_is_constant(&coefficient, &factor) && factor != 0)
				return value % factor != 0 ? RELATION_NONE : RELATION_UNKNOWN;
			continue;
		}
		enum relation relation =
		    fix(dependence, solution, i, difference->count == 0 ? 0 : -quotient);
		if (relation != RELATION_DISTANCE)
			return relation;
		solved++;
	}
	if (mentioned == 0)
		return difference->count == 0 ? RELATION_DISTANCE
		       : constant             ? RELATION_NONE
					      : RELATION_UNKNOWN;
	/*
	 * If one subscript contains several variables, the one that was solved accounts for the
	 * whole difference; the others keep their values.
	 */
	if (difference->count > 0 && solved == 1 && mentioned > 1)
		for (size_t i = 0; i < dependence->loop_count; i++)
			if (subscript_mentions(first, dependence->loops[i].variable) &&
			    !solution->fixed[i])
				fix(dependence, solution, i, 0);
	return solved > 0 ? RELATION_DISTANCE : RELATION_UNKNOWN;
}

/* The coefficient as a number; 0 if it is not a constant. */
static long long plain_coefficient(
    const struct subscript *subscript, const struct tree_variable *variable)
{
	struct subscript coefficient = subscript_coefficient(subscript, variable);
	long long value;

	return subscript_is_constant(&coefficient, &value) ? value : 0;
}

/*
 * For a subscript with the variable of an inner loop, which takes the same values in each outer
 * iteration.
 */
static enum relation solve_inner(const struct dependence *dependence, const struct subscript *first,
    const struct subscript *difference, struct tree *loop, struct solution *solution)
{
	struct model_loop inner = model_read_loop(loop);
	long long value = 0, width = plain_coefficient(first, inner.variable);
	size_t mentioned = 0, which = 0;

	for (size_t i = 0; i < dependence->loop_count; i++)
		if (subscript_mentions(first, dependence->loops[i].variable)) {
			mentioned++;
			which = i;
		}
	if (mentioned == 0) {
		if (!has_fixed_range(dependence, loop) || width == 0 ||
		    !subscript_is_constant(difference, &value) ||
		    value % (width * inner.step) != 0 ||
		    llabs(value / (width * inner.step)) > MOST_DISTANCE)
			return RELATION_UNKNOWN;
		long long trips = model_trip_count(&inner);
		return trips >= 0 && llabs(value / (width * inner.step)) >= trips
			   ? RELATION_NONE
			   : RELATION_DISTANCE;
	}
	long long outer = plain_coefficient(first, dependence->loops[which].variable);
	/* In a[i + j], the next iterations of both loops touch the same element. */
	if (mentioned == 1 && outer != 0 && width != 0 && difference->count == 0 &&
	    dependence->loops[which].step != 0 && has_fixed_range(dependence, loop) &&
	    llabs(outer * dependence->loops[which].step) == llabs(width * inner.step))
		return fix(dependence, solution, which, dependence->loops[which].step);
	return solve_plain(dependence, first, difference, solution);
}

/*
 * Does the subscript contain a variable that is private to each thread, other than loop variables?
 */
static bool mentions_own(const struct dependence *dependence, const struct subscript *subscript)
{
	for (size_t i = 0; i < subscript->count; i++)
		for (size_t j = 0; j < subscript->terms[i].factor_count; j++) {
			const struct tree_variable *variable =
			    subscript->terms[i].factors[j].variable;
			struct model_sharing sharing =
			    model_sharing_of(dependence->construct, variable);
			bool of_loop = is_inner_variable(dependence, variable);

			for (size_t n = 0; n < dependence->loop_count; n++)
				of_loop |= dependence->loops[n].variable == variable;
			if (!of_loop && sharing.attribute != ATTRIBUTE_SHARED &&
			    sharing.rule != RULE_NONE)
				return true;
		}
	return false;
}

static enum relation solve_index(const struct dependence *dependence, const struct lint_access *one,
    const struct lint_access *other, size_t index, struct solution *solution)
{
	struct tree_unit *tree = &dependence->unit->tree;
	const struct subscript first = lint_read_index(tree, dependence->function, one, index),
			       second = lint_read_index(tree, dependence->function, other, index);
	struct subscript difference;
	struct tree *loops[2];
	bool fault = false;

	if (!first.known || !second.known)
		return RELATION_UNKNOWN;
	difference = subscript_subtract(&second, &first);
	if (!difference.known)
		return RELATION_UNKNOWN;
	for (size_t i = 0; i < dependence->loop_count; i++)
		if (subscript_mentions(&difference, dependence->loops[i].variable))
			return RELATION_UNKNOWN;
	if (mentions_own(dependence, &first) || mentions_own(dependence, &second))
		return RELATION_UNKNOWN;
	loops[0] = inner_loop_of(dependence, &first, one->event->name, &fault);
	loops[1] = inner_loop_of(dependence, &second, other->event->name, &fault);
	if (fault || loops[0] != loops[1])
		return RELATION_UNKNOWN;
	if (loops[0] == NULL)
		return solve_plain(dependence, &first, &difference, solution);
	if (subscript_mentions(&difference, model_read_loop(loops[0]).variable))
		return RELATION_UNKNOWN;
	return solve_inner(dependence, &first, &difference, loops[0], solution);
}

/* Do iterations at that distance exist, and is the distance too small to be intended? */
static bool can_be_reached(const struct model_loop *loop, long long distance)
{
	long long trips = model_trip_count(loop);

	return trips >= 0 ? llabs(distance) < trips : llabs(distance) <= MOST_DISTANCE;
}

/* *distance becomes that of the outermost loop whose iterations differ. */
static enum relation relate(const struct dependence *dependence, const struct lint_access *one,
    const struct lint_access *other, long long *distance)
{
	struct solution solution = {{false}, {0}};
	bool all = false;

	if (one->count != other->count ||
	    !lint_same_members(one->event->object, other->event->object))
		return RELATION_UNKNOWN;
	for (size_t i = 0; i < one->count; i++) {
		enum relation relation = solve_index(dependence, one, other, i, &solution);
		if (relation != RELATION_DISTANCE)
			return relation;
	}
	*distance = 0;
	for (size_t i = 0; i < dependence->loop_count; i++) {
		long long trips = model_trip_count(&dependence->loops[i]);
		if (!solution.fixed[i])
			all |= trips < 0 || trips > 1;
		else if (solution.distance[i] != 0) {
			if (!can_be_reached(&dependence->loops[i], solution.distance[i]))
				return RELATION_NONE;
			if (*distance == 0)
				*distance = solution.distance[i];
		}
	}
	if (*distance != 0)
		return RELATION_DISTANCE;
	return all ? RELATION_ALL : RELATION_NONE;
}

/* Does the region around the loop change the pointer itself? */
static bool is_moved(const struct dependence *dependence, const struct tree_variable *variable)
{
	const struct tree_construct *region =
	    lint_around(dependence->construct, CONSTRUCT_BIT(PARALLEL));

	for (size_t i = 0; i < dependence->function->count && region != NULL; i++) {
		const struct model_event *event = &dependence->function->events[i];
		if (event->variable == variable && !event->element &&
		    variable->shape == SHAPE_POINTER &&
		    (event->kind & (EVENT_WRITE | EVENT_ADDRESS)) != 0 &&
		    event_is_in(event, region->node))
			return true;
	}
	return false;
}

/* Is it the same memory for all iterations? `at`: the construct around the access. */
static bool is_shared_array(const struct dependence *dependence, const struct tree_construct *at,
    const struct tree_variable *variable)
{
	struct model_sharing sharing = model_sharing_of(at, variable);

	if (variable->atomic || variable->reference ||
	    lint_is_captured(dependence->function, variable) ||
	    (variable->shape != SHAPE_ARRAY && variable->shape != SHAPE_POINTER) ||
	    is_inner_variable(dependence, variable) || is_moved(dependence, variable) ||
	    (variable->offset >= dependence->construct->node->begin &&
		variable->offset < dependence->construct->node->end))
		return false;
	if (dependence->simd)
		return sharing.attribute == ATTRIBUTE_SHARED || sharing.rule == RULE_NONE ||
		       sharing.rule == RULE_INSIDE;
	return sharing.attribute == ATTRIBUTE_SHARED ||
	       (sharing.rule == RULE_NONE && variable->shape == SHAPE_POINTER &&
		   sharing.attribute == ATTRIBUTE_PRIVATE) ||
	       (sharing.attribute == ATTRIBUTE_FIRSTPRIVATE && variable->shape == SHAPE_POINTER);
}

/*
 * Reads an access of memory that is the same for all iterations. A pointer that the function sets
 * once, to an array, stands for that array.
 */
static bool read_access(const struct dependence *dependence, const struct model_event *event,
    struct lint_access *access)
{
	const struct model_sharing sharing = model_sharing_of(event->construct, event->variable);

	if (!lint_read_access(event, access))
		return false;
	if (sharing.attribute != ATTRIBUTE_PRIVATE || sharing.rule != RULE_CLAUSE)
		lint_find_array(dependence->function, dependence->construct, access);
	return is_shared_array(dependence, event->construct, access->array);
}

/* Is the access executed in each iteration, by whichever thread, and without protection? */
static bool is_certain(const struct dependence *dependence, const struct model_event *event)
{
	const struct tree_construct *construct = dependence->construct;
	const struct tree_construct *region = lint_around(construct, CONSTRUCT_BIT(PARALLEL));

	return !model_has_between(event->construct, construct,
		   MODEL_EXCLUSIVE | LINT_TASKS | CONSTRUCT_BIT(PARALLEL)) &&
	       !model_is_selected(dependence->function, event->name, construct) &&
	       (region == NULL || !model_is_selected(dependence->function, event->name, region)) &&
	       !model_is_locked(event->name, region != NULL ? region : construct);
}

/*
 * The distance of which those of all pairs of the array's accesses are multiples. Iterations so far
 * apart have to keep their order; 1 keeps that of all.
 */
static long long common_distance(
    const struct dependence *dependence, const struct model_event *write)
{
	const struct model_function *function = dependence->function;
	long long common = 0, distance;

	for (size_t n = 0; n < function->count * function->count && common != 1; n++) {
		const struct model_event *events[] = {
		    &function->events[n / function->count], &function->events[n % function->count]};
		struct lint_access one, other;

		if (events[0]->variable != write->variable ||
		    (events[0]->kind & EVENT_WRITE) == 0 ||
		    events[1]->variable != write->variable || !events[0]->element ||
		    !events[1]->element || !event_is_in(events[0], dependence->construct->node) ||
		    !event_is_in(events[1], dependence->construct->node))
			continue;
		if (model_trip_count(&dependence->loops[0]) < 0 ||
		    !read_access(dependence, events[0], &one) ||
		    !read_access(dependence, events[1], &other))
			return 1;
		const enum relation relation = relate(dependence, &one, &other, &distance);
		if (relation != RELATION_NONE && relation != RELATION_DISTANCE)
			return 1;
		for (distance = relation == RELATION_NONE ? 0 : llabs(distance); distance != 0;) {
			const long long rest = common % distance;
			common = distance;
			distance = rest;
		}
	}
	return common > 0 ? common : 1;
}

/* The one right change of a shared loop's iterations, if the text decides. */
static void fix_iterations(const struct dependence *dependence, struct lint_fixes *fixes,
    const struct model_event *write, enum relation relation)
{
	lint_fix_updates(
	    dependence->unit, fixes, dependence->function, dependence->construct, write);
	if (!fixes->refused || relation != RELATION_DISTANCE)
		return;
	*fixes = (struct lint_fixes){.all = NULL};
	lint_fix_by_order(dependence->unit, fixes, dependence->function, dependence->construct,
	    write, common_distance(dependence, write));
}

static void report(struct dependence *dependence, const struct model_event *write,
    const struct model_event *other, enum relation relation, long long distance)
{
	struct lint_unit *unit = dependence->unit;
	const char *text = model_text(&unit->tree, write->object);
	const char *also = model_text(&unit->tree, other->object);
	struct lint_remedy remedy = {.directive = dependence->construct};

	if (write->variable != other->variable)
		lint_fix_refuse(&remedy.fixes);
	else if (!dependence->simd)
		fix_iterations(dependence, &remedy.fixes, write, relation);
	else if (relation == RELATION_DISTANCE && distance > 0 && dependence->loop_count == 1 &&
		 find_clause(&dependence->construct->clauses, "safelen") == NULL &&
		 find_clause(&dependence->construct->clauses, "simdlen") == NULL)
		lint_fix_add(unit, &remedy.fixes, dependence->construct,
		    lint_text(unit, "safelen(%lld)", distance));
	if (relation == RELATION_ALL) {
		remedy.text = lint_text(unit,
		    "protect the update by atomic, combine values by a reduction clause, or give "
		    "each thread an element of its own");
		lint_report(unit, LINT_SAME_ELEMENT, write->object,
		    lint_text(unit,
			"%s is the same element in all iterations of the loop, and each "
			"writes it",
			text),
		    remedy);
		return;
	}
	remedy.text =
	    dependence->simd
		? lint_text(
		      unit, "safelen(%lld) allows what depends on that distance", llabs(distance))
		: "the iterations depend on each other: write to another array, or keep their "
		  "order by ordered, which makes them wait for each other";
	lint_report(unit, dependence->simd ? LINT_SIMD_DEPENDENCE : LINT_LOOP_DEPENDENCE,
	    write->object,
	    llabs(distance) == 1
		? lint_text(unit, "%s of one iteration is %s of the %s", text, also,
		      distance > 0 ? "next one" : "one before")
		: lint_text(unit, "%s of one iteration is %s of the one %lld %s", text, also,
		      llabs(distance), distance > 0 ? "further on" : "before"),
	    remedy);
}

/*
 * Is the access executed in each iteration whatever the data are? An inner loop has to run over the
 * same range each time.
 */
static bool is_always_executed(const struct dependence *dependence, const struct tree *node)
{
	struct tree *body = dependence->loops[dependence->loop_count - 1].node->children[3];
	const struct tree *at = node;

	if (!tree_holds(body, node) || lint_has_jump(body) ||
	    lint_uses_flags(dependence->unit, body))
		return false;
	for (; at != body; at = at->parent)
		if (!(at->parent->kind == TREE_FOR && at == at->parent->children[3] &&
			has_fixed_range(dependence, at->parent)) &&
		    model_is_conditional(at, at->parent))
			return false;
	return true;
}

/* "the iteration i = 3": one of an associated loop. */
static const char *iteration_text(
    const struct dependence *dependence, const struct lint_iterations *iterations, size_t side)
{
	struct lint_unit *unit = dependence->unit;
	const struct model_loop *loop = &dependence->loops[iterations->loop];
	const long long change = iterations->numbers[side] * loop->step;
	long long first;

	if (iterations->last[side])
		return "the last iteration";
	if (model_constant(loop->first, &first))
		return lint_text(
		    unit, "the iteration %s = %lld", loop->variable->name, first + change);
	if (change == 0 || loop->step == 0)
		return iterations->numbers[side] == 0 ? "the first iteration" : "a later iteration";
	return lint_text(unit, "the iteration %s = %s %c %lld", loop->variable->name,
	    model_text(&unit->tree, loop->first), change > 0 ? '+' : '-', llabs(change));
}

/* Reports a pair of iterations, among others, that touch one element; true if there is one. */
static bool check_pair(
    struct dependence *dependence, const struct lint_access *write, const struct lint_access *other)
{
	struct lint_unit *unit = dependence->unit;
	const long long safe = lint_safe_length(dependence->construct),
			most = safe > 0 ? safe - 1 : MOST_DISTANCE;
	struct lint_remedy remedy = {.directive = dependence->construct};
	struct lint_iterations at;

	if (!is_always_executed(dependence, write->event->name) ||
	    !is_always_executed(dependence, other->event->name) ||
	    !lint_meets_in_other_iteration(unit, dependence->function, write, other,
		dependence->construct,
		dependence->simd ? LINT_LATER_ITERATION : LINT_OTHER_ITERATION, &at))
		return false;
	if (dependence->simd &&
	    (dependence->loop_count != 1 || at.numbers[1] - at.numbers[0] > most ||
		(other->event->kind & EVENT_WRITE) != 0))
		return false;
	remedy.text = "the iterations cannot be shared out like this: write to another array, or "
		      "keep what the others need in a variable before the loop";
	lint_report(unit, dependence->simd ? LINT_SIMD_DEPENDENCE : LINT_LOOP_DEPENDENCE,
	    write->event->object,
	    lint_text(unit, "%s of %s is %s of %s", model_text(&unit->tree, write->event->object),
		iteration_text(dependence, &at, 0), model_text(&unit->tree, other->event->object),
		iteration_text(dependence, &at, 1)),
	    remedy);
	return true;
}

/* Compares one write with all accesses of its array. Reports at most one finding. */
static void check_write(struct dependence *dependence, const struct lint_access *write)
{
	const struct model_function *function = dependence->function;
	long long distance = 0, safe = lint_safe_length(dependence->construct);

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct lint_access other;
		enum relation relation;

		if (!event->element || !event_is_in(event, dependence->construct->node) ||
		    (event->kind & (EVENT_READ | EVENT_WRITE)) == 0 ||
		    !read_access(dependence, event, &other) || other.array != write->array ||
		    !is_certain(dependence, event))
			continue;
		relation = relate(dependence, write, &other, &distance);
		if (relation == RELATION_UNKNOWN && event != write->event &&
		    check_pair(dependence, write, &other))
			return;
		if (relation == RELATION_ALL &&
		    ((!dependence->simd &&
			 lint_around(dependence->construct, CONSTRUCT_BIT(PARALLEL)) == NULL) ||
			event != write->event)) /* reported once, for the write itself */
			continue;
		/* In simd lanes, an element is still read before a later iteration writes it. */
		if (dependence->simd && relation == RELATION_DISTANCE &&
		    (distance < 0 || (safe > 0 && distance >= safe) || event == write->event))
			continue;
		if (relation == RELATION_DISTANCE || relation == RELATION_ALL) {
			report(dependence, write->event, event, relation, distance);
			return;
		}
	}
}

/*
 * Do at least two of any three consecutive iterations have the same value of `index`, of the form n
 * * i / m?
 */
static bool is_shared_quotient(const struct dependence *dependence, struct tree *index)
{
	const struct model_loop *loop = &dependence->loops[0];
	const struct subscript dividend =
	    index != NULL && index->kind == TREE_BINARY && strcmp(index->name, "/") == 0
		? subscript_read(&dependence->unit->tree, dependence->function, index->children[0])
		: (struct subscript){.known = false};
	long long divisor, width, trips = model_trip_count(loop);

	if (!dividend.known || !model_constant(index->children[1], &divisor) ||
	    mentions_own(dependence, &dividend) || (trips >= 0 && trips < 3))
		return false;
	for (size_t i = 0; i < dividend.count; i++)
		for (size_t j = 0; j < dividend.terms[i].factor_count; j++) {
			const struct tree_variable *variable =
			    dividend.terms[i].factors[j].variable;
			if (variable != loop->variable &&
			    (!variable->integer || is_inner_variable(dependence, variable)))
				return false;
		}
	width = llabs(plain_coefficient(&dividend, loop->variable) * loop->step);
	return width > 0 && llabs(divisor) >= 2 * width;
}

/* Reports accesses like pairs[i / 2] if neighbouring iterations may be executed concurrently. */
static void check_quotient(struct dependence *dependence, const struct lint_access *write)
{
	struct lint_unit *unit = dependence->unit;
	struct lint_remedy remedy = {.directive = dependence->construct};

	if (dependence->loop_count != 1 || write->count != 1 ||
	    !lint_iterations_are_concurrent(dependence->construct) ||
	    !is_shared_quotient(dependence, write->indices[0]))
		return;
	remedy.text = "this lets iterations of one chunk be executed at once: let each iteration "
		      "write elements of its own";
	lint_report(unit, dependence->simd ? LINT_SIMD_DEPENDENCE : LINT_LOOP_DEPENDENCE,
	    write->event->object,
	    lint_text(unit, "%s of one iteration is that of the next one, too",
		model_text(&unit->tree, write->event->object)),
	    remedy);
}

static void check_construct(
    struct lint_unit *unit, struct model_function *function, struct tree_construct *construct)
{
	struct dependence dependence = {.unit = unit, .function = function, .construct = construct};

	dependence.loop_count = model_associated_loops(construct, dependence.loops);
	dependence.simd = !construct_has(construct, LINT_SHARED_LOOPS);
	if (dependence.loop_count == 0 || lint_iterations_have_order(construct))
		return;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct lint_access write;

		if ((event->kind & EVENT_WRITE) == 0 || !event->element ||
		    !event_is_in(event, construct->node) ||
		    !read_access(&dependence, event, &write) || !is_certain(&dependence, event))
			continue;
		check_write(&dependence, &write);
		check_quotient(&dependence, &write);
	}
}

void lint_check_dependence(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < unit->tree.construct_count; i++) {
		struct tree_construct *construct = unit->tree.constructs[i];

		if (tree_holds(function->function->body, construct->node) &&
		    construct_has(construct, MODEL_LOOP_CONSTRUCTS))
			check_construct(unit, function, construct);
	}
}

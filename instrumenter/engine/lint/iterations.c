/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each subscript is written as base + slope * k, where k counts from 0 the iterations of the
 * worksharing loop or of a loop inside it. It then does not matter where a loop begins, how large
 * its steps are and in which direction it runs. Iteration k of two loops is executed by the same
 * thread if both have the same number of iterations and the same static schedule (OpenMP 5.2,
 * 11.5.3).
 */
#include "iterations.h"

#include "schedule-clause.h"

#include <stdlib.h>
#include <string.h>

/*
 * The assumed length of a loop of unknown length, and the number of iterations tried at each end.
 */
enum { FEW = 9 };

/* The same for pairs of iterations of one loop, and the number tried if the length is known. */
enum { ASSURED = 4, TRIED = 1000 };

enum { LOOP_NONE = -1 };

/* A loop, described by the numbers of its iterations. */
struct count {
	struct subscript first, step; /* of the variable */
	struct subscript length;      /* unknown if it is not a polynomial */
	long long trips;              /* -1: not a constant */
};

/* One side: the access and its worksharing loops. */
struct side {
	const struct lint_place_of_access *place;
	struct lint_access access;
	struct model_loop loops[MODEL_MOST_LOOPS];
	size_t loop_count;
	bool used[MODEL_MOST_LOOPS]; /* a subscript depends on this loop */
};

/* One subscript of a side: base + slope * k + inner slope * (the inner loop's k). */
struct line {
	struct subscript base, slope, inner_slope;
	int loop; /* the loop of the side that counts k, or LOOP_NONE: slope is 0 */
	bool inner;
	struct count count, inner_count;
};

struct meeting {
	struct lint_unit *unit;
	const struct model_function *function;
	const struct tree_construct *region;
	struct side sides[2];
	bool elsewhere; /* the accesses meet in iterations of different numbers */
	bool inner;     /* a subscript depends on a loop inside the worksharing ones */
};

/* Is the declaration in a loop, where the variable may get a value in each iteration? */
static bool is_in_loop(const struct tree *node)
{
	for (; node != NULL; node = node->parent)
		if (node->kind == TREE_FOR || node->kind == TREE_WHILE || node->kind == TREE_DO ||
		    node->kind == TREE_RANGE)
			return true;
	return false;
}

/* Does the variable have one value for all threads, from the beginning to the end of the region? */
static bool is_steady(const struct meeting *meeting, const struct tree_variable *variable)
{
	const struct model_sharing sharing = model_sharing_of(meeting->region, variable);

	if ((sharing.attribute != ATTRIBUTE_SHARED && sharing.attribute != ATTRIBUTE_FIRSTPRIVATE &&
		sharing.rule != RULE_NONE) ||
	    variable->atomic || variable->changing || variable->per_thread)
		return false;
	for (size_t i = 0; i < meeting->function->count; i++) {
		const struct model_event *event = &meeting->function->events[i];

		if (event->variable == variable && event->kind != EVENT_READ &&
		    (meeting->region != NULL
			    ? event_is_in(event, meeting->region->node)
			    : (event->kind & EVENT_DECLARE) == 0 || is_in_loop(event->name)))
			return false;
	}
	return true;
}

static struct subscript number(long long value)
{
	struct subscript one = {.known = true, .count = 1};

	one.terms[0].coefficient = 1;
	return subscript_add_scaled(&(struct subscript){.known = true}, &one, value);
}

static struct count count_of(const struct meeting *meeting, const struct model_loop *loop)
{
	struct tree_unit *tree = &meeting->unit->tree;
	struct count count = {.trips = model_trip_count(loop)};
	struct subscript bound;

	count.step = number(loop->step);
	if (loop->first == NULL || loop->step == 0 || loop->relation == NULL)
		return count;
	count.first = subscript_read(tree, meeting->function, loop->first);
	bound = subscript_read(tree, meeting->function, loop->bound);
	if (count.trips >= 0) {
		count.length = number(count.trips);
	} else if (llabs(loop->step) == 1) {
		const struct subscript last = number(
		    strchr("<>", loop->relation[0]) != NULL && loop->relation[1] == '=' ? 1 : 0);

		count.length = loop->step > 0 ? subscript_subtract(&bound, &count.first)
					      : subscript_subtract(&count.first, &bound);
		count.length = subscript_add_scaled(&count.length, &last, 1);
		if (subscript_is_constant(&count.length, &count.trips) && count.trips < 0)
			count.trips = 0;
	}
	return count;
}

/* The loop inside the side's construct that counts with the variable; NULL if there is none. */
static struct tree *inner_loop(const struct side *side, const struct tree_variable *variable)
{
	const struct tree_construct *construct = side->place->construct;
	const struct tree *outer = construct != NULL ? construct->node : NULL;

	for (size_t i = 0; i < side->loop_count; i++)
		outer = side->loops[i].node;
	for (struct tree *at = side->place->event->name->parent; at != NULL && at != outer;
	     at = at->parent)
		if (at->kind == TREE_FOR && model_read_loop(at).variable == variable)
			return at;
	return NULL;
}

/* Replaces the variable by first + step * k. False if that is not possible. */
static bool count_out(struct subscript *base, struct subscript *slope,
    const struct tree_variable *variable, const struct count *count)
{
	*slope = subscript_coefficient(base, variable);
	*slope = subscript_multiply(slope, &count->step);
	*base = subscript_replace(base, variable, &count->first);
	return slope->known && slope->count > 0 && base->known;
}

/* Finds the inner loop on which the subscript depends; false if it depends on several. */
static bool find_inner(
    const struct side *side, const struct subscript *subscript, struct tree **found)
{
	*found = NULL;
	for (size_t i = 0; i < subscript->count; i++)
		for (size_t j = 0; j < subscript->terms[i].factor_count; j++) {
			struct tree *loop =
			    inner_loop(side, subscript->terms[i].factors[j].variable);

			if (loop != NULL && *found != NULL && loop != *found)
				return false;
			if (loop != NULL)
				*found = loop;
		}
	return true;
}

static bool all_steady(const struct meeting *meeting, const struct subscript *subscript)
{
	for (size_t i = 0; i < subscript->count; i++)
		for (size_t j = 0; j < subscript->terms[i].factor_count; j++)
			if (!is_steady(meeting, subscript->terms[i].factors[j].variable))
				return false;
	return true;
}

static bool read_line(
    const struct meeting *meeting, struct side *side, size_t dimension, struct line *line)
{
	struct tree *inner;

	*line = (struct line){.loop = LOOP_NONE,
	    .base =
		lint_read_index(&meeting->unit->tree, meeting->function, &side->access, dimension),
	    .slope = {.known = true},
	    .inner_slope = {.known = true}};
	if (!line->base.known || !find_inner(side, &line->base, &inner))
		return false;
	if (inner != NULL) {
		const struct model_loop loop = model_read_loop(inner);

		line->inner = true;
		line->inner_count = count_of(meeting, &loop);
		if (!count_out(&line->base, &line->inner_slope, loop.variable, &line->inner_count))
			return false;
	}
	for (size_t i = 0; i < side->loop_count; i++) {
		if (!subscript_mentions(&line->base, side->loops[i].variable))
			continue;
		if (line->loop != LOOP_NONE || side->used[i])
			return false;
		line->loop = (int)i;
		line->count = count_of(meeting, &side->loops[i]);
		side->used[i] = true;
		if (!count_out(&line->base, &line->slope, side->loops[i].variable, &line->count))
			return false;
	}
	return all_steady(meeting, &line->base) && all_steady(meeting, &line->slope) &&
	       all_steady(meeting, &line->inner_slope);
}

/* One loop's side of the equation slope * k = slope * k + difference. */
struct run {
	long long slope, trips;
};

/*
 * Does the other side have a k that meets iteration k of this one? `elsewhere`: its number must
 * differ.
 */
static bool meets_at(const struct run *one, long long k, const struct run *other,
    long long difference, bool elsewhere)
{
	const long long trips = other->trips < 0 ? FEW : other->trips;
	const long long value = one->slope * k + difference;

	if (other->slope == 0)
		return value == 0 && trips > 0;
	return value % other->slope == 0 && value / other->slope >= 0 &&
	       value / other->slope < trips && (!elsewhere || value / other->slope != k);
}

/* Tries iterations at both ends of one loop. */
static bool meets_from(
    const struct run *one, const struct run *other, long long difference, bool elsewhere)
{
	const long long trips = one->trips < 0 ? FEW : one->trips;

	for (long long k = 0; k < FEW && k < trips; k++)
		if (meets_at(one, k, other, difference, elsewhere) ||
		    meets_at(one, trips - 1 - k, other, difference, elsewhere))
			return true;
	return false;
}

static bool meets(
    const struct run *one, const struct run *other, long long difference, bool elsewhere)
{
	/*
	 * If the loops run in opposite directions, they meet in the middle, which is known only if
	 * both lengths are.
	 */
	if ((one->trips < 0 || other->trips < 0) && one->slope * other->slope < 0)
		return false;
	return meets_from(one, other, difference, elsewhere) ||
	       meets_from(other, one, -difference, elsewhere);
}

static bool equal(const struct subscript *one, const struct subscript *other)
{
	const struct subscript difference = subscript_subtract(one, other);
	long long value;

	return subscript_is_constant(&difference, &value) && value == 0;
}

/* Describes the same elements with the iterations counted backwards from the last one. */
static bool turn_round(struct subscript *base, struct subscript *slope, const struct count *count)
{
	const struct subscript one = number(1);
	struct subscript last = subscript_subtract(&count->length, &one);

	last = subscript_multiply(slope, &last);
	*base = subscript_add_scaled(base, &last, 1);
	*slope = subscript_add_scaled(&(struct subscript){.known = true}, slope, -1);
	return base->known;
}

/* The loop on which a subscript depends: the worksharing loop, or the one inside it. */
static void loop_of(struct line *line, struct subscript **slope, struct count **count)
{
	const bool inner = line->loop == LOOP_NONE && line->inner;

	*slope = inner ? &line->inner_slope : &line->slope;
	*count = inner ? &line->inner_count : &line->count;
}

/*
 * Do two subscripts meet that each depend on at most one loop? `turned`: the iterations of one are
 * counted backwards.
 */
static bool lines_meet(struct meeting *meeting, struct line *one, struct line *other, bool turned)
{
	struct subscript difference = subscript_subtract(&one->base, &other->base);
	struct subscript *slopes[2];
	struct count *counts[2];
	struct run runs[2];
	long long distance;

	loop_of(one, &slopes[0], &counts[0]);
	loop_of(other, &slopes[1], &counts[1]);
	for (size_t i = 0; i < 2; i++)
		runs[i].trips = slopes[i]->count > 0 ? counts[i]->trips : 1;
	if (slopes[0]->count > 0 && equal(slopes[0], slopes[1])) {
		if (!subscript_divide(&difference, slopes[0], &distance))
			return false;
		runs[0].slope = runs[1].slope = 1;
	} else if (!subscript_is_constant(&difference, &distance) ||
		   !subscript_is_constant(slopes[0], &runs[0].slope) ||
		   !subscript_is_constant(slopes[1], &runs[1].slope)) {
		return false;
	}
	if (!meets(&runs[0], &runs[1], distance, false))
		return false;
	if (one->loop != other->loop)
		meeting->elsewhere = true;
	else if (one->loop != LOOP_NONE)
		meeting->elsewhere |= turned || meets(&runs[0], &runs[1], distance, true);
	return true;
}

/* a[i * n + j]: both sides run over the same values of j, and i alone may differ. */
static bool rows_meet(struct meeting *meeting, struct line *one, struct line *other)
{
	long long distance;
	struct line rows[2] = {*one, *other};
	const struct subscript difference = subscript_subtract(&one->base, &other->base);

	if (one->loop == LOOP_NONE || other->loop == LOOP_NONE || !one->inner || !other->inner ||
	    !equal(&one->inner_slope, &other->inner_slope) || !equal(&one->slope, &other->slope) ||
	    !subscript_divide(&difference, &one->slope, &distance))
		return false;
	return lines_meet(meeting, &rows[0], &rows[1], false);
}

/* Is it certain that the subscripts of one dimension are equal in some iterations? */
static bool dimension_meets(struct meeting *meeting, size_t dimension)
{
	struct line lines[2], turned;

	for (size_t i = 0; i < 2; i++)
		if (!read_line(meeting, &meeting->sides[i], dimension, &lines[i]))
			return false;
	for (size_t i = 0; i < 2; i++)
		if (lines[i].loop != LOOP_NONE && lines[i].inner)
			return rows_meet(meeting, &lines[0], &lines[1]);
	if (lines_meet(meeting, &lines[0], &lines[1], false))
		return true;
	for (size_t i = 0; i < 2; i++) {
		struct subscript *slope;
		struct count *count;

		turned = lines[i];
		loop_of(&turned, &slope, &count);
		/* With constant trip counts, counting backwards finds nothing new. */
		if (slope->count == 0 || count->trips >= 0 ||
		    !turn_round(&turned.base, slope, count))
			continue;
		if (lines_meet(meeting, &turned, &lines[1 - i], true))
			return true;
	}
	return false;
}

/*
 * Given two loops with equally many iterations: may iteration k of one be executed by another
 * thread than iteration k of the other (OpenMP 5.2, 11.5.3)? A loop without the clause is assumed
 * to be static, as in gcc and clang.
 */
static bool schedule_differs(const struct tree_construct *one, const struct tree_construct *other)
{
	const struct schedule_clause first = schedule_clause_read(&one->clauses),
				     second = schedule_clause_read(&other->clauses);

	if (!schedule_word_is(&first.kind, "static") || !schedule_word_is(&second.kind, "static"))
		return true;
	if (first.chunk.length == second.chunk.length &&
	    strncmp(first.chunk.text, second.chunk.text, first.chunk.length) == 0)
		return false;
	/* Chunk expressions that are not numbers may have the same value. */
	return schedule_word_is_number(&first.chunk) && schedule_word_is_number(&second.chunk);
}

/* Are iterations of the same number executed by the same thread, as far as is known? */
static bool same_threads(const struct meeting *meeting)
{
	const struct side *one = &meeting->sides[0], *other = &meeting->sides[1];

	if (one->loop_count != other->loop_count ||
	    schedule_differs(one->place->construct, other->place->construct))
		return false;
	for (size_t i = 0; i < one->loop_count; i++) {
		const struct count counts[2] = {
		    count_of(meeting, &one->loops[i]), count_of(meeting, &other->loops[i])};
		const struct subscript difference =
		    subscript_subtract(&counts[0].length, &counts[1].length);
		long long value;

		if (subscript_is_constant(&difference, &value) && value != 0)
			return false;
	}
	return true;
}

/*
 * Is there a loop of several iterations on which no subscript depends? Then each iteration touches
 * the element.
 */
static bool repeats(const struct meeting *meeting, const struct side *side)
{
	for (size_t i = 0; i < side->loop_count; i++) {
		const struct count count = count_of(meeting, &side->loops[i]);

		if (!side->used[i] && count.trips != 0 && count.trips != 1)
			return true;
	}
	return false;
}

/*
 * Is thread 0 compared with itself, or with a worksharing loop, whose first iterations it executes?
 */
static bool is_first_thread(const struct meeting *meeting)
{
	const enum lint_executor one = meeting->sides[0].place->executor,
				 other = meeting->sides[1].place->executor;

	return (one == LINT_THREAD_0 && (other == LINT_THREAD_0 || other == LINT_SHARED_OUT)) ||
	       (one == LINT_SHARED_OUT && other == LINT_THREAD_0);
}

/*
 * Does thread 0 touch the element of the worksharing loop's last iteration, which another thread
 * executes?
 */
static bool reaches_last(struct meeting *meeting)
{
	const size_t loop = meeting->sides[0].place->executor == LINT_SHARED_OUT ? 0 : 1;
	struct side *sides = meeting->sides;
	bool reached = false;

	for (size_t i = 0; i < sides[loop].access.count && sides[loop].loop_count == 1; i++) {
		struct line shared_out, alone;
		struct subscript *slope;
		struct count *count;

		if (!read_line(meeting, &sides[loop], i, &shared_out) ||
		    !read_line(meeting, &sides[1 - loop], i, &alone) || shared_out.inner ||
		    shared_out.loop == LOOP_NONE || shared_out.count.trips == 0 ||
		    shared_out.count.trips == 1 ||
		    !turn_round(&shared_out.base, &shared_out.slope, &shared_out.count))
			continue;
		reached |= equal(&shared_out.base, &alone.base);
		loop_of(&alone, &slope, &count);
		reached |= slope->count > 0 && turn_round(&alone.base, slope, count) &&
			   equal(&shared_out.base, &alone.base);
	}
	for (size_t i = 0; i < 2; i++)
		memset(sides[i].used, 0, sizeof sides[i].used);
	return reached;
}

bool lint_meets_on_other_thread(struct lint_unit *unit, const struct model_function *function,
    const struct lint_place_of_access *one, const struct lint_place_of_access *other)
{
	struct meeting meeting = {.unit = unit,
	    .function = function,
	    .region = lint_around(one->construct, CONSTRUCT_BIT(PARALLEL)),
	    .sides = {{.place = one}, {.place = other}}};
	bool shared_out = true;

	for (size_t i = 0; i < 2; i++) {
		struct side *side = &meeting.sides[i];
		const bool loop = side->place->executor == LINT_SHARED_OUT;

		shared_out &= loop;
		if (!lint_read_access(side->place->event, &side->access))
			return false;
		if (loop)
			side->loop_count =
			    model_associated_loops(side->place->construct, side->loops);
		if (loop && side->loop_count == 0)
			return false;
	}
	if (meeting.sides[0].access.count != meeting.sides[1].access.count ||
	    !lint_same_members(one->event->object, other->event->object) ||
	    (is_first_thread(&meeting) && !reaches_last(&meeting)))
		return false;
	for (size_t i = 0; i < meeting.sides[0].access.count; i++)
		if (!dimension_meets(&meeting, i))
			return false;
	return !shared_out || meeting.elsewhere || !same_threads(&meeting) ||
	       repeats(&meeting, &meeting.sides[0]) || repeats(&meeting, &meeting.sides[1]);
}

/* The iterations of one associated loop in which the two accesses meet. */
struct place_in_loop {
	bool fixed[2]; /* else any iteration */
	struct lint_iterations at;
};

static bool is_apart(enum lint_apart apart, long long number, long long other)
{
	return apart == LINT_LATER_ITERATION ? number < other : number != other;
}

/*
 * Finds numbers with slope * k = slope * k + difference; of iterations that are apart, if `apart`
 * is not NULL.
 */
static bool find_numbers(
    const struct run *runs, long long difference, const enum lint_apart *apart, long long *numbers)
{
	const long long lengths[2] = {runs[0].trips < 0 ? ASSURED : runs[0].trips,
	    runs[1].trips < 0 ? ASSURED : runs[1].trips};

	for (long long k = 0; k < lengths[0] && k < TRIED; k++) {
		const long long value = runs[0].slope * k - difference;
		const long long other = runs[1].slope != 0 ? value / runs[1].slope : 0;

		if (runs[1].slope * other != value || other < 0 || other >= lengths[1] ||
		    (apart != NULL && !is_apart(*apart, k, other)))
			continue;
		numbers[0] = k;
		numbers[1] = other;
		return true;
	}
	return false;
}

/* The same for two subscripts. */
static bool find_meeting(struct line *lines, const enum lint_apart *apart, long long *numbers)
{
	const struct subscript difference = subscript_subtract(&lines[1].base, &lines[0].base);
	struct subscript *slopes[2];
	struct count *counts[2];
	struct run runs[2] = {{0, 1}, {0, 1}};
	bool constant = true;
	long long distance;

	if (!subscript_is_constant(&difference, &distance))
		return false;
	for (size_t i = 0; i < 2; i++) {
		loop_of(&lines[i], &slopes[i], &counts[i]);
		constant &= subscript_is_constant(slopes[i], &runs[i].slope);
		if (slopes[i]->count > 0)
			runs[i].trips = counts[i]->trips;
	}
	if (constant)
		return find_numbers(runs, distance, apart, numbers);
	/* Whatever the slopes are, the first iterations meet if the bases are equal. */
	numbers[0] = numbers[1] = 0;
	return apart == NULL && distance == 0 && runs[0].trips != 0 && runs[1].trips != 0;
}

/* The last iteration of one side meets the first iteration, or the only element, of the other. */
static bool find_last(struct line *lines, struct lint_iterations *at)
{
	for (size_t i = 0; i < 2; i++) {
		struct line turned = lines[i], *other = &lines[1 - i];

		if (turned.loop == LOOP_NONE || turned.count.trips >= 0 ||
		    !turn_round(&turned.base, &turned.slope, &turned.count) ||
		    !equal(&turned.base, &other->base))
			continue;
		*at = (struct lint_iterations){.numbers = {0, 0}};
		at->last[i] = true;
		return true;
	}
	return false;
}

/* In which iterations have both subscripts of the dimension the same value? False if unknown. */
static bool place_dimension(
    struct meeting *meeting, size_t dimension, enum lint_apart apart, struct place_in_loop *places)
{
	struct lint_iterations at = {.numbers = {0, 0}};
	struct line lines[2];
	bool same;

	for (size_t i = 0; i < 2; i++)
		if (!read_line(meeting, &meeting->sides[i], dimension, &lines[i]) ||
		    (lines[i].inner && (lines[i].loop != LOOP_NONE || meeting->inner)))
			return false;
	meeting->inner |= lines[0].inner || lines[1].inner;
	same = lines[0].loop == lines[1].loop && lines[0].loop != LOOP_NONE;
	if ((lines[0].loop != lines[1].loop && lines[0].loop != LOOP_NONE &&
		lines[1].loop != LOOP_NONE) ||
	    (!(same && find_meeting(lines, &apart, at.numbers)) &&
		!(apart == LINT_OTHER_ITERATION && find_last(lines, &at)) &&
		!find_meeting(lines, NULL, at.numbers)))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (lines[i].loop != LOOP_NONE) {
			places[lines[i].loop].fixed[i] = true;
			places[lines[i].loop].at.numbers[i] = at.numbers[i];
			places[lines[i].loop].at.last[i] = at.last[i];
		}
	return true;
}

/* Chooses iterations of the loop that are apart; false if there are none. */
static bool choose_iterations(
    const struct model_loop *loop, enum lint_apart apart, struct place_in_loop *place)
{
	const long long trips = model_trip_count(loop), length = trips < 0 ? ASSURED : trips;
	long long *numbers = place->at.numbers;

	if ((!place->fixed[0] && !place->fixed[1]) || length < 2)
		return false;
	if (place->fixed[0] && place->fixed[1])
		return place->at.last[0] != place->at.last[1] ||
		       is_apart(apart, numbers[0], numbers[1]);
	const size_t open = place->fixed[0] ? 1 : 0;
	if (apart == LINT_LATER_ITERATION)
		numbers[open] = numbers[1 - open] + (open == 1 ? 1 : -1);
	else
		numbers[open] = numbers[1 - open] == 0 && !place->at.last[1 - open] ? 1 : 0;
	return numbers[open] >= 0 && numbers[open] < length;
}

bool lint_meets_in_other_iteration(struct lint_unit *unit, const struct model_function *function,
    const struct lint_access *one, const struct lint_access *other,
    const struct tree_construct *construct, enum lint_apart apart,
    struct lint_iterations *iterations)
{
	const struct lint_place_of_access places[2] = {
	    {one->event, construct, LINT_SHARED_OUT}, {other->event, construct, LINT_SHARED_OUT}};
	struct meeting meeting = {.unit = unit,
	    .function = function,
	    .region = lint_around(construct, CONSTRUCT_BIT(PARALLEL)),
	    .sides = {
		{.place = &places[0], .access = *one}, {.place = &places[1], .access = *other}}};
	struct place_in_loop found[MODEL_MOST_LOOPS] = {
	    {{false, false}, {0, {0, 0}, {false, false}}}};

	if (meeting.region == NULL)
		meeting.region = construct;
	for (size_t i = 0; i < 2; i++)
		meeting.sides[i].loop_count =
		    model_associated_loops(construct, meeting.sides[i].loops);
	if (one->count != other->count ||
	    !lint_same_members(one->event->object, other->event->object))
		return false;
	for (size_t i = 0; i < one->count; i++)
		if (!place_dimension(&meeting, i, apart, found))
			return false;
	for (size_t i = 0; i < meeting.sides[0].loop_count; i++)
		if (choose_iterations(&meeting.sides[0].loops[i], apart, &found[i])) {
			*iterations = found[i].at;
			iterations->loop = i;
			return true;
		}
	return false;
}

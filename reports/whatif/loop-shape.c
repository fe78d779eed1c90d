/* SPDX-License-Identifier: BSD-3-Clause */
/* From marks to the work of any part of a loop, and how schedules divide it. */
#include "loop-shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chunk-costs.h"
#include "memory.h"
#include "shared/loop-marks.h"
#include "shared/precondition.h"

/*
 * An execution whose members lacked a processor for more than this share of their time gives no
 * shape. Marks leave such time out, but not what was too short to be noticed.
 */
#define DELAYED_MOST 0.5

/* A member without marks has no more than this share of the work. */
#define UNMARKED_MOST 0.02

/* A part of a loop has at least this share of its time if chunks took the rest. */
#define WORK_LEAST 0.04

/* About how many chunks are dealt one by one. */
enum { DEALT_MOST = 8192 };

struct stretch {
	uint32_t member;
	uint64_t begin, end;
	double time, grain;
};

struct loop_shape {
	struct stretch *stretches; /* by member, each in the order of iterations */
	size_t count, room;
	double *sums; /* by member: time of its stretches */
	uint32_t size;
	uint64_t iterations;
	struct loop_schedule schedule;
	bool is_own; /* of the execution that it was taken for, which notes made longer */
};

struct loop_shapes loop_shapes_new(size_t constructs)
{
	struct loop_shapes shapes = {NULL, constructs};

	shapes.of = memory_new(constructs > 0 ? constructs : 1, sizeof(*shapes.of));
	return shapes;
}

static void free_shape(struct loop_shape *shape)
{
	if (shape == NULL)
		return;
	free(shape->stretches);
	free(shape->sums);
	free(shape);
}

void loop_shapes_free(struct loop_shapes *shapes)
{
	for (size_t i = 0; i < shapes->count; i++)
		free_shape(shapes->of[i]);
	free(shapes->of);
}

/* Adds the marks of a member; *delayed grows by its time without a processor. */
static void read_member(struct loop_shape *shape, const struct loop_execution *execution,
    uint32_t member, uint64_t *delayed)
{
	const struct recording *recording = execution->recording;
	const struct strand *strand = &recording->strands[execution->team->strands[member]];

	for (size_t i = execution->begins[member]; i < execution->ends[member]; i++) {
		const struct action *action = &strand->actions[i];
		const struct recorded_mark *mark;

		if (action->kind == ACTION_DELAYED)
			*delayed += action->ticks;
		if (action->kind != ACTION_MARK)
			continue;
		mark = &recording->marks[action->subject];
		if (mark->begin >= mark->end)
			continue;
		*MEMORY_ADD(shape->stretches, shape->room, shape->count) = (struct stretch){
		    member, mark->begin, mark->end, (double)mark->time, (double)mark->grain};
		shape->sums[member] += (double)mark->time;
		shape->schedule = mark->schedule;
		if (mark->end > shape->iterations)
			shape->iterations = mark->end;
	}
}

/* The shape that the execution's own marks show; NULL: they show none. */
static struct loop_shape *read_shape(const struct loop_execution *execution)
{
	uint32_t size = execution->team->size;
	struct loop_shape *shape = memory_new(1, sizeof(*shape));
	uint64_t delayed = 0, work = 0, unmarked = 0;

	shape->size = size;
	shape->sums = memory_new(size, sizeof(shape->sums[0]));
	for (uint32_t i = 0; i < size; i++) {
		read_member(shape, execution, i, &delayed);
		work += execution->work[i];
		unmarked += shape->sums[i] > 0 ? 0 : execution->work[i];
	}
	if (shape->count > 0 && (double)unmarked <= UNMARKED_MOST * (double)work &&
	    (double)delayed <= DELAYED_MOST * (double)(work + delayed))
		return shape;
	free_shape(shape);
	return NULL;
}

struct loop_shape *loop_shapes_take(
    struct loop_shapes *shapes, uint32_t construct, const struct loop_execution *execution)
{
	struct loop_shape *own = read_shape(execution);
	bool is_own = own != NULL;

	if (is_own) {
		free_shape(shapes->of[construct]);
		shapes->of[construct] = own;
	}
	own = shapes->of[construct];
	if (own != NULL)
		own->is_own = is_own;
	return own != NULL && own->size == execution->team->size ? own : NULL;
}

struct loop_schedule loop_shape_schedule(const struct loop_shape *shape)
{
	return shape->schedule;
}

bool loop_shape_is_taken(const struct loop_shape *shape)
{
	return shape->schedule.kind == LOOP_SCHEDULE_DYNAMIC ||
	       shape->schedule.kind == LOOP_SCHEDULE_GUIDED;
}

bool loop_shape_block(const struct loop_shape *shape, uint32_t member, struct loop_block *block)
{
	uint64_t last_end = 0;
	uint32_t last = UINT32_MAX;

	*block = (struct loop_block){0, 0};
	if (shape->schedule.kind != LOOP_SCHEDULE_STATIC || shape->schedule.chunk != 0)
		return false;
	for (size_t i = 0; i < shape->count; i++) {
		const struct stretch *stretch = &shape->stretches[i];

		if (stretch->begin != last_end)
			return false;
		last_end = stretch->end;
		if (stretch->member == member && last != member)
			block->begin = stretch->begin;
		if (stretch->member == member)
			block->end = stretch->end;
		last = stretch->member;
	}
	return true;
}

/* An end of a stretch: from there on each iteration has so much more work. */
struct edge {
	double at, density;
};

static int compare_edges(const void *one, const void *other)
{
	double a = ((const struct edge *)one)->at, b = ((const struct edge *)other)->at;

	return (a > b) - (a < b);
}

static void add_edges(struct edge *edges, size_t *count, double begin, double end, double work)
{
	double density = work / (end - begin);

	edges[(*count)++] = (struct edge){begin, density};
	edges[(*count)++] = (struct edge){end, -density};
}

/* The edges of all stretches, in ascending order; heap. */
static struct edge *list_edges(
    const struct loop_shape *shape, const uint64_t *work, enum division division, size_t *count)
{
	struct edge *edges = memory_new(4 * shape->count, sizeof(edges[0]));

	*count = 0;
	for (size_t i = 0; i < shape->count; i++) {
		const struct stretch *stretch = &shape->stretches[i];
		double begin = (double)stretch->begin, end = (double)stretch->end;
		double factor = (double)work[stretch->member] / shape->sums[stretch->member];
		double lump = division == DIVIDED_NOWHERE ? stretch->grain : 0;

		if (shape->sums[stretch->member] <= 0)
			continue;
		if (lump > stretch->time)
			lump = stretch->time;
		if (lump > 0)
			add_edges(edges, count, end - 1, end, lump * factor);
		add_edges(edges, count, begin, end, (stretch->time - lump) * factor);
	}
	qsort(edges, *count, sizeof(edges[0]), compare_edges);
	return edges;
}

struct loop_layout loop_layout_new(
    const struct loop_shape *shape, const uint64_t *work, enum division division)
{
	struct loop_layout layout = {.iterations = shape->iterations};
	size_t count;
	struct edge *edges = list_edges(shape, work, division, &count);
	double density = 0, sum = 0, at = 0;

	layout.at = memory_new(count + 2, sizeof(layout.at[0]));
	layout.before = memory_new(count + 2, sizeof(layout.before[0]));
	layout.count = 1; /* nothing before iteration 0 */
	for (size_t i = 0; i < count; i++) {
		if (edges[i].at > at) {
			sum += density * (edges[i].at - at);
			at = edges[i].at;
			layout.at[layout.count] = at;
			layout.before[layout.count++] = sum;
		}
		density += edges[i].density;
	}
	free(edges);
	return layout;
}

void loop_layout_free(struct loop_layout *layout)
{
	free(layout->at);
	free(layout->before);
}

static double work_before(const struct loop_layout *layout, double at)
{
	size_t low = 0, high = layout->count - 1;

	if (at >= layout->at[high])
		return layout->before[high];
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (layout->at[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return layout->before[low] + (layout->before[high] - layout->before[low]) *
					 (at - layout->at[low]) /
					 (layout->at[high] - layout->at[low]);
}

double loop_layout_work(const struct loop_layout *layout, struct loop_block block)
{
	return work_before(layout, (double)block.end) - work_before(layout, (double)block.begin);
}

struct loop_block loop_layout_block(
    const struct loop_layout *layout, uint32_t size, uint32_t member)
{
	uint64_t each = layout->iterations / size, rest = layout->iterations % size;
	uint64_t begin = member * each + (member < rest ? member : rest);

	return (struct loop_block){begin, begin + each + (member < rest)};
}

double loop_layout_longest(const struct loop_layout *layout, uint32_t size)
{
	double most = 0;

	for (uint32_t i = 0; i < size; i++) {
		double work = loop_layout_work(layout, loop_layout_block(layout, size, i));

		most = work > most ? work : most;
	}
	return most;
}

/* The member that is ready first. */
static uint32_t least_loaded(const double *loads, uint32_t size)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < size; i++)
		least = loads[i] < loads[least] ? i : least;
	return least;
}

static void deal_blocks(const struct loop_layout *layout, uint32_t size, double *loads)
{
	for (uint32_t i = 0; i < size; i++)
		loads[i] = loop_layout_work(layout, loop_layout_block(layout, size, i));
}

/* In turns. Of many chunks, each member gets an equal part of some rounds. */
static void deal_turns(
    const struct loop_layout *layout, uint64_t chunk, uint32_t size, double claim, double *loads)
{
	uint64_t iterations = layout->iterations, chunks = (iterations + chunk - 1) / chunk;
	uint64_t rounds = chunks / size / DEALT_MOST, turn = 0;
	uint64_t step = rounds > 0 ? rounds * size * chunk : chunk;

	for (uint64_t begin = 0; begin < iterations; begin += step, turn++) {
		uint64_t end = iterations - begin > step ? begin + step : iterations;
		double work = loop_layout_work(layout, (struct loop_block){begin, end});

		for (uint32_t i = 0; rounds > 0 && i < size; i++)
			loads[i] += work / size + claim * (double)rounds;
		if (rounds == 0)
			loads[turn % size] += work + claim;
	}
}

/* Each chunk goes to the member that is ready for it; of many, some go together. */
static void deal_chunks(
    const struct loop_layout *layout, uint64_t chunk, uint32_t size, double claim, double *loads)
{
	uint64_t iterations = layout->iterations, chunks = (iterations + chunk - 1) / chunk;
	uint64_t group = (chunks + DEALT_MOST - 1) / DEALT_MOST, step = group * chunk;

	for (uint64_t begin = 0; begin < iterations; begin += step) {
		uint64_t end = iterations - begin > step ? begin + step : iterations;

		loads[least_loaded(loads, size)] +=
		    loop_layout_work(layout, (struct loop_block){begin, end}) +
		    claim * (double)group;
	}
}

static void deal_guided(
    const struct loop_layout *layout, uint64_t chunk, uint32_t size, double claim, double *loads)
{
	uint64_t begin = 0, iterations = layout->iterations;

	while (begin < iterations) {
		uint64_t rest = iterations - begin, part = (rest + size - 1) / size;
		uint32_t member = least_loaded(loads, size);

		if (part < chunk)
			part = chunk < rest ? chunk : rest;
		loads[member] +=
		    loop_layout_work(layout, (struct loop_block){begin, begin + part}) + claim;
		begin += part;
	}
}

/* As evenly as the longest iteration allows. */
static void deal_evenly(const struct loop_layout *layout, uint32_t size, double *loads)
{
	double all = layout->before[layout->count - 1], longest = 0;

	for (size_t i = 1; i < layout->count; i++) {
		double one = (layout->before[i] - layout->before[i - 1]) /
			     (layout->at[i] - layout->at[i - 1]);

		longest = one > longest ? one : longest;
	}
	for (uint32_t i = 0; i < size; i++)
		loads[i] = all / size;
	if (longest > loads[0] && size > 1) {
		for (uint32_t i = 1; i < size; i++)
			loads[i] = (all - longest) / (size - 1);
		loads[0] = longest;
	}
}

/*
 * What each of `size` members does under the change's schedule, or if the work is divided as well
 * as whole iterations allow (CHANGE_BALANCE). claim: ticks that taking a chunk costs, if members
 * take chunks.
 */
static void deal(const struct loop_layout *layout, const struct change *change, uint32_t size,
    double claim, double *loads)
{
	uint64_t chunk = change->number >= 1 ? (uint64_t)change->number : 0;

	for (uint32_t i = 0; i < size; i++)
		loads[i] = 0;
	if (change->kind == CHANGE_BALANCE)
		deal_evenly(layout, size, loads);
	else if (change->schedule == LOOP_SCHEDULE_GUIDED)
		deal_guided(layout, chunk > 0 ? chunk : 1, size, claim, loads);
	else if (change->schedule == LOOP_SCHEDULE_STATIC && chunk == 0)
		deal_blocks(layout, size, loads);
	else if (change->schedule == LOOP_SCHEDULE_STATIC)
		deal_turns(layout, chunk, size, claim, loads);
	else
		deal_chunks(layout, chunk > 0 ? chunk : 1, size, claim, loads);
}

static double longest(const double *loads, uint32_t size)
{
	double most = 0;

	for (uint32_t i = 0; i < size; i++)
		most = loads[i] > most ? loads[i] : most;
	return most;
}

/*
 * The work in stretches whose pieces have more iterations than a chunk. If iterations alternate
 * there (of odd and even numbers, say), a schedule that deals chunks in turns may give all of it to
 * one member.
 */
static double unresolved_work(const struct loop_shape *shape, const uint64_t *work, uint64_t chunk)
{
	double sum = 0;

	for (size_t i = 0; i < shape->count; i++) {
		const struct stretch *stretch = &shape->stretches[i];
		double iterations = (double)(stretch->end - stretch->begin);

		if (stretch->time > 0 &&
		    iterations * stretch->grain / stretch->time > (double)chunk)
			sum += stretch->time * (double)work[stretch->member] /
			       shape->sums[stretch->member];
	}
	return sum;
}

static void give_to_first(double work, uint32_t size, double *loads)
{
	for (uint32_t i = 1; i < size; i++) {
		double part = work / size < loads[i] ? work / size : loads[i];

		loads[i] -= part;
		loads[0] += part;
	}
}

/* The loop as it was recorded. */
static struct chunked_loop recorded_loop(const struct loop_shape *shape)
{
	return (struct chunked_loop){
	    shape->schedule, shape->iterations, shape->size, shape->is_own};
}

/* The loop with the change; of loops that only balance changes the chunks stay. */
static struct chunked_loop changed_loop(const struct loop_shape *shape, const struct change *change)
{
	struct chunked_loop loop = recorded_loop(shape);

	if (change->kind == CHANGE_SCHEDULE) {
		double chunk = fmin(change->number, LOOP_MARK_CHUNK_MOST);

		loop.schedule = (struct loop_schedule){change->schedule, (int)chunk};
		loop.has_marks = false;
	}
	return loop;
}

/* Takes out of the work what the chunks cost, which is the same for each of the iterations. */
static void take_out_chunks(struct loop_layout *layout, double ticks)
{
	double each = ticks / (double)layout->iterations, before = 0, sum = 0;

	for (size_t i = 1; i < layout->count; i++) {
		double work = layout->before[i] - before;
		double rest = work - each * (layout->at[i] - layout->at[i - 1]);

		before = layout->before[i];
		sum += rest > WORK_LEAST * work ? rest : WORK_LEAST * work;
		layout->before[i] = sum;
	}
}

/* The longest load under that division; sets the loads. */
static double deal_as(const struct loop_shape *shape, const uint64_t *work,
    const struct change *change, uint32_t size, enum division division, double nanosecond,
    double *loads)
{
	struct loop_layout layout = loop_layout_new(shape, work, division);
	struct chunked_loop before = recorded_loop(shape), after = changed_loop(shape, change);

	/* Undivided work of members that took chunks is as it was recorded, claims included. */
	enum division costs =
	    division == DIVIDED_NOWHERE && loop_shape_is_taken(shape) ? DIVIDED_CHEAPLY : division;

	if (change->kind == CHANGE_SCHEDULE)
		take_out_chunks(
		    &layout, nanosecond * chunk_count(&before) * chunk_cost(&before, costs));
	deal(&layout, change, size, nanosecond * chunk_cost(&after, costs), loads);
	loop_layout_free(&layout);
	if (division == DIVIDED_NOWHERE && change->kind == CHANGE_SCHEDULE &&
	    change->schedule == LOOP_SCHEDULE_STATIC && change->number >= 1)
		give_to_first(
		    unresolved_work(shape, work, (uint64_t)change->number), shape->size, loads);
	return longest(loads, size);
}

unsigned loop_shape_deal(const struct loop_shape *shape, const uint64_t *work,
    const struct change *change, uint32_t size, enum division division, double nanosecond,
    double *loads)
{
	CHECK(size > 0, "a team has members");
	double *others = memory_new(size, sizeof(others[0]));
	double even = deal_as(shape, work, change, size, DIVIDED_EVENLY, nanosecond, others);
	double whole = deal_as(shape, work, change, size, DIVIDED_NOWHERE, nanosecond, loads);
	struct chunked_loop before = recorded_loop(shape), after = changed_loop(shape, change);
	double sum = 0;

	for (uint32_t i = 0; i < shape->size; i++)
		sum += (double)work[i];
	if (division == DIVIDED_EVENLY)
		memcpy(loads, others, size * sizeof(loads[0]));
	else if (division != DIVIDED_NOWHERE)
		deal_as(shape, work, change, size, division, nanosecond, loads);
	free(others);
	return (whole > EVEN_ENOUGH * even ? UNKNOWN_PARTS : 0U) |
	       (chunk_costs_matter(&before, &after, sum / nanosecond) ? UNKNOWN_CHUNKS : 0U);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another number of threads. All members of a team execute the same sequence of shared bodies and
 * barriers; each member repeats what lies in between. A member of the new team therefore gets a
 * copy of what one member did in between and, of each shared body, its part of the iterations: all
 * iterations are laid out as the old members had them, in the order of threads, and cut anew. If a
 * member's part is cut, marks show where; without them, the cost of its iterations is assumed to
 * grow or shrink evenly, as its neighbours' parts indicate; with DIVIDED_NOWHERE the part is not
 * cut but goes to one member. A
 * parallel region without work-sharing constructs divides its work by thread numbers, so what lies
 * in between is cut as well.
 */
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "loop-shape.h"
#include "memory.h"

/* Costs that a team of one thread does not have and its recording does not show, in ns. */
enum { UNKNOWN_STARTUP = 2000, UNKNOWN_BARRIER = 1000, UNKNOWN_DISPATCH = 50 };

enum item_kind { ITEM_BETWEEN, ITEM_SHARED, ITEM_SINGLE, ITEM_BARRIER };

/* A part of a member's strand: [begin, end). */
struct item {
	enum item_kind kind;
	uint32_t construct;
	size_t begin, end;
};

struct items {
	struct item *items;
	size_t count, room;
};

struct respread {
	struct recording *recording;
	const struct analysis *analysis;
	uint32_t threads, size; /* threads: size of the new team; size: of the old one */
	struct items *members;
	bool is_by_number;      /* no construct shares the work */
	struct layout *layouts; /* by item */
	struct loop_shapes *shapes;
	enum division division;
	unsigned unknown; /* UNKNOWN_PARTS: something was cut */
};

/* Where a loop's work is, if marks show it. */
struct layout {
	struct loop_block *blocks; /* by member of the old team, if each had one; or NULL */
	struct loop_layout of;     /* with blocks */
	double *ends; /* by member of the new team, otherwise: its work's end, of 1 in all; or NULL
		       */
};

/* A strand under construction. */
struct builder {
	struct action *actions;
	size_t count, room;
};

static void put(struct builder *builder, struct action action)
{
	*MEMORY_ADD(builder->actions, builder->room, builder->count) = action;
}

static bool is_of(const struct respread *respread, uint32_t construct, enum construct_id id)
{
	return construct != RECORDED_NONE &&
	       analysis_is_construct(&respread->analysis->constructs[construct], id);
}

static const struct strand *strand_of(
    const struct respread *respread, const struct recorded_team *team, uint32_t member)
{
	return &respread->recording->strands[team->strands[member]];
}

static void add_item(struct items *items, struct item item)
{
	*MEMORY_ADD(items->items, items->room, items->count) = item;
}

/* How a team executes the entered construct; ITEM_BETWEEN: each member by itself. */
static enum item_kind kind_of(const struct respread *respread, const struct action *action)
{
	const struct construct *construct;

	if (action->kind == ACTION_BARRIER)
		return ITEM_BARRIER;
	if (action->kind != ACTION_ENTER || action->subject == RECORDED_NONE)
		return ITEM_BETWEEN;
	construct = &respread->analysis->constructs[action->subject];
	if (construct->kind == CONSTRUCT_KIND_SINGLE)
		return ITEM_SINGLE;
	return construct->kind != CONSTRUCT_KIND_PARALLEL &&
		       construct_is_shared_work(construct->kind)
		   ? ITEM_SHARED
		   : ITEM_BETWEEN;
}

static void itemize(struct respread *respread, struct items *items, const struct strand *strand)
{
	bool *wanted = memory_new(respread->recording->construct_count, sizeof(wanted[0]));
	size_t begin = 0;

	for (size_t i = 0; i < strand->count; i++) {
		const struct action *action = &strand->actions[i];
		enum item_kind kind = kind_of(respread, action);
		size_t at = i, end = i + 1;

		if (kind == ITEM_BETWEEN)
			continue;
		if (kind != ITEM_BARRIER) {
			wanted[action->subject] = true;
			change_find_body(strand, wanted, &at, &end);
			wanted[action->subject] = false;
		}
		add_item(items, (struct item){ITEM_BETWEEN, RECORDED_NONE, begin, at});
		add_item(items, (struct item){kind, action->subject, at, end});
		begin = end;
		i = end - 1;
	}
	add_item(items, (struct item){ITEM_BETWEEN, RECORDED_NONE, begin, strand->count});
	free(wanted);
}

/* Whether all members have the same sequence. */
static bool is_alike(const struct respread *respread)
{
	const struct items *first = &respread->members[0];

	for (uint32_t i = 1; i < respread->size; i++) {
		const struct items *other = &respread->members[i];

		if (other->count != first->count)
			return false;
		for (size_t j = 0; j < first->count; j++) {
			if (other->items[j].kind != first->items[j].kind ||
			    other->items[j].construct != first->items[j].construct)
				return false;
		}
	}
	return true;
}

static bool has_kind(const struct strand *strand, const struct item *item, unsigned kinds)
{
	for (size_t i = item->begin; i < item->end; i++) {
		if (kinds >> strand->actions[i].kind & 1)
			return true;
	}
	return false;
}

/*
 * Actions that happen only once, whichever member does them: others wait for them, or they are a
 * task or a team.
 */
#define ONCE                                                                                       \
	(1U << ACTION_CREATE | 1U << ACTION_EXECUTE | 1U << ACTION_FORK | 1U << ACTION_SIGNAL |    \
	    1U << ACTION_AWAIT)

static bool shares_by_number(const struct respread *respread, const struct recorded_team *team)
{
	for (uint32_t i = 0; i < respread->size; i++) {
		for (size_t j = 0; j < respread->members[i].count; j++) {
			const struct item *item = &respread->members[i].items[j];

			if (item->kind == ITEM_SHARED ||
			    has_kind(strand_of(respread, team, i), item, ONCE))
				return false;
		}
	}
	return true;
}

/*
 * The share of a member's work that lies in the first `to` of its iterations; from the first to the
 * last iteration the cost grows by `slope` of the mean.
 */
static double work_until(double to, double slope)
{
	return to + slope * (to * to - to) / 2;
}

/* How much the cost of member i's iterations grows, as its neighbours' work indicates. */
static double slope_of(const double *work, uint32_t size, uint32_t i)
{
	uint32_t before = i > 0 ? i - 1 : i, after = i + 1 < size ? i + 1 : i;
	double slope;

	if (before == after || work[i] <= 0)
		return 0;
	slope = (work[after] - work[before]) / (after - before) / work[i];
	return slope > 2 ? 2 : slope < -2 ? -2 : slope;
}

/* The end of the actions that belong together: an enter to its leave, a lock to its unlock. */
static size_t unit_end(const struct strand *strand, size_t begin, size_t end)
{
	size_t depth = 0, at = begin;

	do {
		enum action_kind kind = strand->actions[at].kind;

		if (kind == ACTION_ENTER || kind == ACTION_LOCK || kind == ACTION_LOCK_LATE)
			depth++;
		if ((kind == ACTION_LEAVE || kind == ACTION_UNLOCK) && depth > 0)
			depth--;
		at++;
	} while (depth > 0 && at < end);
	return at;
}

/* Copies the part [from, to) of the item's work; 1 is all of it. */
static void put_slice(struct builder *builder, const struct strand *strand, const struct item *item,
    double from, double to)
{
	double total = (double)change_work(strand, item->begin, item->end), done = 0;
	double first = from * total, last = to >= 1 ? total + 1 : to * total;

	for (size_t at = item->begin, next; at < item->end; at = next) {
		double work;

		next = unit_end(strand, at, item->end);
		work = (double)change_work(strand, at, next);
		if (next == at + 1 && work > 0) {
			double begin = done > first ? done : first;
			double end = done + work < last ? done + work : last;
			struct action action = strand->actions[at];

			action.ticks = end > begin ? (uint64_t)(end - begin + 0.5) : 0;
			if (action.ticks > 0)
				put(builder, action);
		} else if (done >= first && done < last) {
			for (size_t i = at; i < next; i++)
				put(builder, strand->actions[i]);
		}
		done += work;
	}
}

/* The members of the new team that get a part of the old member i: [*first, *end). */
static void find_heirs(const struct respread *respread, uint32_t i, uint32_t *first, uint32_t *end)
{
	uint64_t threads = respread->threads, size = respread->size;

	*first = (uint32_t)(i * threads / size);
	*end = (uint32_t)(((i + 1) * threads + size - 1) / size);
}

/*
 * The member of the new team with the most work if each member gets the whole of every part that it
 * shares.
 */
static uint32_t find_busiest(const struct respread *respread, const double *work)
{
	double *loads = memory_new(respread->threads, sizeof(loads[0]));
	uint32_t busiest = 0, first, end;

	for (uint32_t i = 0; i < respread->size; i++) {
		find_heirs(respread, i, &first, &end);
		for (uint32_t heir = first; heir < end; heir++)
			loads[heir] += work[i];
	}
	for (uint32_t i = 1; i < respread->threads; i++)
		busiest = loads[i] > loads[busiest] ? i : busiest;
	free(loads);
	return busiest;
}

/* Whether member `number` gets all of the old member i, when nothing is cut. */
static bool inherits(const struct respread *respread, uint32_t i, uint32_t number, uint32_t busiest)
{
	uint32_t first, end;

	find_heirs(respread, i, &first, &end);
	return number == (busiest >= first && busiest < end ? busiest : first);
}

/* Gives member `number` of the new team the work of its block of iterations. */
static void put_block(struct respread *respread, const struct recorded_team *team,
    struct builder *builder, uint32_t number, size_t index)
{
	const struct layout *layout = &respread->layouts[index];
	struct loop_block own = loop_layout_block(&layout->of, respread->threads, number);

	for (uint32_t i = 0; i < respread->size; i++) {
		struct loop_block old = layout->blocks[i];
		uint64_t first = own.begin > old.begin ? own.begin : old.begin;
		uint64_t last = own.end < old.end ? own.end : old.end;
		double all = loop_layout_work(&layout->of, old);
		double before =
		    loop_layout_work(&layout->of, (struct loop_block){old.begin, first});
		double until = loop_layout_work(&layout->of, (struct loop_block){old.begin, last});

		if (first < last && all > 0)
			put_slice(builder, strand_of(respread, team, i),
			    &respread->members[i].items[index], before / all,
			    last < old.end ? until / all : 1);
	}
}

/* Gives member `number` of the new team its part of everybody's work. */
static void put_part(struct respread *respread, const struct recorded_team *team,
    struct builder *builder, uint32_t number, size_t index)
{
	const double *ends = respread->layouts[index].ends;

	for (uint32_t i = 0; i < respread->size; i++)
		put_slice(builder, strand_of(respread, team, i), &respread->members[i].items[index],
		    number > 0 ? ends[number - 1] : 0,
		    number + 1 < respread->threads ? ends[number] : 1);
}

/* The layout for blocks; *blocks becomes its own. */
static struct layout lay_blocks(struct respread *respread, const struct loop_shape *shape,
    const struct loop_execution *execution, struct loop_block *blocks)
{
	struct layout layout = {blocks, loop_layout_new(shape, execution->work, DIVIDED_EVENLY)};
	struct layout other = {blocks, loop_layout_new(shape, execution->work, DIVIDED_NOWHERE)};

	respread->unknown |=
	    loop_layout_longest(&other.of, respread->threads) >
		    EVEN_ENOUGH * loop_layout_longest(&layout.of, respread->threads)
		? UNKNOWN_PARTS
		: 0;
	loop_layout_free(respread->division == DIVIDED_NOWHERE ? &layout.of : &other.of);
	return respread->division == DIVIDED_NOWHERE ? other : layout;
}

/* The layout for any other schedule, which stays the same. */
static struct layout lay_chunks(struct respread *respread, const struct loop_shape *shape,
    const struct loop_execution *execution)
{
	struct loop_schedule schedule = loop_shape_schedule(shape);
	struct change change = {CHANGE_SCHEDULE, NULL, schedule.chunk, schedule.kind};
	struct layout layout = {.ends = memory_new(respread->threads, sizeof(layout.ends[0]))};
	double nanosecond = (double)respread->analysis->archive->ticks_per_second / 1e9, sum = 0;

	respread->unknown |= loop_shape_deal(shape, execution->work, &change, respread->threads,
	    respread->division, nanosecond, layout.ends);
	for (uint32_t i = 0; i < respread->threads; i++)
		sum = layout.ends[i] += sum;
	for (uint32_t i = 0; i < respread->threads && sum > 0; i++)
		layout.ends[i] /= sum;
	return layout;
}

/* The layout of the execution; nothing: marks do not show it. */
static struct layout make_layout(struct respread *respread, const struct loop_shape *shape,
    const struct loop_execution *execution)
{
	struct loop_block *blocks;
	bool has_blocks = true;

	if (shape == NULL)
		return (struct layout){NULL};
	blocks = memory_new(respread->size, sizeof(blocks[0]));
	for (uint32_t i = 0; i < respread->size && has_blocks; i++)
		has_blocks = loop_shape_block(shape, i, &blocks[i]);
	if (has_blocks)
		return lay_blocks(respread, shape, execution, blocks);
	free(blocks);
	return lay_chunks(respread, shape, execution);
}

/* Looks for the marks of a shared body. */
static struct layout find_layout(
    struct respread *respread, const struct recorded_team *team, size_t index)
{
	uint32_t size = respread->size;
	size_t *begins = memory_new(2 * (size_t)size, sizeof(begins[0]));
	uint64_t *work = memory_new(size, sizeof(work[0]));
	struct loop_execution execution = {respread->recording, team, begins, begins + size, work};
	struct layout layout;

	for (uint32_t i = 0; i < size; i++) {
		const struct item *item = &respread->members[i].items[index];

		begins[i] = item->begin;
		begins[size + i] = item->end;
		work[i] = change_work(strand_of(respread, team, i), item->begin, item->end);
	}
	layout = make_layout(respread,
	    loop_shapes_take(
		respread->shapes, respread->members[0].items[index].construct, &execution),
	    &execution);
	free(begins);
	free(work);
	return layout;
}

/*
 * Gives member `number` of the new team its part of the shared body. Sections are known one by one:
 * each goes to the member in whose part it begins.
 */
static void put_shared(struct respread *respread, const struct recorded_team *team,
    struct builder *builder, uint32_t number, size_t index)
{
	double *work = memory_new(respread->size, sizeof(work[0]));
	double first = (double)number * respread->size / respread->threads;
	double last = (double)(number + 1) * respread->size / respread->threads;
	bool is_known =
	    is_of(respread, respread->members[0].items[index].construct, CONSTRUCT_SECTIONS);
	uint32_t busiest;

	for (uint32_t i = 0; i < respread->size; i++) {
		const struct item *item = &respread->members[i].items[index];

		work[i] = (double)change_work(strand_of(respread, team, i), item->begin, item->end);
	}
	busiest = find_busiest(respread, work);
	for (uint32_t i = 0; i < respread->size; i++) {
		const struct strand *strand = strand_of(respread, team, i);
		const struct item *item = &respread->members[i].items[index];
		double from = first > i ? first - i : 0, to = last < i + 1 ? last - i : 1;
		double slope = slope_of(work, respread->size, i);
		bool is_cut = from > 1e-9 || to < 1 - 1e-9;

		if (from >= 1 - 1e-9 || to <= 1e-9)
			continue;
		if (is_cut && !is_known && work[i] > 0)
			respread->unknown |= UNKNOWN_PARTS;
		if (!is_cut || is_known || respread->division != DIVIDED_NOWHERE)
			put_slice(builder, strand, item, work_until(from, slope),
			    to >= 1 ? 1 : work_until(to, slope));
		else if (inherits(respread, i, number, busiest))
			put_slice(builder, strand, item, 0, 1);
	}
	free(work);
}

/* Copies the single's body if this member takes the place of the old member that executed it. */
static void put_single(struct respread *respread, const struct recorded_team *team,
    struct builder *builder, uint32_t number, size_t index)
{
	for (uint32_t i = 0; i < respread->size; i++) {
		const struct item *item = &respread->members[i].items[index];

		if ((uint64_t)i * respread->threads / respread->size != number)
			continue;
		for (size_t j = item->begin; j < item->end; j++)
			put(builder, strand_of(respread, team, i)->actions[j]);
	}
}

/*
 * Copies what another member does, without actions that happen once or belong to that member alone.
 */
static void put_again(struct respread *respread, struct builder *builder,
    const struct strand *strand, const struct item *item)
{
	for (size_t i = item->begin; i < item->end; i++) {
		const struct action *action = &strand->actions[i];

		if (action->kind == ACTION_ENTER &&
		    (is_of(respread, action->subject, CONSTRUCT_MASTER) ||
			is_of(respread, action->subject, CONSTRUCT_MASKED))) {
			i = unit_end(strand, i, item->end) - 1;
			continue;
		}
		if (!(ONCE >> action->kind & 1))
			put(builder, *action);
	}
}

static void put_between(struct respread *respread, const struct recorded_team *team,
    struct builder *builder, uint32_t number, size_t index)
{
	if (respread->is_by_number) {
		put_shared(respread, team, builder, number, index);
		return;
	}
	if (number >= respread->size) {
		put_again(respread, builder, strand_of(respread, team, respread->size - 1),
		    &respread->members[respread->size - 1].items[index]);
		return;
	}
	for (uint32_t i = 0; i < respread->size; i++) {
		const struct item *item = &respread->members[i].items[index];
		bool is_own = i == number;
		bool is_left = i >= respread->threads && i % respread->threads == number &&
			       has_kind(strand_of(respread, team, i), item, ONCE);

		for (size_t j = item->begin; (is_own || is_left) && j < item->end; j++)
			put(builder, strand_of(respread, team, i)->actions[j]);
	}
}

/* The cost of being in a team of the new size instead of the recorded one. */
static uint64_t cost_for(
    const struct respread *respread, uint64_t recorded, uint64_t unknown_nanoseconds)
{
	uint64_t unknown = (uint64_t)((double)unknown_nanoseconds / 1e9 *
				      (double)respread->analysis->archive->ticks_per_second);

	if (respread->threads == 1)
		return 0;
	return respread->size > 1 || recorded > unknown ? recorded : unknown;
}

static void put_barrier(struct respread *respread, const struct recorded_team *team,
    struct builder *builder, uint32_t number, size_t index)
{
	uint32_t like = number < respread->size ? number : respread->size - 1;
	struct action action =
	    strand_of(respread, team, like)->actions[respread->members[like].items[index].begin];

	action.ticks = cost_for(respread, action.ticks, UNKNOWN_BARRIER);
	put(builder, action);
}

static struct builder build_member(
    struct respread *respread, const struct recorded_team *team, uint32_t number)
{
	struct builder builder = {0};

	for (size_t i = 0; i < respread->members[0].count; i++) {
		switch (respread->members[0].items[i].kind) {
		case ITEM_BETWEEN:
			put_between(respread, team, &builder, number, i);
			break;
		case ITEM_SHARED:
			if (respread->layouts[i].blocks != NULL)
				put_block(respread, team, &builder, number, i);
			else if (respread->layouts[i].ends != NULL)
				put_part(respread, team, &builder, number, i);
			else
				put_shared(respread, team, &builder, number, i);
			break;
		case ITEM_SINGLE:
			put_single(respread, team, &builder, number, i);
			break;
		case ITEM_BARRIER:
			put_barrier(respread, team, &builder, number, i);
			break;
		}
	}
	return builder;
}

/* Gives the team the newly built strands. */
static void replace_members(struct respread *respread, uint32_t index)
{
	struct recording *recording = respread->recording;
	struct recorded_team old = recording->teams[index], *team;
	struct builder *builders = memory_new(respread->threads, sizeof(builders[0]));
	size_t count = respread->members[0].count;

	respread->layouts = memory_new(count, sizeof(respread->layouts[0]));
	for (size_t i = 0; i < count; i++)
		if (respread->members[0].items[i].kind == ITEM_SHARED)
			respread->layouts[i] = find_layout(respread, &old, i);
	for (uint32_t i = 0; i < respread->threads; i++)
		builders[i] = build_member(respread, &old, i);
	for (size_t i = 0; i < count; i++) {
		if (respread->layouts[i].blocks != NULL) {
			loop_layout_free(&respread->layouts[i].of);
			free(respread->layouts[i].blocks);
		}
		free(respread->layouts[i].ends);
	}
	free(respread->layouts);
	team = &recording->teams[index];
	team->strands = memory_new(respread->threads, sizeof(team->strands[0]));
	team->startup = memory_new(respread->threads, sizeof(team->startup[0]));
	team->size = respread->threads;
	team->shares_strands = false;
	team->master = old.master < team->size ? old.master : 0;
	team->join = cost_for(respread, old.join, 0);
	for (uint32_t i = 0; i < team->size; i++) {
		uint32_t like = i < old.size ? i : old.size - 1;

		team->strands[i] = i < old.size ? old.strands[i] : recording_new_strand(recording);
		team->startup[i] = i == team->master
				       ? old.startup[old.master]
				       : cost_for(respread, old.startup[like], UNKNOWN_STARTUP);
		strand_replace(recording, team->strands[i], builders[i].actions, builders[i].count);
	}
	free(builders);
}

static void respread_team(struct respread *respread, uint32_t index)
{
	const struct recorded_team *team = &respread->recording->teams[index];

	respread->size = team->size;
	respread->members = memory_new(team->size, sizeof(respread->members[0]));
	for (uint32_t i = 0; i < team->size; i++)
		itemize(respread, &respread->members[i], strand_of(respread, team, i));
	if (is_alike(respread)) {
		respread->is_by_number = shares_by_number(respread, team);
		replace_members(respread, index);
	}
	for (uint32_t i = 0; i < respread->size; i++)
		free(respread->members[i].items);
	free(respread->members);
}

/* A single thread executes tasks where they are created; several threads do not. */
static void move_tasks(struct respread *respread, const bool *is_changed, bool was_alone)
{
	struct recording *recording = respread->recording;

	if (!was_alone && respread->threads > 1)
		return;
	for (size_t i = 0; i < recording->strand_count; i++) {
		const struct strand *strand = &recording->strands[i];

		for (size_t j = 0; j < strand->count; j++) {
			struct action action = strand->actions[j];
			struct recorded_task *task;

			if (action.kind != ACTION_CREATE && action.kind != ACTION_EXECUTE)
				continue;
			task = &recording->tasks[action.subject];
			if (task->team == RECORDED_NONE || !is_changed[task->team])
				continue;
			strand = strand_edit(recording, (uint32_t)i);
			if (respread->threads > 1 && action.kind == ACTION_EXECUTE) {
				strand->actions[j].kind = ACTION_NOTHING;
				task->is_immediate = false;
				task->dispatch =
				    cost_for(respread, task->dispatch, UNKNOWN_DISPATCH);
			} else if (respread->threads == 1 && !task->is_immediate) {
				strand->actions[j].kind = ACTION_EXECUTE;
				task->is_immediate = true;
			}
		}
	}
}

/*
 * A trace does not contain the tasks of a taskloop: they are the time that the creating thread
 * spends there while other threads execute some of them. This time is divided evenly, or among no
 * more threads than before.
 */
static void spread_taskloops(struct respread *respread, const bool *is_changed, uint32_t size)
{
	struct recording *recording = respread->recording;

	for (size_t i = 0; i < recording->team_count; i++) {
		const struct recorded_team *team = &recording->teams[i];

		for (uint32_t j = 0; j < team->size && is_changed[i]; j++) {
			struct strand *strand = &recording->strands[team->strands[j]];

			for (size_t k = 0; k < strand->count; k++) {
				if (strand->actions[k].kind != ACTION_WORK ||
				    !is_of(
					respread, strand->actions[k].subject, CONSTRUCT_TASKLOOP))
					continue;
				respread->unknown |= UNKNOWN_PARTS;
				if (respread->division == DIVIDED_NOWHERE)
					continue;
				strand = strand_edit(recording, team->strands[j]);
				strand->actions[k].ticks =
				    strand->actions[k].ticks * size / respread->threads;
			}
		}
	}
}

unsigned change_threads(struct recording *recording, const struct analysis *analysis,
    uint32_t threads, enum division division)
{
	struct loop_shapes shapes = loop_shapes_new(recording->construct_count);
	struct respread respread = {.recording = recording,
	    .analysis = analysis,
	    .threads = threads,
	    .shapes = &shapes,
	    .division = division};
	bool *is_first = memory_new(recording->strand_count, sizeof(is_first[0]));
	bool *is_changed = memory_new(recording->team_count, sizeof(is_changed[0]));
	uint32_t largest = 0;

	for (size_t i = 0; i < recording->start_count; i++)
		is_first[recording->starts[i].strand] = true;
	for (size_t i = 0; i < recording->team_count; i++) {
		const struct recorded_team *team = &recording->teams[i];

		is_changed[i] = team->parent != RECORDED_NONE && is_first[team->parent];
		if (is_changed[i] && team->size > largest)
			largest = team->size;
	}
	for (size_t i = 0; i < recording->team_count; i++) {
		is_changed[i] &= recording->teams[i].size == largest && largest != threads;
		if (is_changed[i])
			respread_team(&respread, (uint32_t)i);
	}
	if (largest != threads) {
		move_tasks(&respread, is_changed, largest == 1);
		spread_taskloops(&respread, is_changed, largest);
	}
	free(is_first);
	free(is_changed);
	loop_shapes_free(&shapes);
	return respread.unknown;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes how the threads of a team share a construct's work: evenly, or by another schedule. If
 * iterations take turns (ordered), each iteration is known, and they are distributed anew. If the
 * loop has marks, they show where its work is. Otherwise events show only each thread's total,
 * except for sections: the result of any schedule other than one block per thread then lies between
 * an even division and one in which a thread's work is a single iteration that no schedule divides.
 */
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "loop-shape.h"
#include "memory.h"

/* One execution of a construct by a team: each member's body is [begins, ends). */
struct shared {
	struct recording *recording;
	const struct analysis *analysis;
	const struct recorded_team *team;
	size_t *begins, *ends;
	uint64_t *work;
	enum division division;
	unsigned unknown; /* what makes a difference for some execution */
	struct loop_shapes *shapes;
};

/* A member and the least time until its work is done. */
struct load {
	uint32_t member;
	uint64_t least;
};

/* One iteration, which ends with its turn. */
struct turn {
	uint32_t signal; /* given at its end; later turns have larger numbers */
	const struct action *actions;
	size_t count;
};

static void scale_body(struct strand *strand, size_t begin, size_t end, double factor)
{
	for (size_t i = begin; i < end; i++) {
		if (action_is_work(&strand->actions[i]))
			strand->actions[i].ticks =
			    (uint64_t)((double)strand->actions[i].ticks * factor + 0.5);
	}
}

static void insert_work(
    struct recording *recording, uint32_t index, size_t at, uint32_t construct, uint64_t ticks)
{
	struct strand *strand = strand_edit(recording, index);

	MEMORY_GROW(strand->actions, strand->room, strand->count + 1);
	memmove(&strand->actions[at + 1], &strand->actions[at],
	    (strand->count - at) * sizeof(strand->actions[0]));
	strand->actions[at] = (struct action){ticks, construct, ACTION_WORK};
	strand->count++;
}

static struct strand *member_strand(const struct shared *shared, uint32_t member)
{
	return strand_edit(shared->recording, shared->team->strands[member]);
}

/* Finds the next execution after the current one; false if not all members have one. */
static bool find_execution(struct shared *shared, const bool *constructs)
{
	for (uint32_t i = 0; i < shared->team->size; i++) {
		const struct strand *strand = &shared->recording->strands[shared->team->strands[i]];

		shared->begins[i] = shared->ends[i];
		if (!change_find_body(strand, constructs, &shared->begins[i], &shared->ends[i]))
			return false;
		shared->work[i] = change_work(strand, shared->begins[i], shared->ends[i]);
	}
	return true;
}

static void give_work(struct shared *shared, uint32_t member, uint64_t work)
{
	struct strand *strand = member_strand(shared, member);

	if (shared->work[member] > 0) {
		scale_body(strand, shared->begins[member], shared->ends[member],
		    (double)work / (double)shared->work[member]);
	} else if (work > 0) {
		insert_work(shared->recording, shared->team->strands[member],
		    shared->begins[member], strand->actions[shared->begins[member] - 1].subject,
		    work);
		shared->ends[member]++;
	}
}

static bool is_edge_of_section(const struct shared *shared, const struct action *action)
{
	return (action->kind == ACTION_ENTER || action->kind == ACTION_LEAVE) &&
	       (action->subject == RECORDED_NONE ||
		   analysis_is_construct(
		       &shared->analysis->constructs[action->subject], CONSTRUCT_SECTION));
}

/* The pieces that no event shows to be divisible: sections, or the whole work of a thread. */
struct pieces {
	uint64_t *ticks;
	size_t count, room;
};

static void add_piece(struct pieces *pieces, uint64_t ticks)
{
	if (ticks == 0)
		return;
	*MEMORY_ADD(pieces->ticks, pieces->room, pieces->count) = ticks;
}

static void add_pieces(const struct shared *shared, uint32_t member, struct pieces *pieces)
{
	const struct strand *strand = &shared->recording->strands[shared->team->strands[member]];
	uint64_t ticks = 0;

	for (size_t i = shared->begins[member]; i < shared->ends[member]; i++) {
		const struct action *action = &strand->actions[i];

		if (is_edge_of_section(shared, action)) {
			add_piece(pieces, ticks);
			ticks = 0;
		} else if (action_is_work(action)) {
			ticks += action->ticks;
		}
	}
	add_piece(pieces, ticks);
}

static int compare_ticks(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a < b) - (a > b);
}

/*
 * How long the team takes for the pieces if each of them, the longest first, goes to the thread
 * with the least work so far.
 */
static uint64_t time_of(struct pieces *pieces, uint32_t size)
{
	uint64_t *loads = memory_new(size, sizeof(loads[0])), most = 0;

	if (pieces->count > 0)
		qsort(pieces->ticks, pieces->count, sizeof(pieces->ticks[0]), compare_ticks);
	for (size_t i = 0; i < pieces->count; i++) {
		uint32_t least = 0;

		for (uint32_t j = 1; j < size; j++)
			least = loads[j] < loads[least] ? j : least;
		loads[least] += pieces->ticks[i];
		most = loads[least] > most ? loads[least] : most;
	}
	free(loads);
	return most;
}

/*
 * The least time for the pieces, and the member with the most work. A schedule that follows the
 * order of iterations begins a piece only when all work of the members before it is done.
 */
static struct load find_load(const struct shared *shared, const struct change *change)
{
	uint32_t size = shared->team->size;
	struct pieces pieces = {0};
	struct load load = {0, 0};
	uint64_t before = 0;

	for (uint32_t i = 0; i < size; i++) {
		uint64_t end = before / size + shared->work[i];

		if (change->kind == CHANGE_SCHEDULE && end > load.least)
			load = (struct load){i, end};
		if (change->kind == CHANGE_BALANCE && shared->work[i] > shared->work[load.member])
			load.member = i;
		before += shared->work[i];
		add_pieces(shared, i, &pieces);
	}
	if (change->kind == CHANGE_BALANCE)
		load.least = time_of(&pieces, size);
	free(pieces.ticks);
	return load;
}

static void balance(struct shared *shared, const struct change *change)
{
	uint32_t size = shared->team->size;
	struct load load = find_load(shared, change);
	uint64_t sum = 0, others;

	for (uint32_t i = 0; i < size; i++)
		sum += shared->work[i];
	if ((double)load.least > EVEN_ENOUGH * (double)sum / size)
		shared->unknown |= UNKNOWN_PARTS;
	if (shared->division != DIVIDED_NOWHERE || load.least < sum / size)
		load.least = sum / size;
	others = (sum - load.least) / (size - 1);
	for (uint32_t i = 0; i < size; i++)
		give_work(shared, i, i == load.member ? load.least : others);
}

static int compare_turns(const void *one, const void *other)
{
	const struct turn *a = one, *b = other;

	return (a->signal > b->signal) - (a->signal < b->signal);
}

/* The iterations of all members in their order; NULL if they take no turns. */
static struct turn *find_turns(const struct shared *shared, size_t *count)
{
	struct turn *turns = NULL;
	size_t room = 0;

	*count = 0;
	for (uint32_t i = 0; i < shared->team->size; i++) {
		const struct strand *strand = &shared->recording->strands[shared->team->strands[i]];
		size_t begin = shared->begins[i];

		for (size_t j = begin; j < shared->ends[i]; j++) {
			if (strand->actions[j].kind != ACTION_SIGNAL)
				continue;
			MEMORY_GROW(turns, room, *count + 1);
			turns[*count].signal = strand->actions[j].subject;
			/* Includes the leave of its ordered region. */
			if (j + 1 < shared->ends[i] && strand->actions[j + 1].kind == ACTION_LEAVE)
				j++;
			turns[*count].actions = &strand->actions[begin];
			turns[(*count)++].count = j + 1 - begin;
			begin = j + 1;
		}
	}
	if (turns)
		qsort(turns, *count, sizeof(turns[0]), compare_turns);
	return turns;
}

/* The member that executes the n-th of `count` iterations. */
static uint32_t member_of(
    const struct shared *shared, const struct change *change, size_t n, size_t count)
{
	size_t size = shared->team->size;
	size_t chunk = (size_t)change->number;

	/* Turns force threads that take chunks dynamically into the order of the chunks. */
	if (chunk == 0)
		chunk = change->schedule == LOOP_SCHEDULE_STATIC ? (count + size - 1) / size : 1;
	return (uint32_t)(n / chunk % size);
}

/* Builds the member's strand from its iterations and what it does after its last one. */
static void deal_to(struct shared *shared, const struct change *change, const struct turn *turns,
    size_t count, uint32_t member, struct strand *made)
{
	const struct strand *strand = &shared->recording->strands[shared->team->strands[member]];
	size_t rest = shared->begins[member], room = strand->count;

	for (size_t i = 0; i < count; i++)
		room += turns[i].count;
	for (size_t i = rest; i < shared->ends[member]; i++) {
		if (strand->actions[i].kind == ACTION_SIGNAL)
			rest = i + 1 +
			       (i + 1 < shared->ends[member] &&
				   strand->actions[i + 1].kind == ACTION_LEAVE);
	}
	made->actions = memory_new(room, sizeof(made->actions[0]));
	memcpy(made->actions, strand->actions, shared->begins[member] * sizeof(made->actions[0]));
	made->count = shared->begins[member];
	for (size_t i = 0; i < count; i++) {
		if (member_of(shared, change, i, count) != member)
			continue;
		memcpy(&made->actions[made->count], turns[i].actions,
		    turns[i].count * sizeof(made->actions[0]));
		made->count += turns[i].count;
	}
	memcpy(&made->actions[made->count], &strand->actions[rest],
	    (strand->count - rest) * sizeof(made->actions[0]));
	made->count += strand->count - rest;
}

/* Returns false if the iterations take no turns. */
static bool deal_turns(struct shared *shared, const struct change *change)
{
	size_t count;
	struct turn *turns = find_turns(shared, &count);
	struct strand *made;

	if (!turns)
		return false;
	made = memory_new(shared->team->size, sizeof(made[0]));
	for (uint32_t i = 0; i < shared->team->size; i++)
		deal_to(shared, change, turns, count, i, &made[i]);
	for (uint32_t i = 0; i < shared->team->size; i++) {
		size_t before = shared->recording->strands[shared->team->strands[i]].count;

		shared->ends[i] = shared->ends[i] + made[i].count - before;
		strand_replace(
		    shared->recording, shared->team->strands[i], made[i].actions, made[i].count);
	}
	free(made);
	free(turns);
	return true;
}

/* The construct that the members execute, as the first one has entered it. */
static uint32_t executed_construct(const struct shared *shared)
{
	const struct strand *strand = &shared->recording->strands[shared->team->strands[0]];

	return strand->actions[shared->begins[0] - 1].subject;
}

/*
 * The next execution of a construct that the members come to without a barrier in between, if that
 * is the same one for all.
 */
static bool find_next_loop(const struct shared *shared, struct shared *next, uint32_t *construct)
{
	bool *wanted = memory_new(shared->recording->construct_count, sizeof(wanted[0]));
	bool is_found = true;

	*construct = RECORDED_NONE;
	for (uint32_t i = 0; i < shared->team->size && is_found; i++) {
		const struct strand *strand = &shared->recording->strands[shared->team->strands[i]];
		size_t at = shared->ends[i];

		while (at < strand->count && strand->actions[at].kind != ACTION_BARRIER &&
		       strand->actions[at].kind != ACTION_ENTER)
			at++;
		is_found = at < strand->count && strand->actions[at].kind == ACTION_ENTER &&
			   strand->actions[at].subject != RECORDED_NONE &&
			   (i == 0 || strand->actions[at].subject == *construct);
		if (!is_found)
			break;
		*construct = strand->actions[at].subject;
		wanted[*construct] = true;
		next->begins[i] = at;
		change_find_body(strand, wanted, &next->begins[i], &next->ends[i]);
		next->work[i] = change_work(strand, next->begins[i], next->ends[i]);
	}
	free(wanted);
	return is_found;
}

/*
 * Members that come to a loop later than they did take fewer of its iterations, if it lets them
 * take chunks: they still end together. `later`: by member, in ticks.
 */
static void end_together(struct shared *shared, const double *later)
{
	uint32_t size = shared->team->size, construct;
	struct shared next = *shared;
	double mean = 0;

	next.begins = memory_new(size, sizeof(next.begins[0]));
	next.ends = memory_new(size, sizeof(next.ends[0]));
	next.work = memory_new(size, sizeof(next.work[0]));
	if (find_next_loop(shared, &next, &construct)) {
		struct loop_execution execution = {
		    next.recording, next.team, next.begins, next.ends, next.work};
		const struct loop_shape *shape =
		    loop_shapes_take(shared->shapes, construct, &execution);

		for (uint32_t i = 0; i < size; i++)
			mean += later[i] / size;
		for (uint32_t i = 0; i < size && shape && loop_shape_is_taken(shape); i++) {
			double work = (double)next.work[i] - later[i] + mean;

			give_work(&next, i, work > 0 ? (uint64_t)(work + 0.5) : 0);
		}
	}
	free(next.begins);
	free(next.ends);
	free(next.work);
}

/* Divides the work as the loop's marks show it; false: it has none. */
static bool deal_by_marks(struct shared *shared, const struct change *change)
{
	struct loop_execution execution = {
	    shared->recording, shared->team, shared->begins, shared->ends, shared->work};
	const struct loop_shape *shape =
	    loop_shapes_take(shared->shapes, executed_construct(shared), &execution);
	double nanosecond = (double)shared->analysis->archive->ticks_per_second / 1e9;
	double *loads;

	if (shape == NULL)
		return false;
	loads = memory_new(shared->team->size, sizeof(loads[0]));
	shared->unknown |= loop_shape_deal(
	    shape, shared->work, change, shared->team->size, shared->division, nanosecond, loads);
	for (uint32_t i = 0; i < shared->team->size; i++) {
		double work = loads[i];

		loads[i] -= (double)shared->work[i];
		give_work(shared, i, (uint64_t)(work + 0.5));
	}
	end_together(shared, loads);
	free(loads);
	return true;
}

static void share_execution(struct shared *shared, const struct change *change)
{
	if (deal_by_marks(shared, change))
		return;
	if (change->kind == CHANGE_BALANCE) {
		balance(shared, change);
		return;
	}
	/* With one block per thread, the work stays as in the trace. */
	if (!deal_turns(shared, change) &&
	    (change->schedule != LOOP_SCHEDULE_STATIC || change->number > 0))
		balance(shared, change);
}

unsigned change_share(struct recording *recording, const struct analysis *analysis,
    const struct change *change, enum division division)
{
	struct loop_shapes shapes = loop_shapes_new(recording->construct_count);
	unsigned unknown = 0;

	for (size_t i = 0; i < recording->team_count; i++) {
		const struct recorded_team *team = &recording->teams[i];
		struct shared shared = {
		    .recording = recording,
		    .analysis = analysis,
		    .team = team,
		    .begins = memory_new(team->size, sizeof(shared.begins[0])),
		    .ends = memory_new(team->size, sizeof(shared.ends[0])),
		    .work = memory_new(team->size, sizeof(shared.work[0])),
		    .division = division,
		    .shapes = &shapes,
		};

		while (team->size > 1 && find_execution(&shared, change->subjects))
			share_execution(&shared, change);
		unknown |= shared.unknown;
		free(shared.begins);
		free(shared.ends);
		free(shared.work);
	}
	loop_shapes_free(&shapes);
	return unknown;
}

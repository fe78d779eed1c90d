/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which order of locks a thread takes may depend on what the runtime gives it to do, or on another
 * thread. So one run may show one order, and another run the opposite one; a further run could show
 * both. Orders of several runs are a cycle that could close if for each two of them
 *
 *   - the locks are the same, by names that do not depend on the run (stable-names.c), and no gate
 *     is common to both. A gate whose name is not known counts as any;
 *   - they occurred at positions of the program's structure (struct team_position) at which nothing
 *     orders them. If a run has shown both, its own positions decide: two orders that one thread
 *     takes one after the other are so in each run, whichever thread it is.
 *
 * A run that has all of the cycle's orders has been judged by its clocks, while it ran. The clocks
 * of two runs cannot be compared; positions can, and where they do not tell, nothing is said.
 */
#include "joined-orders.h"

#include <string.h>

enum {
	CYCLE_LOCKS = 8,
	MOST_ORDERS = 4096,
	MOST_STEPS = 1 << 20, /* of the search */
	MOST_CYCLES = 64,
	UNKNOWN = 1 /* the name of a lock that may be another one in each run */
};

/*
 * The same order, at the same places, in several runs. A family has the same locks, taken at the
 * same calls, whoever called that code, and whatever else was held.
 */
struct edge {
	const struct race_order **orders;
	size_t count, room;
	size_t family; /* index of its first edge */
};

struct search {
	struct inst_arena *arena;
	struct edge *edges;
	size_t count, room;
	unsigned steps;
	const struct edge *way[CYCLE_LOCKS];
	size_t length;
	struct race_cycles *cycles;
};

static bool are_equal_stacks(const struct race_stack *left, const struct race_stack *right)
{
	bool equal = left->count == right->count;

	for (size_t i = 0; equal && i < left->count; i++)
		equal = left->frames[i].offset == right->frames[i].offset &&
			strcmp(left->frames[i].module, right->frames[i].module) == 0;
	return equal;
}

/* The outer frames of a worker are not those of the first thread. */
static bool begin_alike(const struct race_stack *left, const struct race_stack *right)
{
	return left->count > 0 && right->count > 0 &&
	       left->frames[0].offset == right->frames[0].offset &&
	       strcmp(left->frames[0].module, right->frames[0].module) == 0;
}

static bool are_of_one_family(const struct race_order *left, const struct race_order *right)
{
	return left->wanted == right->wanted && left->held == right->held &&
	       strcmp(left->program, right->program) == 0 &&
	       begin_alike(&left->wait.wanted, &right->wait.wanted) &&
	       begin_alike(&left->wait.held, &right->wait.held);
}

static bool are_same(const struct race_order *left, const struct race_order *right)
{
	return are_of_one_family(left, right) && left->gate_count == right->gate_count &&
	       memcmp(left->gates, right->gates, left->gate_count * sizeof *left->gates) == 0 &&
	       are_equal_stacks(&left->wait.held, &right->wait.held);
}

/* Has another process of the run shown orders of the same program? It may be another rank. */
static bool has_sibling(const struct race_reports *reports, const struct race_order *order)
{
	for (size_t i = 0; i < reports->order_count; i++) {
		const struct race_order *other = &reports->orders[i];
		if (other->run == order->run && other->log != order->log &&
		    strcmp(other->program, order->program) == 0)
			return true;
	}
	return false;
}

static void add_order(struct search *search, const struct race_order *order)
{
	size_t at = 0;

	while (at < search->count && !are_same(search->edges[at].orders[0], order))
		at++;
	if (at == MOST_ORDERS)
		return;
	if (at == search->count) {
		size_t family = 0;
		while (family < at && !are_of_one_family(search->edges[family].orders[0], order))
			family++;
		*ARENA_ADD(search->arena, search->edges, search->count, search->room) =
		    (struct edge){.family = family};
	}
	struct edge *edge = &search->edges[at];
	*ARENA_ADD(search->arena, edge->orders, edge->count, edge->room) = order;
}

static bool share_a_gate(const struct race_order *left, const struct race_order *right)
{
	for (size_t i = 0; i < left->gate_count; i++)
		for (size_t j = 0; j < right->gate_count; j++)
			if (left->gates[i] == right->gates[j] || left->gates[i] == UNKNOWN ||
			    right->gates[j] == UNKNOWN)
				return true;
	return false;
}

/* From the level inwards, has it acquired nothing? */
static bool is_clean(const struct team_position *position, uint32_t level)
{
	const uint32_t all = (2U << position->depth) - (1U << level);

	return (position->clean & all) == all;
}

/* Who executes a single construct is chance. */
static bool are_of_one_member(const struct team_position *left, const struct team_position *right)
{
	if (left->single != 0 || right->single != 0)
		return left->single == right->single;
	return left->thread == right->thread;
}

/* Threads of teams of different sizes, counted from the first or from the last. */
static bool may_be_of_one_thread(
    const struct team_position *left, const struct team_position *right)
{
	return left->thread == right->thread ||
	       left->size - left->thread == right->size - right->thread;
}

static bool are_concurrent(const struct team_position *left, const struct team_position *right)
{
	if (left->region == 0 || left->region != right->region || left->phase != right->phase)
		return false;
	if (!are_of_one_member(left, right))
		return !may_be_of_one_thread(left, right) && is_clean(left, 0) &&
		       is_clean(right, 0);
	for (uint32_t level = 0; level < left->depth && level < right->depth; level++) {
		if (left->tasks[level].waits != right->tasks[level].waits)
			return false;
		if (left->tasks[level].number != right->tasks[level].number)
			return is_clean(left, level + 1) && is_clean(right, level + 1);
	}
	return false;
}

static bool can_meet(const struct race_order *left, const struct race_order *right)
{
	for (size_t i = 0; i < left->position_count; i++)
		for (size_t j = 0; j < right->position_count; j++)
			if (are_concurrent(&left->positions[i], &right->positions[j]))
				return true;
	return false;
}

/* Orders of two families that one run has shown: is there one, and can any of them meet? */
struct together {
	bool is, can_meet;
};

static void look_for_common_logs(
    const struct edge *left, const struct edge *right, struct together *together)
{
	for (size_t i = 0; i < left->count; i++)
		for (size_t j = 0; j < right->count; j++) {
			if (left->orders[i]->log != right->orders[j]->log)
				continue;
			together->is = true;
			together->can_meet |= can_meet(left->orders[i], right->orders[j]);
		}
}

static struct together are_together(
    const struct search *search, const struct edge *left, const struct edge *right)
{
	struct together together = {0};

	for (size_t i = 0; i < search->count; i++) {
		const struct edge *one = &search->edges[i];
		for (size_t j = 0; j < search->count && one->family == left->family; j++) {
			const struct edge *other = &search->edges[j];
			if (other->family == right->family)
				look_for_common_logs(one, other, &together);
		}
	}
	return together;
}

static bool can_meet_in_any(const struct edge *left, const struct edge *right)
{
	for (size_t i = 0; i < left->count; i++)
		for (size_t j = 0; j < right->count; j++)
			if (can_meet(left->orders[i], right->orders[j]))
				return true;
	return false;
}

/* If runs have shown both, one of them decides. */
static bool can_join(const struct search *search, const struct edge *left, const struct edge *right)
{
	if (left == right || strcmp(left->orders[0]->program, right->orders[0]->program) != 0 ||
	    share_a_gate(left->orders[0], right->orders[0]) || !can_meet_in_any(left, right))
		return false;
	const struct together together = are_together(search, left, right);
	return !together.is || together.can_meet;
}

static bool has_log(const struct edge *edge, unsigned log)
{
	for (size_t i = 0; i < edge->count; i++)
		if (edge->orders[i]->log == log)
			return true;
	return false;
}

/* Has a run all orders of the way? */
static bool is_of_one_run(const struct search *search)
{
	for (size_t i = 0; i < search->way[0]->count; i++) {
		bool all = true;
		for (size_t j = 1; j < search->length && all; j++)
			all = has_log(search->way[j], search->way[0]->orders[i]->log);
		if (all)
			return true;
	}
	return false;
}

/* The orders of an edge are in the order of their runs. */
static void add_cycle(struct search *search)
{
	struct race_cycles *cycles = search->cycles;
	struct race_cycle cycle = {.is_joined = true,
	    .run = search->way[0]->orders[0]->run,
	    .waits = arena_allocate(search->arena, search->length * sizeof *cycle.waits),
	    .count = search->length};

	for (size_t i = 0; i < search->length; i++) {
		const struct edge *edge = search->way[i];
		cycle.waits[i] = edge->orders[0]->wait;
		for (size_t j = 0; j < edge->count; j++)
			race_seen_add(search->arena, &cycle.waits[i].seen, edge->orders[j]->run);
	}
	*ARENA_ADD(search->arena, cycles->items, cycles->count, cycles->room) = cycle;
}

/* Goes on from the way's last edge with those behind its first one: so each cycle is found once. */
static void go_on(struct search *search)
{
	const struct race_order *first = search->way[0]->orders[0],
				*last = search->way[search->length - 1]->orders[0];

	for (size_t i = (size_t)(search->way[0] - search->edges) + 1; i < search->count; i++) {
		const struct edge *edge = &search->edges[i];
		bool can = edge->orders[0]->held == last->wanted;
		if (++search->steps > MOST_STEPS || search->cycles->count == MOST_CYCLES)
			return;
		for (size_t j = 0; j < search->length && can; j++)
			can = can_join(search, search->way[j], edge);
		if (!can)
			continue;
		search->way[search->length++] = edge;
		if (edge->orders[0]->wanted != first->held && search->length < CYCLE_LOCKS)
			go_on(search);
		else if (edge->orders[0]->wanted == first->held && !is_of_one_run(search))
			add_cycle(search);
		search->length--;
	}
}

void race_orders_join(const struct race_reports *reports, struct race_cycles *cycles)
{
	struct search search = {.arena = reports->arena, .cycles = cycles};

	for (size_t i = 0; i < reports->order_count; i++)
		if (!has_sibling(reports, &reports->orders[i]))
			add_order(&search, &reports->orders[i]);
	for (size_t i = 0; i < search.count; i++) {
		search.way[0] = &search.edges[i];
		search.length = 1;
		go_on(&search);
	}
}

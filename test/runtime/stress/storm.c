/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A storm of tasks: a random tree in which each task draws its clauses, what it does between its
 * children and what it waits for. One thread generates the first of them; half of the time it then
 * waits for the end in a loop of its own, at no scheduling point, so that the other threads of the
 * team have to execute all, and no task may be left over that none of them takes.
 */
#include "stress.h"

enum { MOST_CHILDREN = 5, DEEPEST_TASK = 5, CELLS_OF_TASK = 3, MOST_TASKS = 400 };

enum end { WAITS_FOR_NOTHING, TASKWAIT, TASKWAIT_DEPEND, TASKGROUP, ENDS };

enum fulfilled { BY_ITSELF, BY_A_CHILD, BY_THE_PARENT, WAYS_TO_FULFILL };

struct node {
	struct slot *slot;
	uint64_t seed;
	unsigned depth; /* generations below it */
	bool in_final;  /* it is a final task, or included in one */
	bool has_event; /* its last child fulfils `event`, or itself when it has none */
	omp_event_handle_t event;
};

/* What a task draws for one of its children. */
struct clauses {
	bool untied, mergeable, deferred, is_final, detached;
	int priority;
	unsigned depend; /* 1 to 3, else none */
	unsigned cell;
	enum fulfilled fulfilled;
};

/* What is drawn is the same for the node and for the count of its descendants. */
static unsigned draw_children(struct random *random, const struct node *node)
{
	return node->depth > 0 ? below(random, MOST_CHILDREN + 1) : 0;
}

static unsigned count_nodes(uint64_t seed, unsigned depth)
{
	struct node node = {.depth = depth};
	struct random random = {seed};
	unsigned children = draw_children(&random, &node), nodes = 1;

	for (unsigned i = 0; i < children && nodes < MOST_TASKS; i++)
		nodes += count_nodes(next_random(&random), depth - 1);
	return nodes;
}

/* open: the parent has to fulfil events of children that it generated before. */
static struct clauses draw_clauses(struct random *random, bool in_final, bool open)
{
	struct clauses clauses = {
	    .untied = below(random, 2),
	    .mergeable = below(random, 4) == 0,
	    .deferred = below(random, 6) != 0,
	    .is_final = below(random, 12) == 0,
	    .detached = !in_final && below(random, 5) == 0,
	    .priority = below(random, 4) == 0 ? (int)below(random, 5) : 0,
	    .depend = below(random, 8),
	    .cell = below(random, CELLS_OF_TASK),
	    .fulfilled = below(random, WAYS_TO_FULFILL),
	};

	/* For one that is executed at once the parent may have to wait. */
	if (!clauses.deferred || clauses.is_final) {
		clauses.fulfilled = BY_ITSELF;
		clauses.depend = open ? 0 : clauses.depend;
	}
	return clauses;
}

static void run_node(struct node node);

#define PRAGMA(text) _Pragma(#text)
#define TASK(more)                                                                                 \
	PRAGMA(omp task firstprivate(child) if (clauses->deferred) final(clauses->is_final)        \
		priority(clauses->priority) more)                                                  \
	run_node(child)
#define DETACHED(more)                                                                             \
	PRAGMA(omp task firstprivate(child, fulfilled) detach(event) if (clauses->deferred)        \
		final(clauses->is_final) priority(clauses->priority) more)                         \
	run_detached(child, event, fulfilled)

static void run_detached(struct node node, omp_event_handle_t event, enum fulfilled fulfilled)
{
	node.event = event;
	node.has_event = fulfilled == BY_A_CHILD;
	run_node(node);
	if (fulfilled == BY_ITSELF)
		omp_fulfill_event(event);
}

/* Returns the event that the parent has to fulfil, 0: none. */
static omp_event_handle_t generate_detached(
    struct node child, const struct clauses *clauses, char *cell)
{
	enum fulfilled fulfilled = clauses->fulfilled;
	omp_event_handle_t event = 0;

	(void)cell; /* gcc counts no use in a clause */
	if (clauses->depend == 1 && clauses->untied)
		DETACHED(untied depend(in : cell[0]));
	else if (clauses->depend == 1)
		DETACHED(depend(in : cell[0]));
	else if (clauses->depend == 2 && clauses->untied)
		DETACHED(untied depend(inout : cell[0]));
	else if (clauses->depend == 2)
		DETACHED(depend(inout : cell[0]));
	else if (clauses->untied)
		DETACHED(untied);
	else
		DETACHED();
	return fulfilled == BY_THE_PARENT ? event : 0;
}

static void generate_untied(struct node child, const struct clauses *clauses, char *cell)
{
	(void)cell;
	switch (clauses->depend) {
	case 1:
		TASK(untied depend(in : cell[0]));
		break;
	case 2:
		TASK(untied depend(inout : cell[0]));
		break;
	case 3:
		TASK(untied depend(mutexinoutset : cell[0]));
		break;
	default:
		if (clauses->mergeable)
			TASK(untied mergeable);
		else
			TASK(untied);
	}
}

static void generate_tied(struct node child, const struct clauses *clauses, char *cell)
{
	(void)cell;
	switch (clauses->depend) {
	case 1:
		TASK(depend(in : cell[0]));
		break;
	case 2:
		TASK(depend(out : cell[0]));
		break;
	case 3:
		TASK(mergeable depend(mutexinoutset : cell[0]));
		break;
	default:
		if (clauses->mergeable)
			TASK(mergeable);
		else
			TASK();
	}
}

static void pass_time(struct random *random)
{
	unsigned kind = below(random, 64);

	if (kind == 0)
		usleep(below(random, 200));
	else if (kind < 4)
		sched_yield();
	else if (kind < 20)
		dawdle((int)below(random, 400));
	else if (kind < 28) {
#pragma omp taskyield
	}
}

/* random: the node's, for its children's seeds; own: for all that the count does not know. */
static void generate_children(
    struct node *node, unsigned children, struct random *random, struct random *own, char *cells)
{
	omp_event_handle_t events[MOST_CHILDREN];
	unsigned open = 0;

	for (unsigned i = 0; i < children; i++) {
		struct clauses clauses = draw_clauses(own, node->in_final, open > 0);
		char *cell = &cells[clauses.cell];
		struct node child = {.slot = node->slot,
		    .seed = next_random(random),
		    .depth = node->depth - 1,
		    .in_final = node->in_final || clauses.is_final};

		if (node->has_event && i == children - 1 && !clauses.detached) {
			child.event = node->event;
			child.has_event = true;
			node->has_event = false;
		}
		if (clauses.detached) {
			events[open] = generate_detached(child, &clauses, cell);
			open += events[open] != 0;
		} else if (clauses.untied) {
			generate_untied(child, &clauses, cell);
		} else {
			generate_tied(child, &clauses, cell);
		}
		pass_time(own);
	}
	while (open > 0)
		omp_fulfill_event(events[--open]);
}

static void run_node(struct node node)
{
	struct random random = {node.seed}, own = {~node.seed};
	unsigned children = draw_children(&random, &node);
	enum end end = below(&own, ENDS);
	char cells[CELLS_OF_TASK];

	pass_time(&own);
	if (end == TASKGROUP) {
#pragma omp taskgroup
		generate_children(&node, children, &random, &own, cells);
	} else {
		generate_children(&node, children, &random, &own, cells);
	}
	if (end == TASKWAIT) {
#pragma omp taskwait
	} else if (end == TASKWAIT_DEPEND) {
#pragma omp taskwait depend(inout : cells[0])
	}
	if (node.has_event)
		omp_fulfill_event(node.event);
	raise_flag(&node.slot->flag);
}

/* The thread executes nothing: the others have to. */
static void await_storm(struct step *step, unsigned nodes)
{
	double deadline = check_deadline(30);

	while (!is_raised(&step->slot->flag, (int)nodes) && keep_waiting(deadline))
		;
	if (!CHECK_EQUAL(is_raised(&step->slot->flag, (int)nodes), true))
		fprintf(stderr, "a storm of %u tasks, of which %d ended; %d threads\n", nodes,
		    __atomic_load_n(&step->slot->flag, __ATOMIC_RELAXED), step->team);
}

void storm_step(struct step *step)
{
	struct node root = {.slot = step->slot, .seed = next_random(step->common)};
	bool polls = below(step->common, 2) && step->team > 1;
	unsigned roots = 1 + below(step->common, 4), nodes = 0;

#pragma omp single
	{
		root.depth = DEEPEST_TASK;
		for (unsigned i = 0; i < roots; i++) {
			uint64_t seed = root.seed + i;

			while (root.depth > 0 && count_nodes(seed, root.depth) >= MOST_TASKS)
				root.depth--;
			nodes += count_nodes(seed, root.depth);
			struct node node = root;

			node.seed = seed;
			if (i % 2 == 0) {
#pragma omp task untied firstprivate(node)
				run_node(node);
			} else {
#pragma omp task firstprivate(node)
				run_node(node);
			}
		}
		step->slot->plain = (int)nodes;
		if (polls)
			await_storm(step, nodes);
	}
	CHECK_EQUAL(step->slot->flag, step->slot->plain);
}

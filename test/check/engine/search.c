/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses what is tried next. Each run is a list of choices; the next run differs in the last
 * choice that has an untried alternative (depth first), or all choices are random.
 *
 * SEARCH_REDUCED leaves out equivalent orders: dynamic partial-order reduction of Flanagan and
 * Godefroid (POPL 2005) with sleep sets. Two operations of different threads depend on each other
 * if one reads what the other writes, or if both order themselves (futex, mutex). A load may return
 * old values, and a store may come before others in modification order. A load after a store
 * therefore covers the load before it, and the order of two stores does not matter at all: only a
 * load that was executed before a store must also be tried after it. This does not hold across a
 * barrier of all threads (membarrier), which depends on every other operation.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODES = 1 << 18, STEPS = 1 << 17, BUCKETS = 1 << 12, NOT_FOUND = -1 };

struct node {
	bool is_schedule;
	uint32_t count, chosen; /* of values; `chosen` is the thread of a schedule */
	uint32_t enabled, backtrack, done, sleep; /* sets of threads */
	int current;                              /* the thread that ran before */
	uint32_t preemptions;                     /* number of them before this choice */
};

struct step {
	struct operation operation;
	int thread;
	uint32_t node;
	int32_t previous; /* previous step whose address has the same hash value */
	struct clock order;
};

static struct node nodes[NODES];
static uint32_t node_count, at; /* at: how many nodes this run has used */
static struct step steps[STEPS];
static uint32_t step_count;
static int32_t buckets[BUCKETS];
static int32_t last_barrier; /* step; `previous` leads to earlier ones */
static struct clock barrier_order;
static uint32_t asleep;        /* threads */
static uint32_t schedule_node; /* of the current step */
static struct clock order_before;
static struct search_limits limits;
static const struct check_harness *harness;
static uint32_t preemptions;
static uint64_t random_state;
static uint32_t switch_odds, value_odds;
static struct search_result result;

static uint32_t next_random(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state * 0x2545f4914f6cdd1du >> 33) % below);
}

static struct node *new_node(void)
{
	if (node_count == NODES)
		report_failure(NULL, "more than %d choices in one run", NODES);
	memset(&nodes[node_count], 0, sizeof(nodes[0]));
	at++;
	return &nodes[node_count++];
}

uint32_t search_choose(uint32_t count)
{
	struct node *node;

	if (count == 1)
		return 0;
	if (at < node_count) {
		node = &nodes[at++];
		if (node->is_schedule || node->chosen >= count)
			report_failure(NULL, "the harness does not repeat itself (choice %u)", at);
		node->count = count;
		return node->chosen;
	}
	node = new_node();
	node->count = count;
	if (limits.mode == SEARCH_RANDOM && next_random(value_odds) == 0)
		node->chosen = next_random(count);
	return node->chosen;
}

static uint32_t first_of(uint32_t threads)
{
	return (uint32_t)__builtin_ctz(threads);
}

static bool is_preemption(const struct node *node, uint32_t thread)
{
	return node->current >= 0 && (node->enabled >> node->current & 1) != 0 &&
	       (uint32_t)node->current != thread;
}

static uint32_t pick_random(uint32_t enabled, int current)
{
	uint32_t skip;

	if (current >= 0 && (enabled >> current & 1) != 0 && next_random(switch_odds) != 0)
		return (uint32_t)current;
	for (skip = next_random((uint32_t)__builtin_popcount(enabled)); skip > 0; skip--)
		enabled &= enabled - 1;
	return first_of(enabled);
}

/* The number of preemptions that a run may have; 0: unlimited. */
static uint32_t bound(void)
{
	return limits.ignores_bounds ? 0 : harness->preemptions;
}

static bool is_reduced(void)
{
	return limits.mode == SEARCH_REDUCED && bound() == 0;
}

/* Also used when a choice is repeated: its sleeping threads are those of the previous run. */
static int take(struct node *node)
{
	asleep = (node->sleep | node->done) & ~(1u << node->chosen);
	preemptions = node->preemptions + is_preemption(node, node->chosen);
	schedule_node = (uint32_t)(node - nodes);
	order_before = check_threads[node->chosen].order;
	return (int)node->chosen;
}

int search_thread(uint32_t enabled, int current)
{
	struct node *node;

	if (at < node_count) {
		node = &nodes[at++];
		if (!node->is_schedule || (enabled >> node->chosen & 1) == 0)
			report_failure(NULL, "the harness does not repeat itself (choice %u)", at);
		node->enabled = enabled;
		node->current = current;
		return take(node);
	}
	node = new_node();
	node->is_schedule = true;
	node->enabled = enabled;
	node->current = current;
	node->preemptions = preemptions;
	node->sleep = is_reduced() ? asleep & enabled : 0;
	if ((enabled & ~node->sleep) == 0) {
		result.pruned++;
		return NOT_FOUND;
	}
	enabled &= ~node->sleep;
	if (limits.mode == SEARCH_RANDOM)
		node->chosen = pick_random(enabled, current);
	else if (current >= 0 && (enabled >> current & 1) != 0)
		node->chosen = (uint32_t)current;
	else
		node->chosen = first_of(enabled);
	node->backtrack = is_reduced() ? 1u << node->chosen : node->enabled;
	return take(node);
}

static bool is_across_barrier(const struct operation *one, const struct operation *other)
{
	return ((one->kind | other->kind) & OP_BARRIER) != 0 && one->kind != 0 && other->kind != 0;
}

/* After `executed`, must a thread that sleeps before `next` be considered again? */
static bool wakes(const struct operation *next, const struct operation *executed)
{
	if (is_across_barrier(next, executed))
		return true;
	if (next->address != executed->address)
		return false;
	return ((executed->kind & OP_WRITES) != 0 && (next->kind & OP_READS) != 0) ||
	       (executed->kind & next->kind & OP_ORDERS) != 0;
}

/* Could the two operations have another result if executed in the other order? */
static bool must_reverse(const struct operation *earlier, const struct operation *later)
{
	return ((earlier->kind & OP_READS) != 0 && (later->kind & OP_WRITES) != 0) ||
	       (earlier->kind & later->kind & OP_ORDERS) != 0;
}

/* Does the step depend, through what it has read, on a step after `earlier`? */
static bool has_predecessor(const struct clock *order, int thread, uint32_t earlier)
{
	for (int i = 0; i < CHECK_THREADS; i++)
		if (i != thread && order->at[i] > earlier)
			return true;
	return false;
}

/*
 * The threads that could have gone first at `earlier` in an order in which the current step
 * precedes it. Of the steps in between that do not depend on `earlier`, these are the threads whose
 * steps depend on none of the others.
 */
static uint32_t find_initials(uint32_t earlier, int thread)
{
	uint32_t seen = 1u << steps[earlier].thread, initials = 0;

	for (uint32_t i = earlier + 1; i < step_count; i++) {
		const struct step *step = &steps[i];

		if ((seen >> step->thread & 1) != 0)
			continue;
		seen |= 1u << step->thread;
		if (!has_predecessor(&step->order, step->thread, earlier))
			initials |= 1u << step->thread;
	}
	if ((seen >> thread & 1) == 0 && !has_predecessor(&order_before, thread, earlier))
		initials |= 1u << thread;
	return initials & nodes[steps[earlier].node].enabled;
}

/* Arranges that the current step is also tried before `earlier`. */
static void add_backtrack(uint32_t earlier, int thread)
{
	struct node *node = &nodes[steps[earlier].node];
	uint32_t initials = find_initials(earlier, thread);

	if (last_barrier > (int32_t)earlier) { /* as in find_reversal() */
		node->backtrack |= node->enabled;
		return;
	}
	if ((initials & (node->backtrack | node->sleep)) != 0)
		return;
	if (initials != 0)
		node->backtrack |= 1u << first_of(initials);
	else
		node->backtrack |= node->enabled;
}

static uint32_t bucket_of(uintptr_t address)
{
	return (uint32_t)(address * 0x9e3779b97f4a7c15u >> 52) % BUCKETS;
}

static void find_reversals(const struct operation *operation, int thread)
{
	for (int32_t i = buckets[bucket_of(operation->address)]; i != NOT_FOUND;
	     i = steps[i].previous) {
		const struct step *earlier = &steps[i];

		if (earlier->operation.address == operation->address && earlier->thread != thread &&
		    must_reverse(&earlier->operation, operation) &&
		    order_before.at[earlier->thread] <= (uint32_t)i)
			add_backtrack((uint32_t)i, thread);
	}
}

/*
 * If a step crosses a barrier, it is not known exactly which others move with it: any thread may go
 * first.
 */
static void find_reversal(int32_t earlier, const struct operation *operation, int thread)
{
	const struct step *step = &steps[earlier];
	struct node *node = &nodes[step->node];

	if (step->thread != thread && is_across_barrier(&step->operation, operation) &&
	    order_before.at[step->thread] <= (uint32_t)earlier)
		node->backtrack |= node->enabled;
}

static void find_reversals_of_barriers(const struct operation *operation, int thread)
{
	if ((operation->kind & OP_BARRIER) != 0)
		for (uint32_t i = 0; i < step_count; i++)
			find_reversal((int32_t)i, operation, thread);
	else
		for (int32_t i = last_barrier; i != NOT_FOUND; i = steps[i].previous)
			find_reversal(i, operation, thread);
}

/* Steps before a barrier, on any thread, precede the steps after it. */
static void order_by_barriers(const struct operation *operation)
{
	if ((operation->kind & OP_BARRIER) != 0) {
		for (int i = 0; i < CHECK_THREADS; i++)
			clock_join(&check_self->order, &check_threads[i].order);
		barrier_order = check_self->order;
	} else if (operation->kind != 0) {
		clock_join(&check_self->order, &barrier_order);
	}
}

uint32_t search_step(void)
{
	return step_count;
}

void search_order_after(int thread, uint32_t step)
{
	uint32_t *known = &check_self->order.at[thread];

	if (*known < step + 1)
		*known = step + 1;
}

void search_note(const struct operation *operation)
{
	int thread = check_self->number;
	bool is_barrier = (operation->kind & OP_BARRIER) != 0;
	int32_t *last = is_barrier ? &last_barrier : &buckets[bucket_of(operation->address)];

	check_self->order.at[thread] = step_count + 1;
	result.steps++;
	for (int i = 0; i < CHECK_THREADS; i++)
		if ((asleep >> i & 1) != 0 && wakes(&check_threads[i].next, operation))
			asleep &= ~(1u << i);
	if (step_count == STEPS)
		report_failure(NULL, "more than %d steps in one run", STEPS);
	if (is_reduced() && operation->address != 0)
		find_reversals(operation, thread);
	if (is_reduced())
		find_reversals_of_barriers(operation, thread);
	order_by_barriers(operation);
	steps[step_count] =
	    (struct step){*operation, thread, schedule_node, *last, check_self->order};
	*last = (int32_t)step_count++;
}

/* A thread of the choice that must be tried and was not, or NOT_FOUND. */
static int next_thread(struct node *node)
{
	uint32_t left;

	node->done |= 1u << node->chosen;
	left = node->backtrack & ~node->done & ~node->sleep;
	for (; left != 0; left &= left - 1)
		if (bound() == 0 ||
		    node->preemptions + is_preemption(node, first_of(left)) <= bound())
			return (int)first_of(left);
	return NOT_FOUND;
}

/* Sets the next run's choices up to the last one that differs. False if there is no next run. */
static bool advance(void)
{
	while (node_count > 0) {
		struct node *node = &nodes[node_count - 1];
		int thread;

		if (!node->is_schedule && node->chosen + 1 < node->count) {
			node->chosen++;
			return true;
		}
		if (node->is_schedule && (thread = next_thread(node)) != NOT_FOUND) {
			node->chosen = (uint32_t)thread;
			return true;
		}
		node_count--;
	}
	return false;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void begin_run(void)
{
	static const uint32_t odds[] = {2, 4, 16, 64};

	at = 0;
	step_count = 0;
	asleep = 0;
	preemptions = 0;
	memset(buckets, 0xff, sizeof(buckets));
	last_barrier = NOT_FOUND;
	barrier_order = (struct clock){0};
	if (limits.mode != SEARCH_RANDOM)
		return;
	node_count = 0;
	random_state = (limits.seed + result.runs) * 0x9e3779b97f4a7c15u + 1;
	next_random(2);
	switch_odds = odds[next_random(4)];
	value_odds = odds[next_random(4)] / 2;
}

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@%";

static void read_trail(const char *trail)
{
	for (; *trail != '\0'; trail += 2) {
		struct node *node = new_node();
		const char *digit = strchr(digits, trail[1]);

		node->is_schedule = trail[0] == 't';
		node->chosen = digit != NULL ? (uint32_t)(digit - digits) : 0;
		node->sleep = 0;
	}
}

void search_print_trail(FILE *out)
{
	for (uint32_t i = 0; i < at && i < node_count; i++)
		fprintf(
		    out, "%c%c", nodes[i].is_schedule ? 't' : 'v', digits[nodes[i].chosen & 63]);
}

struct search_result search_run(const struct check_harness *of, const struct search_limits *given)
{
	double begun = now();

	harness = check_current = of;
	limits = *given;
	result = (struct search_result){0};
	node_count = 0;
	if (limits.mode == SEARCH_REPLAY)
		read_trail(limits.trail);
	for (;;) {
		begin_run();
		threads_run();
		result.runs++;
		if (report_has_failed()) {
			result.has_failed = true;
			break;
		}
		if (limits.mode == SEARCH_REPLAY)
			break;
		if (limits.mode != SEARCH_RANDOM && !advance()) {
			result.is_complete = true;
			break;
		}
		if (limits.runs != 0 && result.runs >= limits.runs)
			break;
		if (limits.steps != 0 && result.steps >= limits.steps)
			break;
		if (limits.seconds != 0 && result.runs % 16 == 0 && now() - begun > limits.seconds)
			break;
	}
	return result;
}

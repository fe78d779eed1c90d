/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From cycles of locks to findings. Cycles with the same places are one: in a ring of threads that
 * execute the same code, each number of threads has a cycle of its own.
 */
#include "deadlocks.h"

#include "joined-orders.h"

#include <stdlib.h>
#include <string.h>

#define CRITICAL_SYMBOL ".gomp_critical_user_"

/*
 * The name of the critical construct whose lock has this symbol: gcc's begins so, clang's also ends
 * with ".var". The lock of those without a name is the runtime's, or has no name between the two.
 */
static const char *critical_name(struct inst_arena *arena, const char *symbol)
{
	static const char prefix[] = CRITICAL_SYMBOL, suffix[] = ".var";

	if (symbol == NULL || strncmp(symbol, prefix, strlen(prefix)) != 0)
		return NULL;
	symbol += strlen(prefix);
	size_t length = strlen(symbol);
	if (length >= strlen(suffix) && strcmp(symbol + length - strlen(suffix), suffix) == 0)
		length -= strlen(suffix);
	return arena_copy(arena, symbol, length);
}

/* "a[2]" of "a[2]._x[0]": names with an underscore in front belong to the lock's type. */
static const char *without_inside(struct inst_arena *arena, const char *name)
{
	const char *inside = name != NULL ? strstr(name, "._") : NULL;

	return inside != NULL ? arena_copy(arena, name, (size_t)(inside - name)) : name;
}

static struct race_lock_object object_of(
    struct inst_arena *arena, struct race_code *code, const struct race_wait *wait)
{
	struct race_lock_object lock = {.kind = wait->kind, .place = wait->place};

	lock.allocated = race_allocation_line(arena, code, &wait->place);
	if (wait->place.kind == RACE_PLACE_GLOBAL && wait->place.module != NULL)
		race_code_variable(code, wait->place.module, wait->place.offset, &lock.variable);
	if (wait->kind == RACE_CRITICAL) {
		lock.critical = race_module_is_runtime(wait->place.module)
				    ? ""
				    : critical_name(arena, lock.variable.whole);
		lock.variable = (struct race_variable){0};
	}
	lock.variable.name = without_inside(arena, lock.variable.name);
	return lock;
}

/* Fills in the step of a wait; the lock that it holds is what `before` waits for. */
static bool find_step(struct inst_arena *arena, struct race_code *code,
    const struct race_wait *wait, const struct race_wait *before, struct race_lock_step *step)
{
	static const struct suppressions none;

	*step = (struct race_lock_step){.wanted = object_of(arena, code, wait),
	    .held = object_of(arena, code, before),
	    .seen = wait->seen};
	return race_side_find(arena, code, &wait->wanted, &none, &step->at) && step->at.is_known &&
	       race_side_find(arena, code, &wait->held, &none, &step->since) &&
	       step->since.is_known;
}

static int compare_steps(const struct race_lock_step *left, const struct race_lock_step *right)
{
	int order = race_side_compare(&left->at, &right->at);

	return order != 0 ? order : race_side_compare(&left->since, &right->since);
}

static bool has_step(const struct race_deadlock *deadlock, const struct race_lock_step *step)
{
	for (size_t i = 0; i < deadlock->count; i++)
		if (compare_steps(&deadlock->steps[i], step) == 0)
			return true;
	return false;
}

/* The first step in the source comes first. */
static void rotate(struct inst_arena *arena, struct race_deadlock *deadlock)
{
	struct race_lock_step *steps = arena_allocate(arena, (deadlock->count + 1) * sizeof *steps);
	size_t first = 0;

	for (size_t i = 1; i < deadlock->count; i++)
		if (compare_steps(&deadlock->steps[i], &deadlock->steps[first]) < 0)
			first = i;
	for (size_t i = 0; i < deadlock->count; i++)
		steps[i] = deadlock->steps[(first + i) % deadlock->count];
	deadlock->steps = steps;
}

/* False if a place of it is unknown. */
static bool describe(struct inst_arena *arena, struct race_code *code,
    const struct race_cycle *cycle, struct race_deadlock *deadlock)
{
	*deadlock = (struct race_deadlock){.threads = cycle->count,
	    .steps = arena_allocate(arena, cycle->count * sizeof *deadlock->steps),
	    .is_joined = cycle->is_joined,
	    .closed_count = cycle->is_closed};
	for (size_t i = 0; i < cycle->count; i++) {
		const struct race_wait *before =
		    &cycle->waits[(i + cycle->count - 1) % cycle->count];
		struct race_lock_step step;
		if (!find_step(arena, code, &cycle->waits[i], before, &step))
			return false;
		if (cycle->is_joined || !has_step(deadlock, &step))
			deadlock->steps[deadlock->count++] = step;
	}
	rotate(arena, deadlock);
	return true;
}

static bool are_one(const struct race_deadlock *left, const struct race_deadlock *right)
{
	bool one = (left->threads == 1) == (right->threads == 1);

	for (size_t i = 0; one && i < left->count; i++)
		one = has_step(right, &left->steps[i]);
	for (size_t i = 0; one && i < right->count; i++)
		one = has_step(left, &right->steps[i]);
	return one;
}

static bool fits_side(const struct suppression *suppression, const struct race_side *side)
{
	bool fits = suppression_fits(suppression, side->module);

	for (size_t i = 0; i < side->caller_count && !fits; i++)
		fits = suppression_fits(suppression, side->callers[i].function) ||
		       suppression_fits(suppression, side->callers[i].file);
	return fits;
}

static bool fits_deadlock(
    const struct suppression *suppression, const struct race_deadlock *deadlock)
{
	bool fits = false;

	for (size_t i = 0; i < deadlock->count && !fits; i++)
		fits = fits_side(suppression, &deadlock->steps[i].at) ||
		       fits_side(suppression, &deadlock->steps[i].since);
	return fits && suppression->kind == SUPPRESSES_DEADLOCK;
}

/* The suppression that fits one of the stacks, or NULL. */
static const struct suppression *suppression_of(
    const struct suppressions *suppressions, const struct race_deadlock *deadlock)
{
	for (size_t i = 0; i < suppressions->count; i++)
		if (fits_deadlock(&suppressions->all[i], deadlock))
			return &suppressions->all[i];
	return NULL;
}

static struct race_deadlock *find_same(
    const struct race_deadlocks *deadlocks, const struct race_deadlock *wanted)
{
	for (size_t i = 0; i < deadlocks->count; i++)
		if (are_one(&deadlocks->items[i], wanted))
			return &deadlocks->items[i];
	return NULL;
}

/* By their places: which cycle a run sees first is chance. */
static int compare_deadlocks(const void *left, const void *right)
{
	const struct race_deadlock *one = left, *other = right;
	int order = 0;

	for (size_t i = 0; order == 0 && i < one->count && i < other->count; i++)
		order = compare_steps(&one->steps[i], &other->steps[i]);
	if (order == 0)
		order = (one->count > other->count) - (one->count < other->count);
	return order != 0 ? order
			  : (one->threads > other->threads) - (one->threads < other->threads);
}

/* In the order of the runs. */
static int compare_runs(const void *left, const void *right)
{
	const unsigned *one = left, *other = right;

	return (*one > *other) - (*one < *other);
}

/* The runs that have shown any of its steps. */
static void add_seen_steps(struct inst_arena *arena, struct race_deadlock *deadlock)
{
	struct race_seen all = {0};
	unsigned count = 0;

	for (size_t i = 0; i < deadlock->count; i++)
		for (unsigned j = 0; j < deadlock->steps[i].seen.count; j++)
			race_seen_add(arena, &all, deadlock->steps[i].seen.runs[j]);
	if (all.count > 0)
		qsort(all.runs, all.count, sizeof *all.runs, compare_runs);
	for (unsigned i = 0; i < all.count; i++)
		if (count == 0 || all.runs[count - 1] != all.runs[i])
			all.runs[count++] = all.runs[i];
	all.count = count;
	deadlock->seen = all;
}

static void add_deadlock(struct inst_arena *arena, struct race_deadlocks *deadlocks,
    const struct race_deadlock *one, unsigned run)
{
	struct race_deadlock *same = find_same(deadlocks, one);

	if (same == NULL) {
		same = ARENA_ADD(arena, deadlocks->items, deadlocks->count, deadlocks->room);
		*same = *one;
		if (one->is_joined)
			add_seen_steps(arena, same);
		else
			race_seen_add(arena, &same->seen, run);
		return;
	}
	if (one->verdict.suppression == NULL)
		same->verdict.suppression = NULL;
	if (!one->is_joined)
		race_seen_add(arena, &same->seen, run);
	same->closed_count += one->closed_count;
	if (one->threads < same->threads)
		same->threads = one->threads;
}

/* What one run has shown comes first: then the same cycle of several is nothing new. */
void race_deadlocks_make(struct inst_arena *arena, struct race_code *code,
    const struct race_reports *reports, const struct suppressions *suppressions,
    struct race_deadlocks *deadlocks)
{
	struct race_cycles joined = {0};
	struct race_deadlock one;

	*deadlocks = (struct race_deadlocks){0};
	race_orders_join(reports, &joined);
	for (size_t i = 0; i < reports->cycle_count + joined.count; i++) {
		const struct race_cycle *cycle = i < reports->cycle_count
						     ? &reports->cycles[i]
						     : &joined.items[i - reports->cycle_count];
		if (!describe(arena, code, cycle, &one))
			continue;
		one.verdict.suppression = suppression_of(suppressions, &one);
		add_deadlock(arena, deadlocks, &one, cycle->run);
	}
	if (deadlocks->count > 0)
		qsort(deadlocks->items, deadlocks->count, sizeof deadlocks->items[0],
		    compare_deadlocks);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps with mutual exclusion and waits between threads, and teams inside of teams.
 */
#include "stress.h"

static int in_critical;       /* atomic: threads of any team inside */
static long double slow_sum;  /* only ever updated by atomic constructs */
static long plain_everywhere; /* plain: the unnamed critical region protects it */

void single_step(struct step *step)
{
	uint64_t value = 0;

	expect(step, 2);
#pragma omp single nowait
	{
		delay(step);
		mark(step, 0);
	}
#pragma omp single copyprivate(value)
	{
		value = step->region->seed + (unsigned)step->number;
		mark(step, 1);
	}
	CHECK(value == step->region->seed + (unsigned)step->number);
}

void critical_step(struct step *step)
{
	expect(step, (unsigned)step->team);
	for (int i = 0; i < 3; i++) {
#pragma omp critical
		{
			CHECK_EQUAL(count(&in_critical), 0);
			plain_everywhere++;
			step->slot->plain++;
			__atomic_sub_fetch(&in_critical, 1, __ATOMIC_RELAXED);
		}
		delay(step);
	}
	mark(step, (unsigned)step->thread);
#pragma omp barrier
	CHECK_EQUAL(step->slot->plain, 3 * step->team);
}

void lock_step(struct step *step)
{
	struct region *region = step->region;
	int before;

	expect(step, (unsigned)step->team);
	omp_set_lock(&region->lock);
	CHECK_EQUAL(count(&step->slot->inside), 0);
	before = region->locked++;
	delay(step);
	CHECK_EQUAL(region->locked, before + 1);
	__atomic_sub_fetch(&step->slot->inside, 1, __ATOMIC_RELAXED);
	omp_unset_lock(&region->lock);

	if (below(step->own, 2)) {
		omp_set_nest_lock(&region->nest_lock);
	} else {
		while (!omp_test_nest_lock(&region->nest_lock))
			sched_yield();
	}
	omp_set_nest_lock(&region->nest_lock);
	region->nested++;
	omp_unset_nest_lock(&region->nest_lock);
	omp_unset_nest_lock(&region->nest_lock);
	mark(step, (unsigned)step->thread);
}

/* All see what all wrote in the round before; cells beyond the team stay zero. */
void barrier_step(struct step *step)
{
	long *cells = step->slot->cells;
	int rounds = 1 + (int)below(step->common, 4);

	for (int round = 1; round <= rounds; round++) {
		delay(step);
		if (step->thread < CELLS)
			cells[step->thread] = round;
#pragma omp barrier
		for (int i = 0; i < CELLS; i++)
			CHECK_EQUAL(cells[i], i < step->team ? round : 0);
#pragma omp barrier
	}
}

void atomic_step(struct step *step)
{
	long double after;
	int ticket;

	expect(step, (unsigned)step->team);
#pragma omp atomic capture
	after = slow_sum += 1;
	CHECK(after >= 1);
#pragma omp atomic capture
	ticket = step->slot->flag++;
	mark(step, (unsigned)ticket);
}

void masked_step(struct step *step)
{
	int wanted = (int)below(step->common, (unsigned)step->team);

	expect(step, 2);
#pragma omp masked filter(wanted)
	{
		delay(step);
		CHECK_EQUAL(step->thread, wanted);
		mark(step, 0);
	}
#pragma omp master
	mark(step, 1);
}

/* Every thread of the team is the master of a region of its own. */
void nested_step(struct step *step)
{
	uint64_t seed = next_random(step->common);
	int size = 1 + (int)below(step->common, 3);

	if (step->region->depth >= DEEPEST || step->team > 8)
		return;
	run_region(seed + (unsigned)step->thread, size, step->region->depth + 1);
	CHECK_EQUAL(omp_get_thread_num(), step->thread);
	CHECK_EQUAL(omp_get_num_threads(), step->team);
}

void cancelled_region_step(struct step *step)
{
	int size = 1 + (int)below(step->common, 3);
	int canceller = (int)below(step->own, (unsigned)size);
	int after = 0;

#pragma omp parallel num_threads(size)
	{
		if (omp_get_thread_num() == canceller) {
#pragma omp cancel parallel
		}
#pragma omp barrier
		count(&after);
	}
	/* A team of fewer threads than asked for may lack the canceller. */
	CHECK(after == 0 || after < size);
	expect(step, (unsigned)step->team);
	mark(step, (unsigned)step->thread);
}

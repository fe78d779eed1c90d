/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing steps. Most leave out the barrier half of the time, so that fast threads run several
 * steps ahead of slow ones.
 */
#include "stress.h"

/* Draws a schedule into run-sched-var; every thread sets its own to the same. */
static void draw_schedule(struct step *step)
{
	static const omp_sched_t kinds[] = {
	    omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};

	omp_sched_t kind = kinds[below(step->common, 4)];
	omp_set_schedule(kind, (int)below(step->common, 5));
}

void loop_step(struct step *step)
{
	int length = (int)below(step->common, CELLS);
	unsigned way = below(step->common, 4);
	unsigned long long base = 1ULL << 63;

	draw_schedule(step);
	expect(step, (unsigned)length);
	if (way == 0) {
#pragma omp for schedule(runtime) nowait
		for (int i = 0; i < length; i++)
			mark(step, (unsigned)i);
	} else if (way == 1) {
#pragma omp for schedule(dynamic, 2)
		for (int i = length; i > 0; i--)
			mark(step, (unsigned)(i - 1));
	} else if (way == 2) {
#pragma omp for schedule(runtime)
		for (unsigned long long i = base; i < base + (unsigned)length; i++)
			mark(step, (unsigned)(i - base));
	} else {
#pragma omp for schedule(guided) nowait
		for (long i = 0; i < length; i++) {
			delay(step);
			mark(step, (unsigned)i);
		}
	}
}

void ordered_step(struct step *step)
{
	int length = (int)below(step->common, CELLS);

	draw_schedule(step);
	expect(step, (unsigned)length);
#pragma omp for ordered schedule(runtime) nowait
	for (int i = 0; i < length; i++) {
		delay(step);
#pragma omp ordered
		{
			CHECK_EQUAL(step->slot->turn, i);
			step->slot->turn++;
			mark(step, (unsigned)i);
		}
	}
}

void doacross_step(struct step *step)
{
	long *cells = step->slot->cells;

	draw_schedule(step);
	expect(step, CELLS - 1);
#pragma omp for ordered(1) schedule(runtime) nowait
	for (int i = 1; i < CELLS; i++) {
		delay(step);
#pragma omp ordered depend(sink : i - 1)
		CHECK_EQUAL(cells[i - 1], i - 1);
		cells[i] = cells[i - 1] + 1;
		mark(step, (unsigned)(i - 1));
#pragma omp ordered depend(source)
	}
}

void sections_step(struct step *step)
{
	expect(step, 4);
#pragma omp sections nowait
	{
		mark(step, 0);
#pragma omp section
		{
			delay(step);
			mark(step, 1);
		}
#pragma omp section
		mark(step, 2);
#pragma omp section
		mark(step, 3);
	}
}

void reduction_step(struct step *step)
{
	long *sum = &step->slot->sum;
	int length = (int)below(step->common, 100);

#pragma omp for schedule(dynamic, 3) reduction(+ : sum[:1])
	for (int i = 0; i < length; i++)
		sum[0] += i;
	CHECK_EQUAL(sum[0], (long)length * (length - 1) / 2);
#pragma omp barrier
#pragma omp scope reduction(task, + : sum[:1])
	{
		sum[0] += 1;
#pragma omp task in_reduction(+ : sum[:1])
		sum[0] += 2;
	}
	CHECK_EQUAL(sum[0], (long)length * (length - 1) / 2 + 3L * step->team);
}

/* The loop ends early, at its barrier all meet, and the steps that follow are whole. */
void cancelled_loop_step(struct step *step)
{
	int last = 20 + (int)below(step->common, 50);

#pragma omp for schedule(dynamic)
	for (int i = 0; i < 100000; i++) {
		raise_flag(&step->slot->flag);
#pragma omp cancel for if (i > last)
#pragma omp cancellation point for
	}
	CHECK(is_raised(&step->slot->flag, 1));
	CHECK(!is_raised(&step->slot->flag, 100000));
}

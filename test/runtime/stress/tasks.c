/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps with tasks. A task takes the step by value: the thread that made it may be far ahead, and
 * another step of the region, when it runs.
 */
#include "stress.h"

/* Node k of a tree has the children 2k + 1 and 2k + 2; its piece is first + k. */
static void tree(struct step step, unsigned first, unsigned node, unsigned depth)
{
	for (unsigned i = 1; i <= 2 && depth > 0; i++) {
#pragma omp task firstprivate(step, first, node, depth, i) if (depth != 2) untied
		tree(step, first, 2 * node + i, depth - 1);
	}
	mark(&step, first + node);
	if (node % 3 == 1) {
#pragma omp taskwait
	}
}

/* Each thread of the team plants a tree; half of the time no thread waits for it before a barrier.
 */
void tasks_step(struct step *step)
{
	struct step copy = *step;
	unsigned depth = below(step->common, 6);
	unsigned nodes = (2u << depth) - 1;
	bool wait = below(step->common, 2);
	int priority = (int)below(step->common, 9);

	expect(step, nodes * (unsigned)step->team);
#pragma omp task firstprivate(copy, depth, nodes) priority(priority) final(depth > 4)
	tree(copy, (unsigned)copy.thread * nodes, 0, depth);
	if (wait) {
#pragma omp taskwait
	}
}

/* One thread makes writers and readers on a few cells; each checks the order that it sees. */
void depend_step(struct step *step)
{
	struct slot *slot = step->slot;
	unsigned writes[4] = {0};
	unsigned draws[24];

	for (int i = 0; i < 24; i++)
		draws[i] = below(step->common, 16);
	expect(step, 24);
#pragma omp single nowait
	for (unsigned i = 0; i < 24; i++) {
		struct step copy = *step;
		unsigned at = draws[i] % 4;
		unsigned seen = writes[at];
		long *cell = &slot->cells[at];

		if (draws[i] < 6) {
			writes[at]++;
#pragma omp task depend(inout : cell[0]) firstprivate(copy, cell, seen, i)
			{
				CHECK_EQUAL(cell[0], seen);
				cell[0]++;
				mark(&copy, i);
			}
		} else if (draws[i] < 13) {
#pragma omp task depend(in : cell[0]) firstprivate(copy, cell, seen, i) priority(i % 5)
			{
				CHECK_EQUAL(cell[0], seen);
				mark(&copy, i);
			}
		} else {
			writes[at]++;
#pragma omp task depend(mutexinoutset : cell[0]) firstprivate(copy, cell, seen, i)
			{
				CHECK(cell[0] >= 0);
				cell[0]++;
				mark(&copy, i);
			}
		}
	}
}

void taskgroup_step(struct step *step)
{
	struct step copy = *step;
	unsigned members = 1 + below(step->common, 20);
	long sum = 0;

	expect(step, members * (unsigned)step->team);
#pragma omp taskgroup task_reduction(+ : sum)
	for (unsigned i = 0; i < members; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(copy, members, i)
		{
			sum += i;
			mark(&copy, (unsigned)copy.thread * members + i);
		}
	}
	CHECK_EQUAL(sum, (long)members * (members - 1) / 2);
}

void taskloop_step(struct step *step)
{
	struct step copy = *step;
	int length = (int)below(step->common, 60);
	int tasks = 1 + (int)below(step->common, 10);

	expect(step, (unsigned)length);
#pragma omp single nowait
	{
		long sum = 0;

#pragma omp taskloop num_tasks(tasks) reduction(+ : sum) firstprivate(copy)
		for (int i = 0; i < length; i++) {
			sum += i;
			mark(&copy, (unsigned)i);
		}
		CHECK_EQUAL(sum, (long)length * (length - 1) / 2);
	}
}

/* How much of a cancelled group runs is open, but the group ends and the next one is whole. */
void cancelled_group_step(struct step *step)
{
	struct step copy = *step;
	unsigned canceller = below(step->own, 20);
	int ran = 0;

	expect(step, (unsigned)step->team);
#pragma omp taskgroup
	for (unsigned i = 0; i < 20; i++) {
#pragma omp task firstprivate(i, canceller) shared(ran)
		{
			count(&ran);
#pragma omp cancel taskgroup if (i == canceller)
#pragma omp cancellation point taskgroup
		}
	}
	CHECK(ran >= 1 && ran <= 20);
#pragma omp taskgroup
	{
#pragma omp task firstprivate(copy)
		mark(&copy, (unsigned)copy.thread);
	}
}

/* The event of one thread's task is fulfilled by another task, maybe on another thread. */
void detach_step(struct step *step)
{
	struct step copy = *step;
	omp_event_handle_t event;
	int fulfilled = 0;

	expect(step, (unsigned)step->team);
#pragma omp task detach(event) firstprivate(copy)
	mark(&copy, (unsigned)copy.thread);
#pragma omp task firstprivate(event) shared(fulfilled)
	{
		raise_flag(&fulfilled);
		omp_fulfill_event(event);
	}
	delay(step);
#pragma omp taskwait
	CHECK(is_raised(&fulfilled, 1));
}

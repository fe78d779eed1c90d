/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: every iteration once, tasks of the sizes that grainsize and num_tasks prescribe (strict
 * or not), in contiguous pieces; collapse, unsigned and falling loops, nogroup, if, final.
 * OpenMP 5.1, 2.12.2.
 */
#include <omp.h>

#include "check.h"

#define LENGTH 103

static int times[LENGTH];
static int task_of[LENGTH]; /* which task ran an iteration, numbered in order of first use */
static int tasks;

/* firstprivate: the copy is made per task, so its first use marks a new task. */
#define RUN(CLAUSES)                                                                               \
	do {                                                                                       \
		int task = -1;                                                                     \
                                                                                                   \
		memset(times, 0, sizeof(times));                                                   \
		tasks = 0;                                                                         \
		_Pragma("omp parallel") _Pragma("omp single")                                      \
		    _Pragma(CLAUSES) for (int i = 0; i < LENGTH; i++)                              \
		{                                                                                  \
			if (task < 0)                                                              \
				task = count(&tasks);                                              \
			task_of[i] = task;                                                         \
			count(&times[i]);                                                          \
		}                                                                                  \
		CHECK_ALL(times, LENGTH, 1);                                                       \
	} while (0)

/* The pieces' sizes, smallest and largest, the last one apart; each piece must be contiguous. */
static void check_pieces(int least, int most, int last_least)
{
	int sizes[LENGTH] = {0};

	for (int i = 0; i < LENGTH; i++) {
		sizes[task_of[i]]++;
		CHECK(i == 0 || task_of[i] == task_of[i - 1] || sizes[task_of[i]] == 1);
	}
	for (int task = 0; task < tasks; task++) {
		CHECK(sizes[task] >= (task == task_of[LENGTH - 1] ? last_least : least));
		CHECK(sizes[task] <= most);
	}
}

static void sizes(void)
{
	RUN("omp taskloop firstprivate(task)");
	check_pieces(1, LENGTH, 1);
	RUN("omp taskloop firstprivate(task) grainsize(10)");
	check_pieces(10, 19, 10);
#ifndef __clang__ /* which drops the modifier; 19 */
	RUN("omp taskloop firstprivate(task) grainsize(strict: 10)");
	CHECK_EQUAL(tasks, 11);
	check_pieces(10, 10, 3);
#endif
	RUN("omp taskloop firstprivate(task) grainsize(1000)");
	CHECK_EQUAL(tasks, 1);
	RUN("omp taskloop firstprivate(task) num_tasks(7)");
	CHECK_EQUAL(tasks, 7);
	check_pieces(1, LENGTH, 1);
	RUN("omp taskloop firstprivate(task) num_tasks(strict: 10)");
	CHECK_EQUAL(tasks, 10);
	check_pieces(10, 11, 10);
	RUN("omp taskloop firstprivate(task) num_tasks(1000)");
	CHECK_EQUAL(tasks, LENGTH);
	RUN("omp taskloop firstprivate(task) num_tasks(4) priority(2) untied mergeable");
	RUN("omp taskloop firstprivate(task) num_tasks(4) if (0)");
	RUN("omp taskloop firstprivate(task) num_tasks(4) final(1)");
}

static void other_loops(void)
{
	int grid[9][11] = {{0}};
	unsigned long long wide = ~0ULL - LENGTH;
	int last = -1;

	memset(times, 0, sizeof(times));
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop collapse(2) grainsize(4)
		for (int i = 0; i < 9; i++)
			for (int j = 10; j >= 0; j--)
				count(&grid[i][j]);
#pragma omp taskloop num_tasks(9)
		for (unsigned long long i = wide; i < wide + LENGTH; i++)
			count(&times[i - wide]);
#pragma omp taskloop grainsize(3) lastprivate(last)
		for (long i = LENGTH; i > 0; i -= 2) {
			count(&times[i - 1]);
			last = (int)i;
		}
		CHECK_EQUAL(last, 1);
#pragma omp taskloop
		for (int i = 5; i < 5; i++)
			count(&times[0]);
	}
	CHECK_ALL(&grid[0][0], 99, 1);
	for (int i = 0; i < LENGTH; i++)
		CHECK_EQUAL(times[i], 1 + (i % 2 == 0));
}

/* The implicit group waits for descendants; with nogroup nothing waits before the taskwait. */
static void groups(void)
{
	int done = 0;
	int released = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp taskloop num_tasks(10)
		for (int i = 0; i < 10; i++) {
#pragma omp task
			count(&done);
		}
		CHECK_EQUAL(__atomic_load_n(&done, __ATOMIC_RELAXED), 10);
#pragma omp taskloop nogroup num_tasks(2)
		for (int i = 0; i < 2; i++) {
			CHECK(await_flag(&released, 1));
			count(&done);
		}
		raise_flag(&released);
#pragma omp taskwait
		CHECK_EQUAL(__atomic_load_n(&done, __ATOMIC_RELAXED), 12);
	}
}

/* More tasks than a thread queues: the next ones do not see what one changes or leaves. */
static void many(void)
{
	enum { MANY = 3000 };
	int box[40] = {7}, wrong = 0, late = 0;
	static int visited[MANY];

	memset(visited, 0, sizeof(visited));
#pragma omp parallel num_threads(4)
#pragma omp single
	{
#pragma omp taskloop grainsize(1) firstprivate(box) shared(wrong, visited)
		for (int i = 0; i < MANY; i++) {
			if (box[0]++ != 7 || omp_get_max_threads() == 77)
				count(&wrong);
			if (i % 50 == 3)
				omp_set_num_threads(77);
			if (i % 40 == 5) {
#pragma omp task shared(late)
				count(&late);
			}
			count(&visited[i]);
		}
		CHECK_EQUAL(__atomic_load_n(&late, __ATOMIC_RELAXED), MANY / 40);
#pragma omp taskloop grainsize(1) untied shared(visited)
		for (int i = 0; i < MANY; i++) {
#pragma omp taskloop num_tasks(2) shared(visited)
			for (int j = 0; j < 2; j++)
				count(&visited[i]);
		}
	}
	CHECK_EQUAL(wrong, 0);
	CHECK_ALL(visited, MANY, 3);
}

/* Two tasks for two threads: they may wait for each other, however short they were before. */
static void wait_for_each_other(void)
{
	for (int i = 0; i < 20; i++) {
		int here[2] = {0};

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop shared(here)
		for (int j = 0; j < 2; j++) {
			raise_flag(&here[j]);
			CHECK(await_flag(&here[1 - j], 1));
		}
	}
}

static void reductions(void)
{
	long sum = 4;
	int top = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop reduction(+ : sum) reduction(max : top) grainsize(5)
		for (int i = 0; i < LENGTH; i++) {
			sum += i;
			top = i > top ? i : top;
		}
		CHECK_EQUAL(sum, 4 + LENGTH * (LENGTH - 1) / 2);
		CHECK_EQUAL(top, LENGTH - 1);
	}
#ifndef __clang__ /* 19 gives 0, also with its own runtime */
	sum = 0;
#pragma omp parallel master taskloop simd reduction(+ : sum) num_tasks(6)
	for (int i = 0; i < LENGTH; i++)
		sum += i;
	CHECK_EQUAL(sum, LENGTH * (LENGTH - 1) / 2);
	sum = 0;
#pragma omp parallel masked taskloop reduction(+ : sum) if (taskloop : 0)
	for (int i = 0; i < LENGTH; i++)
		sum += i;
	CHECK_EQUAL(sum, LENGTH * (LENGTH - 1) / 2);
#endif
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		sizes();
		other_loops();
		groups();
		many();
		wait_for_each_other();
		reductions();
	}
	return check_result();
}

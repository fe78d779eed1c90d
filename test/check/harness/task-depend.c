/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences: a member generates tasks that depend on a task which another member executes, so
 * that each edge is added before, while and after that task completes. Successors see what their
 * predecessors wrote and run once, after all of them; nodes are given back when no thread needs
 * them.
 */
#include "depend.h"

#include "check.h"
#include "process.h"
#include "task-pair.h"

static int x, y;
static int first_wrote, second_wrote, runs;

static void *out_x[] = {(void *)1, (void *)1, &x};
static void *in_x[] = {(void *)1, (void *)0, &x};

static void first(void *argument)
{
	(void)argument;
	first_wrote = 1;
}

static void second(void *argument)
{
	(void)argument;
	second_wrote = 1;
}

static void successor(void *argument)
{
	(void)argument;
	EXPECT(first_wrote == 1);
	runs++;
}

static void after_out(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, first, NULL, out_x);
	check_start(pair_execute, pair_take(self));
	pair_generate(self, successor, NULL, in_x);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}
HARNESS(task_depend_out, "an edge is made while its predecessor completes") = {.run = after_out};

/* Two words a dependence object: the address and GOMP_DEPEND_INOUTSET. */
static void *set_x[] = {&x, (void *)5};
static void *in_set[] = {NULL, (void *)1, NULL, NULL, NULL, set_x};
static void *exclusive_x[] = {NULL, (void *)1, NULL, (void *)1, NULL, &x};

static void after_both(void *argument)
{
	(void)argument;
	EXPECT(first_wrote == 1 && second_wrote == 1);
	runs++;
}

/* Two that do not wait for each other, and one that waits for both. */
static void two_predecessors(void **before, void **after)
{
	struct rt_thread *self = pair_begin();
	struct rt_task *one, *other;

	pair_generate(self, first, NULL, before);
	one = pair_take(self);
	pair_generate(self, second, NULL, before);
	other = pair_take(self);
	pair_generate(self, after_both, NULL, after);
	check_start(pair_execute, one);
	rt_task_execute(self, other);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}

static void after_readers(void)
{
	two_predecessors(in_x, out_x);
}
HARNESS(task_depend_in, "two readers complete, and one of the threads has the writer ready") = {
    .run = after_readers};

static void after_set(void)
{
	two_predecessors(in_set, exclusive_x);
}
HARNESS(task_depend_set, "two tasks of an inoutset complete, in depend objects, before another") = {
    .run = after_set};

/* The second one is ready when the first has completed. */
static void exclude(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, first, NULL, exclusive_x);
	check_start(pair_execute, pair_take(self));
	pair_generate(self, successor, NULL, exclusive_x);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}
HARNESS(task_depend_exclusive, "mutexinoutset: the second task begins after the first one") = {
    .run = exclude};

/* On what lies on the stack of the thread that waits. */
static void wait_for_out(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, first, NULL, out_x);
	check_start(pair_execute, pair_take(self));
	rt_task_wait_depend(self, in_x, NULL);
	EXPECT(first_wrote == 1);
	check_join();
	rt_task_wait(self);
}
HARNESS(task_depend_taskwait, "taskwait with depend while another thread completes the task") = {
    .run = wait_for_out};

/* The other one's completion is not waited for. */
static void wait_for_one_of_two(void)
{
	static void *out_y[] = {(void *)1, (void *)1, &y};
	struct rt_thread *self = pair_begin();
	struct rt_task *other;

	pair_generate(self, second, NULL, out_y);
	other = pair_take(self);
	pair_generate(self, first, NULL, out_x);
	check_start(pair_execute, pair_take(self));
	rt_task_wait_depend(self, in_x, NULL);
	EXPECT(first_wrote == 1 && second_wrote == 0);
	rt_task_execute(self, other);
	check_join();
	rt_task_wait(self);
}
HARNESS(task_depend_taskwait_one, "taskwait with depend does not wait for other children") = {
    .run = wait_for_one_of_two};

/* What comes back is used for another thing, with plain stores. */
static void nodes_come_back(void)
{
	struct rt_thread *self = pair_begin();

	pair_generate(self, first, NULL, out_x);
	check_start(pair_execute, pair_take(self));
	pair_generate(self, successor, NULL, out_x);
	pair_generate(self, successor, NULL, out_x); /* the first is no predecessor of the next */
	rt_taskgroup_begin(self);
	rt_taskgroup_end(self);
	check_join();
	rt_task_wait(self);
	EXPECT(runs == 2);
}
HARNESS(task_depend_node, "a node comes back from its task and from the table of the parent") = {
    .run = nodes_come_back};

/* So many readers that those are dropped which have completed. */
static void drop_readers(void)
{
	enum { READERS = 8 };
	struct rt_thread *self = pair_begin();
	struct rt_task *last = NULL;

	for (int i = 0; i < READERS; i++) {
		pair_generate(self, i < READERS - 1 ? second : first, NULL, in_x);
		last = pair_take(self);
		if (i < READERS - 1)
			rt_task_execute(self, last);
	}
	check_start(pair_execute, last);
	pair_generate(self, second, NULL, in_x);
	rt_task_execute(self, pair_take(self));
	pair_generate(self, successor, NULL, out_x);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}
HARNESS(task_depend_drop, "a table drops a reader that completes, a writer comes after it") = {
    .run = drop_readers};

/* More predecessors than a node has edges for: those that follow are in memory from malloc(). */
static void many_predecessors(void)
{
	enum { READERS = RT_DEPEND_INLINE_EDGES + 1 };
	struct rt_thread *self = pair_begin();
	struct rt_task *readers[READERS];

	for (int i = 0; i < READERS; i++) {
		pair_generate(self, i == READERS - 1 ? first : second, NULL, in_x);
		readers[i] = pair_take(self);
	}
	pair_generate(self, successor, NULL, out_x);
	for (int i = 0; i < READERS - 2; i++)
		rt_task_execute(self, readers[i]);
	check_start(pair_execute, readers[READERS - 1]);
	rt_task_execute(self, readers[READERS - 2]);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}
HARNESS(task_depend_many, "a task with more predecessors than its node has edges for") = {
    .run = many_predecessors};

/* In a list with all memory: it comes after all, and all come after it. */
static void all_memory(void)
{
	static void *everything[] = {(void *)1, (void *)1, NULL};
	struct rt_thread *self = pair_begin();

	pair_generate(self, first, NULL, out_x);
	check_start(pair_execute, pair_take(self));
	pair_generate(self, successor, NULL, everything);
	rt_task_wait(self);
	EXPECT(runs == 1);
	check_join();
}
HARNESS(task_depend_all, "omp_all_memory while the predecessor completes") = {.run = all_memory};

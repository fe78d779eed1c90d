/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The constructs of gcc and of clang in one process, one within the other, both ways round and each
 * with itself: they are members of the same teams, know each other's tasks, locks and copies of
 * threadprivate variables, and no second pool of threads appears. OMP_CANCELLATION is set.
 */
#include <dirent.h>
#include <string.h>

#include "../check.h"
#include "mixed.h"

enum { COUNT = 60 };

long mixed_sum;

/* What the functions below are called with: the outer construct's side, the inner one's. */
struct pair {
	const struct side *outer, *inner;
	int calls, arrived, order, place, stopped;
	int hits[COUNT];
	long sum;
	omp_lock_t lock;
	uintptr_t event;
};

static void count_call(void *data)
{
	struct pair *pair = data;

	count(&pair->calls);
}

static void count_hit(int i, void *data)
{
	struct pair *pair = data;

	count(&pair->hits[i]);
}

static void check_hits(struct pair *pair)
{
	CHECK_ALL(pair->hits, COUNT, 1);
	memset(pair->hits, 0, sizeof(pair->hits));
}

static void check_calls(struct pair *pair, int expected)
{
	CHECK_EQUAL(pair->calls, expected);
	pair->calls = 0;
}

/* Work of one side shared by the team of the other. */
static void share(void *data)
{
	struct pair *pair = data;
	const struct side *inner = pair->inner;

	CHECK_EQUAL(inner->number(), pair->outer->number());
	CHECK_EQUAL(inner->size(), pair->outer->size());
	start_together(&pair->arrived, inner->size());
	inner->dynamic(COUNT, count_hit, pair);
	inner->masked((work_fn *)check_hits, pair);
	pair->outer->barrier();
	inner->steady(COUNT, count_hit, pair);
	inner->single((work_fn *)check_hits, pair);
	inner->single(count_call, pair);
	pair->outer->single(count_call, pair);
	inner->barrier();
	CHECK_EQUAL(inner->broadcast(7 + pair->calls), 9);
	inner->sections(count_call, count_call, pair);
	CHECK_EQUAL(pair->calls, 4);
	inner->reduce(COUNT, &pair->sum);
	CHECK_EQUAL(pair->sum, COUNT * (COUNT - 1) / 2);
}

static void next_in_order(void *data)
{
	struct pair *pair = data;

	CHECK_EQUAL(pair->hits[pair->order], 0);
	pair->hits[pair->order++] = 1;
}

static void ordered_turn(int i, void *data)
{
	struct pair *pair = data;

	(void)i;
	pair->inner->ordered(next_in_order, pair);
}

static void ordered_loop(void *data)
{
	struct pair *pair = data;

	pair->outer->in_order(COUNT, ordered_turn, pair);
}

/* Increments without an atomic: a thread that is alone, or ordered, loses none. */
static void add_one(void *data)
{
	struct pair *pair = data;

	pair->order++;
}

static void chain(struct pair *pair)
{
	for (int i = 0; i < COUNT; i++) {
		const struct side *side = i % 2 ? pair->outer : pair->inner;
		side->task_on(&pair->place, add_one, pair);
	}
	pair->inner->taskwait();
	CHECK_EQUAL(pair->order, COUNT);
}

static void spawn(void *data)
{
	struct pair *pair = data;

	for (int i = 0; i < COUNT; i++)
		pair->inner->task(count_call, pair);
}

static void spawn_deep(void *data)
{
	struct pair *pair = data;

	pair->inner->task(spawn, pair);
	pair->outer->task(spawn, pair);
}

static void spawn_to_cancel(void *data)
{
	struct pair *pair = data;

	pair->inner->cancel();
	pair->inner->taskwait();
	for (int i = 0; i < COUNT; i++)
		pair->inner->task_to_cancel(count_call, pair);
}

static void add_numbers(void *data)
{
	struct pair *pair = data;

	/* A task of clang's code cannot take part in a reduction of gcc's. */
	bool both = pair->outer == &mixed_clang;

	for (int i = 0; i < COUNT; i++)
		(i % 2 || !both ? pair->outer : pair->inner)->add(i);
}

static void tasks_of_both(void *data)
{
	struct pair *pair = data;

	spawn(pair);
	pair->outer->taskwait();
	check_calls(pair, COUNT);
	pair->outer->taskgroup(spawn_deep, pair);
	check_calls(pair, 2 * COUNT);
	chain(pair);
	pair->inner->taskloop(COUNT, count_hit, pair);
	check_hits(pair);
	pair->sum = 0;
	pair->outer->taskgroup(spawn_to_cancel, pair);
	check_calls(pair, 0);
}

static void reduction_of_both(void *data)
{
	struct pair *pair = data;

	mixed_sum = 5;
	pair->outer->reduce_tasks(add_numbers, pair);
	CHECK_EQUAL(mixed_sum, 5 + COUNT * (COUNT - 1) / 2);
}

static void wait_for_event(void *data)
{
	struct pair *pair = data;

	pair->outer->detach(&pair->event, count_call, pair);
	pair->inner->fulfill(pair->event);
	pair->inner->taskwait();
	check_calls(pair, 1);
}

static void with_lock(void *data)
{
	struct pair *pair = data;

	for (int i = 0; i < COUNT; i++) {
		pair->outer->lock(&pair->lock);
		pair->sum++;
		pair->inner->unlock(&pair->lock);
	}
}

static void own_copies(void *data)
{
	struct pair *pair = data;
	int number = pair->outer->number();

	*pair->outer->own() = number;
	*pair->inner->other() = -number;
	pair->inner->barrier();
	CHECK_EQUAL(*pair->inner->own(), number);
	CHECK_EQUAL(*pair->outer->other(), -number);
}

static void inside(void *data)
{
	struct pair *pair = data;

	CHECK_EQUAL(pair->inner->level(), 2);
	CHECK_EQUAL(pair->outer->size(), 2);
	count(&pair->calls);
	pair->outer->barrier();
}

static void nested(void *data)
{
	struct pair *pair = data;

	pair->inner->parallel(2, inside, pair);
}

struct call {
	work_fn *fn;
	struct pair *pair;
};

/* One thread executes it, in a region of the outer side, within a construct of the inner side. */
static void alone(void *data)
{
	struct call *call = data;

	call->pair->inner->single(call->fn, call->pair);
}

static void alone_in_region(struct pair *pair, int threads, work_fn *fn)
{
	struct call call = {fn, pair};

	pair->outer->parallel(threads, alone, &call);
}

static int threads_of_process(void)
{
	DIR *folder = opendir("/proc/self/task");
	int count = -2;

	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

static void try_pair(const struct side *outer, const struct side *inner, int threads)
{
	struct pair pair = {.outer = outer, .inner = inner};

	outer->parallel(threads, share, &pair);
	check_calls(&pair, 4);
	outer->parallel(threads, ordered_loop, &pair);
	CHECK_EQUAL(pair.order, COUNT);
	check_hits(&pair);
	pair.order = 0;
	alone_in_region(&pair, threads, tasks_of_both);
	alone_in_region(&pair, threads, reduction_of_both);
	alone_in_region(&pair, threads, wait_for_event);
	omp_init_lock(&pair.lock);
	pair.sum = 0;
	outer->parallel(threads, with_lock, &pair);
	CHECK_EQUAL(pair.sum, (long)threads * COUNT);
	omp_destroy_lock(&pair.lock);
	outer->parallel(threads, own_copies, &pair);
	outer->parallel(threads, nested, &pair);
	check_calls(&pair, 2 * threads);
}

int main(int argument_count, char **arguments)
{
	const struct side *sides[] = {&mixed_gcc, &mixed_clang};
	int threads = omp_get_max_threads(), most = 0;

	(void)argument_count;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	for (int round = 0; round < 20; round++)
		for (int i = 0; i < 4; i++) {
			int before = check_failures;
			try_pair(sides[i / 2], sides[i % 2], threads);
			if (check_failures != before)
				fprintf(stderr, "that was %s within %s, %d threads\n",
				    sides[i % 2]->name, sides[i / 2]->name, threads);
			if (i == 0 && round == 0)
				most = threads_of_process();
		}
	/* What gcc's constructs alone made serves all. */
	CHECK_EQUAL(threads_of_process(), most);
	return check_result();
}

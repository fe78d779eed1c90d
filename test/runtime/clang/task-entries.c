/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of tasks, called as compilers call them, in the forms that clang 19 does not
 * emit: a taskloop that opens its group itself, with strict tasks, old descriptions of reductions,
 * parts of an untied task, destructors of tasks that are cancelled, arguments of many sizes, tasks
 * without a routine, all memory as an address, and what waits for a task.
 */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct task {
	void *shareds;
	int32_t (*routine)(int32_t, struct task *);
	int32_t part;
	union {
		int32_t priority;
		int32_t (*destructors)(int32_t, struct task *);
	} data1, data2;
	/* a taskloop's */
	uint64_t lower, upper;
	int64_t step;
	int32_t is_last;
	void *reductions;
};

typedef int32_t routine(int32_t gtid, struct task *task);
enum { TIED = 1, FINAL = 2, DESTRUCTORS = 8 };

extern int32_t __kmpc_global_thread_num(void *);
extern struct task *__kmpc_omp_task_alloc(
    void *, int32_t, int32_t flags, size_t bytes, size_t shared_bytes, routine *);
extern struct task *__kmpc_omp_target_task_alloc(
    void *, int32_t, int32_t flags, size_t bytes, size_t shared_bytes, routine *, int64_t);
extern int32_t __kmpc_omp_task(void *, int32_t, struct task *);
extern int32_t __kmpc_omp_task_parts(void *, int32_t, struct task *);
extern int32_t __kmpc_omp_taskwait(void *, int32_t);
extern void __kmpc_omp_task_begin_if0(void *, int32_t, struct task *);
extern void __kmpc_omp_task_complete_if0(void *, int32_t, struct task *);
extern void __kmpc_invoke_task_func(int32_t, struct task *);
extern void *__kmpc_task_get_depnode(struct task *);
extern const struct successor *__kmpc_task_get_successors(struct task *);
extern void __kmpc_taskgroup(void *, int32_t);
extern void __kmpc_end_taskgroup(void *, int32_t);
extern void __kmpc_taskloop(void *, int32_t, struct task *, int32_t, uint64_t *, uint64_t *,
    int64_t, int32_t, int32_t, uint64_t, void *);
extern void __kmpc_taskloop_5(void *, int32_t, struct task *, int32_t, uint64_t *, uint64_t *,
    int64_t, int32_t, int32_t, uint64_t, int32_t, void *);
extern void __kmpc_proxy_task_completed_ooo(struct task *);
extern int32_t __kmpc_get_taskid(void);
extern int32_t __kmpc_get_parent_taskid(void);
extern void *__kmpc_task_reduction_init(int32_t, int32_t, void *);
extern void *__kmpc_task_reduction_get_th_data(int32_t, void *, void *);

static int32_t self(void)
{
	return __kmpc_global_thread_num(NULL);
}

/* Executes the body once, in a region whose other members only execute tasks. */
static void in_region(void (*body)(void))
{
#pragma omp parallel
#pragma omp single
	body();
}

/* Arguments and shared variables of all sizes arrive, and are where structures of any kind may be.
 */
static int sizes_seen, sizes_wrong;

static int32_t check_sizes(int32_t gtid, struct task *task)
{
	size_t extra = *(size_t *)(task + 1), shared = *((size_t *)(task + 1) + 1);
	unsigned char *bytes = (unsigned char *)((size_t *)(task + 1) + 2);
	int wrong = (uintptr_t)task % 16 != 0 || (shared != 0) != (task->shareds != NULL);

	(void)gtid;
	for (size_t i = 0; i < extra; i++)
		wrong |= bytes[i] != (unsigned char)(i + extra);
	for (size_t i = 0; i < shared; i++)
		wrong |= ((unsigned char *)task->shareds)[i] != (unsigned char)(i + shared);
#pragma omp atomic
	sizes_seen++;
#pragma omp atomic
	sizes_wrong += wrong;
	return 0;
}

static void generate_sizes(void)
{
	for (size_t extra = 0; extra < 600; extra += 13) {
		for (size_t shared = 0; shared < 120; shared += 8) {
			struct task *task = __kmpc_omp_task_alloc(NULL, self(), TIED,
			    sizeof(*task) + 2 * sizeof(size_t) + extra, shared, check_sizes);
			size_t *words = (size_t *)(task + 1);
			words[0] = extra;
			words[1] = shared;
			for (size_t i = 0; i < extra; i++)
				((unsigned char *)(words + 2))[i] = (unsigned char)(i + extra);
			for (size_t i = 0; i < shared; i++)
				((unsigned char *)task->shareds)[i] = (unsigned char)(i + shared);
			__kmpc_omp_task(NULL, self(), task);
		}
	}
	__kmpc_omp_taskwait(NULL, self());
	CHECK_EQUAL(sizes_seen, 47 * 15);
	CHECK_EQUAL(sizes_wrong, 0);
}

/* An untied task of five parts: each asks for the next one. Once only is it complete. */
static int parts[5], parts_completed;

static int32_t in_parts(int32_t gtid, struct task *task)
{
	int part = task->part++;

#pragma omp atomic
	parts[part]++;
	if (part < 4)
		__kmpc_omp_task_parts(NULL, gtid, task);
	else
#pragma omp atomic
		parts_completed++;
	return 0;
}

static void generate_parts(void)
{
	for (int i = 0; i < 100; i++)
		__kmpc_omp_task(
		    NULL, self(), __kmpc_omp_task_alloc(NULL, self(), 0, 40, 0, in_parts));
	__kmpc_omp_taskwait(NULL, self());
	CHECK_ALL(parts, 5, 100);
	CHECK_EQUAL(parts_completed, 100);
}

/* Which iterations were executed how often, by tasks of how many. */
static int iterations[1000], smallest, largest, tasks, last_ones;

static int32_t note_iterations(int32_t gtid, struct task *task)
{
	int count = (int)(((int64_t)task->upper - (int64_t)task->lower) / task->step + 1);

	(void)gtid;
	for (int64_t i = (int64_t)task->lower, n = 0; n < count; i += task->step, n++)
#pragma omp atomic
		iterations[i]++;
#pragma omp critical(counts)
	{
		smallest = tasks == 0 || count < smallest ? count : smallest;
		largest = count > largest ? count : largest;
		tasks++;
		last_ones += task->is_last;
	}
	return 0;
}

static void copy_into(struct task *to, struct task *from, int32_t is_last)
{
	CHECK(to != from && to->routine == from->routine);
	to->is_last = is_last;
}

enum { NO_CLAUSE, GRAINSIZE, NUM_TASKS };

struct loop {
	int64_t first, last, step;
	int clause, amount, strict, condition;
	int count, expected_tasks, expected_smallest, expected_largest; /* 0: any */
};

static const struct loop loops[] = {
    {0, 999, 1, GRAINSIZE, 7, 1, 1, 1000, 143, 6, 7},
    {0, 999, 1, NUM_TASKS, 9, 1, 1, 1000, 9, 111, 112},
    {0, 999, 1, GRAINSIZE, 300, 0, 1, 1000, 3, 333, 334},
    {999, 0, -1, GRAINSIZE, 100, 1, 1, 1000, 10, 100, 100},
    {998, 2, -3, NUM_TASKS, 4, 0, 1, 333, 4, 83, 84},
    {5, 4, 1, NUM_TASKS, 4, 0, 1, 0, 0, 0, 0},
    {4, 5, -1, NO_CLAUSE, 0, 0, 1, 0, 0, 0, 0},
    {7, 7, 1, NO_CLAUSE, 0, 0, 1, 1, 1, 1, 1},
    {0, 499, 1, NUM_TASKS, 60, 0, 0, 500, 60, 8, 9},
};

static void check_loop(const struct loop *loop, int nogroup, bool with_dup)
{
	struct task *task =
	    __kmpc_omp_task_alloc(NULL, self(), TIED, sizeof(*task), 16, note_iterations);
	int done = 0;

	memset(iterations, 0, sizeof(iterations));
	smallest = largest = tasks = last_ones = 0;
	task->lower = (uint64_t)loop->first;
	task->upper = (uint64_t)loop->last;
	task->step = loop->step;
	task->is_last = 0;
	if (nogroup)
		__kmpc_taskgroup(NULL, self());
	__kmpc_taskloop_5(NULL, self(), task, loop->condition, &task->lower, &task->upper,
	    loop->step, nogroup, loop->clause, (uint64_t)loop->amount, loop->strict,
	    with_dup ? copy_into : NULL);
	if (nogroup)
		__kmpc_end_taskgroup(NULL, self());
	for (int64_t i = loop->first, n = 0; n < loop->count; i += loop->step, n++)
		done += iterations[i] == 1;
	CHECK_EQUAL(done, loop->count);
	if (loop->expected_tasks != 0) {
		CHECK_EQUAL(tasks, loop->expected_tasks);
		CHECK_EQUAL(smallest, loop->expected_smallest);
		CHECK_EQUAL(largest, loop->expected_largest);
	}
	CHECK_EQUAL(last_ones, with_dup && loop->count != 0 ? 1 : 0);
}

static void generate_loops(void)
{
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		for (int variant = 0; variant < 4; variant++)
			check_loop(&loops[i], variant & 1, (variant & 2) != 0);
}

/* A reduction as clang described one before version 11. */
struct old_reduction {
	void *shared;
	size_t bytes;
	void (*init)(void *);
	void (*end)(void *);
	void (*combine)(void *, void *);
	uint32_t flags;
};

static long product;
static void *reduction;
static int copies_made, copies_ended;

static void one(void *copy)
{
#pragma omp atomic
	copies_made++;
	*(long *)copy = 1;
}

static void ended(void *copy)
{
	copies_ended += *(long *)copy != 0;
}

static void multiply(void *to, void *from)
{
	*(long *)to *= *(long *)from;
}

static int32_t twice(int32_t gtid, struct task *task)
{
	*(long *)__kmpc_task_reduction_get_th_data(gtid, reduction, &product) *= 2;
	*(long *)__kmpc_task_reduction_get_th_data(gtid, NULL, &product) *= 1;
	(void)task;
	return 0;
}

static void generate_reduction(void)
{
	struct old_reduction item = {&product, sizeof(product), one, ended, multiply, 0};

	product = 3;
	__kmpc_taskgroup(NULL, self());
	reduction = __kmpc_task_reduction_init(self(), 1, &item);
	for (int i = 0; i < 40; i++)
		__kmpc_omp_task(
		    NULL, self(), __kmpc_omp_task_alloc(NULL, self(), TIED, 40, 0, twice));
	__kmpc_end_taskgroup(NULL, self());
	CHECK_EQUAL(product, 3L << 40);
	CHECK_EQUAL(copies_made, copies_ended);
	CHECK(copies_made >= 1 && copies_made <= omp_get_max_threads());
}

/* What a task constructs is destroyed once, whether its body is executed or not. */
static int bodies, destroyed;

static int32_t body(int32_t gtid, struct task *task)
{
	(void)gtid;
	(void)task;
#pragma omp atomic
	bodies++;
	return 0;
}

static int32_t destroy(int32_t gtid, struct task *task)
{
	(void)gtid;
	CHECK(task->routine == body);
#pragma omp atomic
	destroyed++;
	return 0;
}

static void generate_destroyed(void)
{
#pragma omp taskgroup
	for (int i = 0; i < 60; i++) {
		struct task *task =
		    __kmpc_omp_task_alloc(NULL, self(), TIED | DESTRUCTORS, 40, 0, body);
		task->data1.destructors = destroy;
		__kmpc_omp_task(NULL, self(), task);
#pragma omp task if (0) firstprivate(i)
		if (i == 30) {
#pragma omp cancel taskgroup
		}
	}
	CHECK_EQUAL(destroyed, 60);
	CHECK(bodies <= destroyed);
}

/* Somebody outside of OpenMP completes a proxy task, and only then is it complete. */
enum { PROXY = 16 };

static struct task *proxy;
static int proxy_begun, proxy_complete;

static int32_t begin_proxy(int32_t gtid, struct task *task)
{
	(void)gtid;
	CHECK(task == proxy);
	raise_flag(&proxy_begun);
	return 0;
}

static void *complete_proxy(void *argument)
{
	CHECK(await_flag(&proxy_begun, 1));
	__atomic_store_n(&proxy_complete, 1, __ATOMIC_RELAXED);
	__kmpc_proxy_task_completed_ooo(proxy);
	return argument;
}

static void generate_proxy(void)
{
	pthread_t thread;

	proxy_begun = proxy_complete = 0;
	proxy = __kmpc_omp_task_alloc(NULL, self(), TIED | PROXY, 40, 0, begin_proxy);
	CHECK_EQUAL(pthread_create(&thread, NULL, complete_proxy, NULL), 0);
	__kmpc_omp_task(NULL, self(), proxy);
	__kmpc_omp_taskwait(NULL, self());
	CHECK(__atomic_load_n(&proxy_complete, __ATOMIC_RELAXED) == 1);
	pthread_join(thread, NULL);
}

static int32_t check_numbers(int32_t gtid, struct task *task)
{
	(void)task;
	CHECK(gtid == self());
	CHECK(__kmpc_get_taskid() != __kmpc_get_parent_taskid());
	CHECK(__kmpc_get_taskid() > 0 && __kmpc_get_parent_taskid() > 0);
	return 0;
}

static void generate_numbered(void)
{
	for (int i = 0; i < 10; i++)
		__kmpc_omp_task(
		    NULL, self(), __kmpc_omp_task_alloc(NULL, self(), TIED, 40, 0, check_numbers));
	__kmpc_omp_taskwait(NULL, self());
}

/* Tasks without a routine, which others may depend on: in each way that executes one. */
enum { IN = 1, INOUT = 3 };

struct dependence {
	void *address;
	size_t bytes;
	uint8_t kind;
};

extern int32_t __kmpc_omp_task_with_deps(void *, int32_t, struct task *, int32_t count,
    struct dependence *, int32_t more_count, struct dependence *);

static struct task *empty_task(void)
{
	return __kmpc_omp_task_alloc(NULL, self(), TIED, 40, 0, NULL);
}

static void generate_without_routine(void)
{
	static int place;
	struct dependence inout = {&place, sizeof(place), INOUT};
	struct task *task;

	for (int i = 0; i < 200; i++)
		__kmpc_omp_task(NULL, self(), empty_task());
	for (int i = 0; i < 20; i++)
		__kmpc_omp_task_with_deps(NULL, self(), empty_task(), 1, &inout, 0, NULL);
	task = empty_task();
	__kmpc_omp_task_begin_if0(NULL, self(), task);
	__kmpc_invoke_task_func(self(), task);
	__kmpc_omp_task_complete_if0(NULL, self(), task);
	__kmpc_omp_taskwait(NULL, self());
}

/*
 * Four tasks: the second and the last name all memory by an address that is none, the third a
 * variable of its own. Each has to wait for the one before, and the list of what waits for it says
 * so while the first one is held.
 */
struct successor {
	const void *node;
	const struct successor *next;
};

enum { CHAIN = 4 };

static int chain_is_built, chain_begun;

static int32_t in_chain(int32_t gtid, struct task *task)
{
	int number = (int)task->lower;

	(void)gtid;
	if (number == 0)
		CHECK(await_flag(&chain_is_built, 1));
	CHECK_EQUAL(count(&chain_begun), number);
	return 0;
}

static bool waits_for(struct task *first, struct task *second)
{
	const struct successor *successor = __kmpc_task_get_successors(first);

	while (successor != NULL && successor->node != __kmpc_task_get_depnode(second))
		successor = successor->next;
	return successor != NULL;
}

static void generate_all_memory(void)
{
	static int places[2];
	struct dependence named[CHAIN] = {{&places[0], sizeof(int), INOUT},
	    {(void *)UINTPTR_MAX, 0, INOUT}, {&places[1], sizeof(int), INOUT},
	    {(void *)UINTPTR_MAX, 0, INOUT}};
	struct task *tasks[CHAIN];

	if (omp_get_num_threads() == 1)
		return;
	chain_is_built = chain_begun = 0;
	for (int i = 0; i < CHAIN; i++) {
		tasks[i] =
		    __kmpc_omp_task_alloc(NULL, self(), TIED, sizeof(struct task), 0, in_chain);
		tasks[i]->lower = (uint64_t)i;
		__kmpc_omp_task_with_deps(NULL, self(), tasks[i], 1, &named[i], 0, NULL);
	}
	for (int i = 0; i + 1 < CHAIN; i++)
		CHECK(waits_for(tasks[i], tasks[i + 1]));
	CHECK(!waits_for(tasks[0], tasks[2]));
	CHECK(__kmpc_task_get_successors(tasks[CHAIN - 1]) == NULL);
	raise_flag(&chain_is_built);
	__kmpc_omp_taskwait(NULL, self());
	CHECK_EQUAL(chain_begun, CHAIN);
}

int main(void)
{
	in_region(generate_sizes);
	in_region(generate_parts);
	in_region(generate_loops);
	in_region(generate_reduction);
	in_region(generate_destroyed);
	in_region(generate_proxy);
	in_region(generate_numbered);
	in_region(generate_without_routine);
	in_region(generate_all_memory);
	return check_result();
}

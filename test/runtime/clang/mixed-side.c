/* SPDX-License-Identifier: BSD-3-Clause */
/* The constructs of mixed.h, by the compiler that compiles this file. */
#include "mixed.h"

#ifdef __clang__
#define SIDE mixed_clang
#define NAME "clang"
int own_of_clang;
extern int own_of_gcc;
#else
#define SIDE mixed_gcc
#define NAME "gcc"
int own_of_gcc;
extern int own_of_clang;
#endif
#pragma omp threadprivate(own_of_clang)
#pragma omp threadprivate(own_of_gcc)

static void parallel(int threads, work_fn *fn, void *data)
{
#pragma omp parallel num_threads(threads)
	fn(data);
}

static void barrier(void)
{
#pragma omp barrier
}

static void masked(work_fn *fn, void *data)
{
#pragma omp masked
	fn(data);
}

static void single(work_fn *fn, void *data)
{
#pragma omp single
	fn(data);
}

static int broadcast(int value)
{
	int copy = 0;

#pragma omp single copyprivate(copy)
	copy = value;
	return copy;
}

static void dynamic(int count, turn_fn *fn, void *data)
{
#pragma omp for schedule(dynamic, 2)
	for (int i = 0; i < count; i++)
		fn(i, data);
}

static void steady(int count, turn_fn *fn, void *data)
{
#pragma omp for schedule(static)
	for (int i = 0; i < count; i++)
		fn(i, data);
}

static void in_order(int count, turn_fn *fn, void *data)
{
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < count; i++)
		fn(i, data);
}

static void ordered(work_fn *fn, void *data)
{
#pragma omp ordered
	fn(data);
}

static void reduce(int count, long *sum)
{
	static long total;

#pragma omp single
	total = 0;
#pragma omp for reduction(+ : total)
	for (int i = 0; i < count; i++)
		total += i;
#pragma omp single
	*sum = total;
}

static void sections(work_fn *first, work_fn *second, void *data)
{
#pragma omp sections
	{
#pragma omp section
		first(data);
#pragma omp section
		second(data);
	}
}

static void task(work_fn *fn, void *data)
{
#pragma omp task
	fn(data);
}

static void task_on(int *place, work_fn *fn, void *data)
{
#pragma omp task depend(inout : *place)
	fn(data);
}

static void taskwait(void)
{
#pragma omp taskwait
}

static void taskgroup(work_fn *fn, void *data)
{
#pragma omp taskgroup
	fn(data);
}

static void taskloop(int count, turn_fn *fn, void *data)
{
#pragma omp taskloop grainsize(3)
	for (int i = 0; i < count; i++)
		fn(i, data);
}

static void cancel(void)
{
#pragma omp task
	{
#pragma omp cancel taskgroup
	}
}

static void task_to_cancel(work_fn *fn, void *data)
{
#pragma omp task
	{
#pragma omp cancellation point taskgroup
		fn(data);
	}
}

static void reduce_tasks(work_fn *fn, void *data)
{
#pragma omp taskgroup task_reduction(+ : mixed_sum)
	fn(data);
}

static void add(long value)
{
#pragma omp task in_reduction(+ : mixed_sum)
	mixed_sum += value;
}

static void detach(uintptr_t *event, work_fn *fn, void *data)
{
	omp_event_handle_t handle;

#pragma omp task detach(handle)
	fn(data);
	__atomic_store_n(event, (uintptr_t)handle, __ATOMIC_RELEASE);
}

static void fulfill(uintptr_t event)
{
	omp_fulfill_event((omp_event_handle_t)event);
}

static void lock(omp_lock_t *lock)
{
	omp_set_lock(lock);
}

static void unlock(omp_lock_t *lock)
{
	omp_unset_lock(lock);
}

static int *own(void)
{
	return &own_of_gcc;
}

static int *other(void)
{
	return &own_of_clang;
}

const struct side SIDE = {
    .name = NAME,
    .parallel = parallel,
    .barrier = barrier,
    .masked = masked,
    .single = single,
    .broadcast = broadcast,
    .dynamic = dynamic,
    .steady = steady,
    .in_order = in_order,
    .ordered = ordered,
    .reduce = reduce,
    .sections = sections,
    .task = task,
    .task_on = task_on,
    .taskwait = taskwait,
    .taskgroup = taskgroup,
    .taskloop = taskloop,
    .cancel = cancel,
    .task_to_cancel = task_to_cancel,
    .reduce_tasks = reduce_tasks,
    .add = add,
    .detach = detach,
    .fulfill = fulfill,
    .lock = lock,
    .unlock = unlock,
    .own = own,
    .other = other,
    .number = omp_get_thread_num,
    .size = omp_get_num_threads,
    .level = omp_get_level,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each construct costs with a short body, in nanoseconds: a line per construct, and first one
 * with the time of the body alone. compare-runtimes.py runs this on several runtimes.
 *
 *	constructs THREADS MILLISECONDS [NAME...]
 *	constructs THREADS xREPETITIONS[xTURNS] [NAME...]   no times: for debugger-cost.py, which
 *	                                                    counts; TURNS of the body instead of 20
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHORT_BODY = 20, ITERATIONS = 512, TREE_DEPTH = 8, TREE_TASKS = 510 };

static int threads, turns = SHORT_BODY;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void __attribute__((noinline)) body(void)
{
	for (int i = turns; i > 0; i--)
		__asm__ volatile("" ::: "memory");
}

/* A region for each repetition. */
#define REGION(name, directive)                                                                    \
	static void run_##name(long repetitions)                                                   \
	{                                                                                          \
		for (long i = 0; i < repetitions; i++) {                                           \
			_Pragma(directive) body();                                                 \
		}                                                                                  \
	}
REGION(parallel, "omp parallel")
REGION(parallel_one, "omp parallel if(0)")

static void run_resize(long repetitions)
{
	for (long i = 0; i < repetitions; i++) {
#pragma omp parallel num_threads(1 + (int)(i % threads))
		body();
	}
}

static void run_nested(long repetitions)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	for (long i = 0; i < repetitions; i++) {
#pragma omp parallel num_threads(threads > 1 ? threads / 2 : 1)
		body();
	}
	omp_set_max_active_levels(1);
}

/* One region with all repetitions, each a construct around the body. */
#define INSIDE(name, ...)                                                                          \
	static void run_##name(long repetitions)                                                   \
	{                                                                                          \
		_Pragma("omp parallel") for (long i = 0; i < repetitions; i++)                     \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define DO(text) _Pragma(#text)
INSIDE(barrier, body(); DO(omp barrier))
INSIDE(single, DO(omp single) body();)
INSIDE(single_nowait, DO(omp single nowait) body();)
INSIDE(critical, DO(omp critical) body();)
INSIDE(for_static, DO(omp for schedule(static)) for (int j = 0; j < threads; j++) body();)
INSIDE(for_dynamic, DO(omp for schedule(dynamic)) for (int j = 0; j < ITERATIONS; j++) body();)
INSIDE(for_rising, DO(omp for schedule(monotonic : dynamic)) for (int j = 0; j < ITERATIONS; j++)
	body();)
INSIDE(for_guided, DO(omp for schedule(guided)) for (int j = 0; j < ITERATIONS; j++) body();)
INSIDE(ordered, DO(omp for ordered schedule(static, 1)) for (int j = 0; j < ITERATIONS; j++) {
	DO(omp ordered) body();
})
INSIDE(doacross, DO(omp for ordered(1) schedule(static, 1)) for (int j = 0; j < ITERATIONS; j++) {
	DO(omp ordered depend(sink : j - 1)) body();
	DO(omp ordered depend(source))
})
INSIDE(task_wait, DO(omp task) body(); DO(omp taskwait))
INSIDE(
    taskgroup, DO(omp taskgroup) {
	    DO(omp task)
	    body();
    })
INSIDE(task_each, DO(omp task) body();)
INSIDE(
    task_one, DO(omp master) {
	    DO(omp task)
	    body();
    })
INSIDE(
    task_chain, DO(omp master) {
	    DO(omp task depend(inout : threads)) body();
    })
INSIDE(
    taskloop, DO(omp single) {
	    DO(omp taskloop grainsize(1)) for (int j = 0; j < ITERATIONS; j++) body();
    })

static omp_lock_t shared_lock;

static void run_lock(long repetitions)
{
	omp_init_lock(&shared_lock);
#pragma omp parallel
	for (long i = 0; i < repetitions; i++) {
		omp_set_lock(&shared_lock);
		body();
		omp_unset_lock(&shared_lock);
	}
	omp_destroy_lock(&shared_lock);
}

static void branch(int depth)
{
	if (depth == 0) {
		body();
		return;
	}
#pragma omp task
	branch(depth - 1);
#pragma omp task
	branch(depth - 1);
#pragma omp taskwait
}

static void run_task_tree(long repetitions)
{
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < repetitions; i++)
		branch(TREE_DEPTH);
}

#define ROW(name, operations)                                                                      \
	{                                                                                          \
#name, run_##name, operations                                                      \
	}

static const struct construct {
	const char *name;
	void (*run)(long repetitions);
	int operations; /* in a repetition */
} constructs[] = {
    ROW(parallel, 1),
    ROW(parallel_one, 1),
    ROW(resize, 1),
    ROW(nested, 1),
    ROW(barrier, 1),
    ROW(single, 1),
    ROW(single_nowait, 1),
    ROW(critical, 1),
    ROW(lock, 1),
    ROW(for_static, 1),
    ROW(for_dynamic, ITERATIONS),
    ROW(for_rising, ITERATIONS),
    ROW(for_guided, ITERATIONS),
    ROW(ordered, ITERATIONS),
    ROW(doacross, ITERATIONS),
    ROW(task_wait, 1),
    ROW(taskgroup, 1),
    ROW(task_each, 1),
    ROW(task_one, 1),
    ROW(task_chain, 1),
    ROW(taskloop, ITERATIONS),
    ROW(task_tree, TREE_TASKS),
};

/* Nanoseconds an operation; as many repetitions as fill the time, which is measured three times. */
static double measure(const struct construct *construct, double nanoseconds)
{
	long repetitions = 1;
	double best = 0, took;

	construct->run(4);
	for (;;) {
		took = now();
		construct->run(repetitions);
		took = now() - took;
		if (took > nanoseconds / 8 || repetitions > 1000000)
			break;
		repetitions *= 2;
	}
	repetitions = 1 + (long)((double)repetitions * nanoseconds / (took + 1));
	for (int i = 0; i < 3; i++) {
		took = now();
		construct->run(repetitions);
		took = (now() - took) / (double)repetitions / construct->operations;
		best = i == 0 || took < best ? took : best;
	}
	return best;
}

/* Once to warm up, then as often as asked for. */
static void repeat(const struct construct *construct, long repetitions)
{
	construct->run(4);
	construct->run(repetitions);
}

static double body_alone(void)
{
	double begun = now();

	for (int i = 0; i < 100000; i++)
		body();
	return (now() - begun) / 100000;
}

int main(int argc, char **argv)
{
	double nanoseconds = 0;
	long repetitions = 0;

	if (argc > 2 && argv[2][0] == 'x')
		sscanf(argv[2], "x%ldx%d", &repetitions, &turns);
	else if (argc > 2)
		nanoseconds = atof(argv[2]) * 1e6;
	if (argc < 3 || (threads = atoi(argv[1])) < 1 || (nanoseconds <= 0 && repetitions < 1)) {
		fprintf(stderr, "usage: constructs THREADS MILLISECONDS|xREPETITIONS [NAME...]\n");
		return 2;
	}
	omp_set_num_threads(threads);
	omp_set_dynamic(0);
	if (repetitions == 0)
		printf("body %.2f\n", body_alone());
	for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++) {
		int wanted = argc == 3;

		for (int j = 3; j < argc; j++)
			wanted |= strcmp(argv[j], constructs[i].name) == 0;
		if (wanted && repetitions != 0)
			repeat(&constructs[i], repetitions);
		else if (wanted)
			printf(
			    "%s %.2f\n", constructs[i].name, measure(&constructs[i], nanoseconds));
		fflush(stdout);
	}
	return 0;
}

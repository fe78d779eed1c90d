/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs in a program that is compiled as it is and measured by libpomp_tool.so. The argument
 * says which. What each construct must have is printed at the end, for check.py:
 *
 *   expect CONSTRUCT visits COUNT
 *   expect CONSTRUCT time LEAST MOST     nanoseconds, summed over threads
 *
 * The times are those that the program saw itself, from within the construct and from around it.
 * GCC's code does not show everything: what only clang's shows is expected of clang alone.
 */
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 10 };

/*
 * OWN: this is the instrumented half of a program. OTHER: the other half, which is compiled as it
 * is; both are this file. Each half prints what its constructs must have.
 */
#ifdef OWN
int main_of_other(int argc, char **argv);
#endif
#ifdef OTHER
#define main          main_of_other
#define orphans_here  orphans_of_other
#define orphans_there orphans_of_own
#else
#define orphans_here  orphans_of_own
#define orphans_there orphans_of_other
#endif

#if defined __clang__ || defined OWN || defined INSTRUMENTED
enum { SHOWS_ALL = true };
#else
enum { SHOWS_ALL = false };
#endif
#if defined OWN || defined INSTRUMENTED
enum { IS_INSTRUMENTED = true };
#else
enum { IS_INSTRUMENTED = false };
#endif

struct tally {
	const char *construct;
	long visits;
	double inside, outside; /* seconds */
};

static struct tally parallels = {"parallel"}, criticals = {"critical"}, singles = {"single"},
		    loops = {"for"}, sections = {"sections"}, barriers = {"barrier"},
		    ordereds = {"ordered"}, tasks = {"task"}, waits = {"taskwait"},
		    groups = {"taskgroup"}, masters = {"master"}, taskloops = {"taskloop"};

/*
 * Seconds. Not omp_get_wtime(): libomp's has whole microseconds, and work() ends where one begins,
 * so that half of one would be missing in each time that follows.
 */
static double now(void)
{
	struct timespec moment;

	clock_gettime(CLOCK_MONOTONIC, &moment);
	return (double)moment.tv_sec + (double)moment.tv_nsec * 1e-9;
}

static void work(int microseconds)
{
	double end = now() + microseconds * 1e-6;

	while (now() < end)
		;
}

static void add(double *sum, double seconds)
{
	union {
		double seconds;
		unsigned long long bits;
	} before, after;

	before.bits = __atomic_load_n((unsigned long long *)sum, __ATOMIC_RELAXED);
	do
		after.seconds = before.seconds + seconds;
	while (!__atomic_compare_exchange_n((unsigned long long *)sum, &before.bits, after.bits, 0,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void count(struct tally *tally, long visits)
{
	__atomic_fetch_add(&tally->visits, visits, __ATOMIC_RELAXED);
}

static void expect(const struct tally *tally)
{
	printf("expect %s visits %ld\n", tally->construct, tally->visits);
	if (tally->outside > 0)
		printf("expect %s time %.0f %.0f\n", tally->construct, tally->inside * 1e9,
		    tally->outside * 1e9);
}

/* Between the regions one thread works for long: the others wait for nothing then. */
static void test_parallel(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp parallel num_threads(THREADS)
		{
			double inside = now();
			work(300 * (omp_get_thread_num() + 1));
			count(&parallels, 1);
			add(&parallels.inside, now() - inside);
		}
		add(&parallels.outside, THREADS * (now() - before));
		work(20000);
	}
	/* Of one thread. */
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp parallel if (round < 0)
		{
			double inside = now();
			work(100);
			count(&parallels, 1);
			add(&parallels.inside, now() - inside);
		}
		add(&parallels.outside, now() - before);
	}
	expect(&parallels);
}

static void test_nested(void)
{
	omp_set_max_active_levels(2);
	double before = now();
#pragma omp parallel num_threads(2)
	{
		count(&parallels, 1);
		double middle = now();
#pragma omp parallel num_threads(2)
		{
			double inside = now();
			work(500);
			count(&parallels, 1);
			add(&parallels.inside, 2 * (now() - inside));
		}
		add(&parallels.outside, 2 * (now() - middle));
	}
	add(&parallels.outside, 2 * (now() - before));
	expect(&parallels);
}

static void test_critical(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp critical(name)
		{
			double inside = now();
			work(100);
			count(&criticals, 1);
			add(&criticals.inside, now() - inside);
		}
		add(&criticals.outside, now() - before);
	}
	expect(&criticals);
	printf("expect lock acquired %ld\n", criticals.visits);
}

static void test_locks(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	long acquired = 0, nested = 0;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		omp_set_lock(&lock);
		work(20);
		acquired++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		work(20);
		nested += 2;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		while (!omp_test_lock(&lock))
			work(5);
		acquired++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	printf("expect lock acquired %ld\nexpect lock acquired %ld\n", acquired, nested);
}

static void test_loops(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 6; i++) {
			double inside = now();
			work(100);
			add(&loops.inside, now() - inside);
		}
		if (SHOWS_ALL) /* else its barrier is a construct of its own */
			add(&loops.outside, now() - before);
		count(&loops, 1);
		before = now();
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < 6; i++)
			work(10);
		if (SHOWS_ALL)
			add(&loops.outside, now() - before);
		count(&loops, 1);
		work(200); /* is no part of the loop */
	}
	expect(&loops);
}

static void test_sections(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp sections
		{
#pragma omp section
			work(100);
#pragma omp section
			work(200);
		}
		add(&sections.outside, now() - before);
		add(&sections.inside, omp_get_thread_num() == 0 ? 290e-6 : 0);
		count(&sections, 1);
	}
	expect(&sections);
}

static void test_single(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp single
		{
			double inside = now();
			work(100);
			add(&singles.inside, now() - inside);
		}
		add(&singles.outside, now() - before);
		count(&singles, 1);
#pragma omp master
		{
			work(50);
			count(&masters, SHOWS_ALL);
		}
	}
	expect(&singles);
	expect(&masters);
}

static void test_barrier(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++) {
		work(100 * omp_get_thread_num());
		double before = now();
#pragma omp barrier
		add(&barriers.outside, now() - before);
		count(&barriers, 1);
	}
	expect(&barriers);
}

static void test_ordered(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < 12; i++) {
		double before = now();
#pragma omp ordered
		{
			double inside = now();
			work(100);
			add(&ordereds.inside, now() - inside);
			count(&ordereds, 1);
		}
		add(&ordereds.outside, now() - before);
	}
	expect(&ordereds);
}

/* LLVM's runtime deadlocks about once in 2,000 runs if tied and untied tasks are mixed. */
#ifdef ONLY_TIED
#define UNTIED
#else
#define UNTIED untied
#endif

static int tree(int depth)
{
	int left = 0, right = 0;

	if (depth == 0) {
		work(20);
		return 1;
	}
#pragma omp task shared(left)
	{
		count(&tasks, 1);
		left = tree(depth - 1);
	}
#pragma omp task shared(right) UNTIED
	{
		count(&tasks, 1);
		right = tree(depth - 1);
	}
#pragma omp taskwait
	count(&waits, 1);
	return left + right;
}

static void test_tasks(void)
{
	int leaves = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	leaves = tree(7);
	if (leaves != 128)
		exit(1);
	expect(&tasks);
	expect(&waits);
	printf("expect task created %ld\n", tasks.visits);
}

/* One thread creates, in a taskgroup, and waits for the others to execute. */
static void test_stolen(void)
{
	bool stolen = false;
	double start = now();

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		int creator = omp_get_thread_num();
		double before = now();
#pragma omp taskgroup
		{
			for (int i = 0; i < 60; i++)
#pragma omp task
			{
				double inside = now();
				work(200);
				add(&tasks.inside, now() - inside);
				count(&tasks, 1);
				if (omp_get_thread_num() != creator)
					__atomic_store_n(&stolen, true, __ATOMIC_RELAXED);
			}
			while (!__atomic_load_n(&stolen, __ATOMIC_RELAXED))
				;
#pragma omp task if (0)
			{
				work(100);
				count(&tasks, 1);
			}
		}
		add(&groups.outside, now() - before);
		count(&groups, 1);
	}
	/* A thread may lose the processor just before its task reads the clock: no part of the
	 * tasks' own time bounds that, but no thread is longer in tasks than in the region. */
	tasks.outside = THREADS * (now() - start);
	expect(&tasks);
	expect(&groups);
	printf("expect task created %ld\n", tasks.visits);
}

static void test_taskloop(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (int round = 0; round < ROUNDS; round++) {
		double before = now();
#pragma omp taskloop num_tasks(6)
		for (int i = 0; i < 12; i++)
			work(50);
		add(&taskloops.outside, now() - before);
		taskloops.inside +=
		    150e-6; /* of 600 us on three threads: the wait is a part of it */
		count(&taskloops, 1);
		count(&tasks, IS_INSTRUMENTED ? 0 : 6);
	}
	expect(&taskloops);
	expect(&tasks);
	expect(&groups); /* the taskloop's is a part of it */
}

/* Needs OMP_CANCELLATION=true. What is cancelled leaves nothing open that later constructs see. */
static void test_cancel(void)
{
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		{
			count(&parallels, 1);
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 100; i++) {
				work(20);
#ifndef __clang__ /* an assertion of libomp 19 fails then */
#pragma omp cancel for
#endif
			}
			count(&loops, 1);
		}
#pragma omp parallel num_threads(THREADS)
		{
			count(&parallels, 1);
			if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
			}
			for (int i = 0; i < 100; i++) {
				work(10);
#pragma omp cancellation point parallel
			}
		}
	}
	expect(&parallels);
	expect(&loops);
}

static void test_exit(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		count(&parallels, 1);
		work(200);
#pragma omp barrier
		if (omp_get_thread_num() == THREADS - 1) {
			expect(&parallels);
			exit(0);
		}
		for (;;)
			pause();
	}
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void lock_held(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
}

/* The process ends while its threads sleep, and holds a lock that they would take at their end. */
static void test_held(void)
{
	pthread_key_t key;

	pthread_key_create(&key, lock_held);
#pragma omp parallel num_threads(THREADS)
	{
		count(&parallels, 1);
		work(200);
		pthread_setspecific(key, omp_get_thread_num() != 0 ? &held : NULL);
	}
	expect(&parallels);
	pthread_mutex_lock(&held);
	exit(0);
}

/* Both processes measure what they executed themselves. */
static void test_fork(void)
{
	for (int round = 0; round < 2; round++)
#pragma omp parallel num_threads(THREADS)
		count(&parallels, 1);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		parallels.visits = 0;
#pragma omp parallel num_threads(2)
		count(&parallels, 1);
		printf("child %d\n", (int)getpid());
	} else {
		int status = 0;
		if (waitpid(child, &status, 0) != child || status != 0)
			exit(1);
	}
	expect(&parallels);
	fflush(stdout);
}

#if defined OWN || defined OTHER
void orphans_here(void);
void orphans_there(void);

/* Constructs of a region that may be the other half's. */
void orphans_here(void)
{
#pragma omp barrier
#pragma omp critical(both)
	{
		work(20);
		count(&criticals, 1);
	}
#pragma omp for schedule(dynamic)
	for (int i = 0; i < 6; i++)
		work(10);
	count(&loops, 1);
#pragma omp task
	{
		work(10);
		count(&tasks, 1);
	}
#pragma omp taskwait
	count(&waits, 1);
#pragma omp single nowait
	work(10);
	count(&singles, 1);
	count(&barriers, 1);
}

static void test_orphans(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		count(&parallels, 1);
		orphans_here();
		orphans_there();
		orphans_here();
	}
}

/* When both halves have run. */
static void expect_orphans(void)
{
	const struct tally *all[] = {
	    &parallels, &barriers, &criticals, &loops, &tasks, &waits, &singles};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		expect(all[i]);
}
#endif

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
		{"parallel", test_parallel},
		{"nested", test_nested},
		{"critical", test_critical},
		{"locks", test_locks},
		{"loops", test_loops},
		{"sections", test_sections},
		{"single", test_single},
		{"barrier", test_barrier},
		{"ordered", test_ordered},
		{"tasks", test_tasks},
		{"stolen", test_stolen},
		{"taskloop", test_taskloop},
		{"cancel", test_cancel},
		{"exit", test_exit},
		{"held", test_held},
		{"fork", test_fork},
#if defined OWN || defined OTHER
		{"orphans", test_orphans},
#endif
	};

	omp_set_dynamic(0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
#ifdef OWN
			main_of_other(argc, argv);
#endif
#if defined OWN || defined OTHER
			if (cases[i].run == test_orphans)
				expect_orphans();
#endif
			return 0;
		}
	fprintf(stderr, "usage: plain CASE\n");
	return 2;
}

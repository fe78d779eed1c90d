/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints which thread executes which iteration of its loops, and what the routines say of
 * run-sched-var around them and inside. Each number of a line of the output follows from the
 * schedules alone: in dynamic loops a thread waits in the first iteration for all others.
 *
 * The test finds a directive's line by the comment behind it.
 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { COUNT = 16, THREADS = 4 };

static int owner[COUNT];
static int me; /* the thread's number, for loops that call nothing */
#pragma omp threadprivate(me)

static void note(int i)
{
	owner[i] = omp_get_thread_num();
}

static void print_owners(const char *name)
{
	printf("%s:", name);
	for (int i = 0; i < COUNT; i++) {
		printf(" %d", owner[i]);
		owner[i] = -1;
	}
	printf("\n");
}

static void print_schedule(const char *name)
{
	omp_sched_t kind;
	int chunk;

	omp_get_schedule(&kind, &chunk);
	printf("%s: %u,%d\n", name, kind & 0x7fffffffu, chunk);
}

static void open_loop(void)
{
#pragma omp parallel num_threads(THREADS)
	me = omp_get_thread_num();
#pragma omp parallel for num_threads(THREADS) /* open */
	for (int i = 0; i < COUNT; i++)
		owner[i] = me;
	print_owners("open");
}

static void chunk_loop(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		int number = omp_get_thread_num();
#pragma omp for schedule(static, 3) /* chunk */
		for (int i = 0; i < COUNT; i++)
			owner[i] = number;
	}
	print_owners("chunk");
}

/* Another thread executes all other iterations while one is in the first. */
static void dynamic_loop(void)
{
	int done = 0, sum = 0, first = -1;

#pragma omp parallel for schedule(dynamic) num_threads(2) reduction(+ : sum) /* dynamic */
	for (int i = 0; i < COUNT; i++) {
		int seen = 0;
		if (i == 0)
			first = omp_get_thread_num();
		while (i == 0 && seen < COUNT - 1) {
			sched_yield();
#pragma omp atomic read
			seen = done;
		}
#pragma omp atomic
		done++;
		sum += i != 0 && omp_get_thread_num() == first;
	}
	printf("dynamic: %d by the first thread, %d in all\n", sum, done);
}

/* The user's own loop: what the program has set, or OMP_SCHEDULE, decides. */
static void own_loop(const char *name)
{
#pragma omp parallel for num_threads(THREADS) schedule(runtime)
	for (int i = 0; i < COUNT; i++)
		note(i);
	print_owners(name);
}

/* Regions inside a loop whose schedule may change. */
static void nested_loop(void)
{
	int inner[COUNT] = {0};

#pragma omp parallel for num_threads(2) /* nested */
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			print_schedule("inside");
#pragma omp parallel for num_threads(1) schedule(runtime)
		for (int k = 0; k < COUNT / 2; k++)
			inner[i * COUNT / 2 + k] = omp_get_thread_num();
		omp_set_schedule(omp_sched_guided, 7);
	}
#pragma omp parallel for num_threads(THREADS) /* again */
	for (int i = 0; i < COUNT; i++)
		owner[i] = inner[i] + omp_get_thread_num();
	print_owners("again");
}

/* No thread begins a loop without iterations; its schedule is for no other loop. */
static void empty_loop(volatile int *count)
{
#pragma omp parallel num_threads(THREADS)
	{
		int end = *count;
#pragma omp for schedule(static, 1) /* empty */
		for (int i = 0; i < end; i++)
			owner[i] = 0;
#pragma omp for schedule(runtime)
		for (int i = 0; i < COUNT; i++)
			note(i);
	}
	print_owners("after empty");
}

/* A combined region in the bounds of a loop, which ompinst leaves as it is. */
#pragma pomp inst noinstrument
static int bound(void)
{
	int last[COUNT];

#pragma omp parallel for num_threads(1) schedule(runtime)
	for (int i = 0; i < COUNT; i++)
		last[i] = i;
	return last[COUNT - 1] + 1;
}
#pragma pomp inst instrument

static void bounded_loop(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) /* bounded */
	for (int i = 0; i < bound(); i++)
		owner[i] = omp_get_thread_num();
	print_owners("bounded");
}

int main(void)
{
	volatile int none = 0;

	omp_set_dynamic(0);
	print_schedule("at first");
	open_loop();
	chunk_loop();
	dynamic_loop();
	own_loop("own");
	omp_set_schedule(omp_sched_static, 2);
	open_loop();
	own_loop("own");
	nested_loop();
	empty_loop(&none);
	bounded_loop();
	print_schedule("at last");
	return 0;
}

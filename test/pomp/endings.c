/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that do not end in the usual way. argv[1] says how:
 *   exit       one thread calls exit() inside a region while the others wait in a barrier
 *   cancel     a cancelled region: the threads skip their end calls
 *   canceltask tasks that cancel their group: they skip their end calls
 *   jump       longjmp out of nested user regions, many times
 *   fork       the child of a fork measures on its own
 *   forkinside a fork inside a region; the child leaves the region's frames behind
 *   kill       events until the process is killed; prints a count of events before each batch;
 *              SIGUSR1 ends it by _exit(), SIGUSR2 by exec
 *   closeall   the program closes all descriptors, ours too
 *   mainends   main ends by pthread_exit() while a thread of the library is at work
 *   off        pomp_off and pomp_on, nested, across a parallel region
 */
#include "regions.h"

#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAIN, PARALLEL, LOOP, USER, CRITICAL, GROUP, TASK, COUNT };

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [PARALLEL] = REGION("parallel", "", 10),
    [LOOP] = REGION("for", "", 20),
    [USER] = REGION("region", "user", 30),
    [CRITICAL] = REGION("critical", "", 40),
    [GROUP] = REGION("taskgroup", "", 50),
    [TASK] = REGION("task", "", 60),
};
const int region_count = COUNT;

enum { THREADS = 3 };

static void loop(void)
{
	pomp_for_enter(&regions[LOOP]);
#pragma omp for nowait
	for (int i = 0; i < 10; i++)
		__asm__ volatile("" ::: "memory");
	pomp_barrier_enter(&regions[LOOP]);
#pragma omp barrier
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
}

static void region(int threads)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(threads)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		loop();
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

static void leave_by_exit(void)
{
	/* Nothing reads the slots after exit(), so the test checks the summary and the trace. */
	printf("visits region|main|1|1\nvisits parallel||10|%d\n", THREADS);
	printf("visits for||20|%d\nvisits region|user|30|1\n", THREADS);
	pomp_begin(&regions[MAIN]);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		loop();
		if (omp_get_thread_num() == 1) {
			pomp_begin(&regions[USER]);
			usleep(2000);
			exit(0);
		}
		pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
		pomp_barrier_exit(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
}

static void cancelled(int round)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		pomp_begin(&regions[USER]);
		if (round % 2 == 0) {
#pragma omp cancel parallel
		}
		pomp_end(&regions[USER]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

static void cancel(void)
{
	for (int round = 0; round < 6; round++)
		cancelled(round);
	pomp_finalize();
	expect(&regions[PARALLEL], 6 * THREADS);
	expect(&regions[USER], 6 * THREADS);
}

/* Those that are begun while others wait for the group stand above its wait, those with if(0) do
 * not. */
static void cancelled_tasks(int *begun)
{
	for (int i = 0; i < 20; i++) {
		uint64_t task = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(task, i) if (i % 4 != 0)
		{
			pomp_task_begin(&regions[TASK], task);
			__atomic_fetch_add(begun, 1, __ATOMIC_RELAXED);
			pomp_begin(&regions[USER]);
#pragma omp cancel taskgroup if (i >= 5)
			pomp_end(&regions[USER]);
			pomp_task_end(&regions[TASK], task);
		}
		pomp_task_create_end(&regions[TASK], task);
	}
}

static void canceltask(void)
{
	int begun = 0;

	for (int round = 0; round < 10; round++) {
		uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
		{
			pomp_parallel_begin(&regions[PARALLEL], fork);
			pomp_taskgroup_enter(&regions[GROUP]);
#pragma omp taskgroup
			{
				pomp_taskgroup_begin(&regions[GROUP]);
				cancelled_tasks(&begun);
				pomp_taskgroup_end(&regions[GROUP]);
			}
			pomp_taskgroup_exit(&regions[GROUP]);
			pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
			pomp_barrier_exit(&regions[PARALLEL]);
			pomp_parallel_end(&regions[PARALLEL]);
		}
		pomp_parallel_join(&regions[PARALLEL], fork);
	}
	pomp_finalize();
	expect(&regions[PARALLEL], 10 * THREADS);
	expect(&regions[GROUP], 10 * THREADS);
	expect(&regions[TASK], begun);
	print_expected("discarded %d", 10 * THREADS * 20 - begun);
	expect(&regions[USER], begun);
}

static void jump(void)
{
	jmp_buf place;

	for (volatile int round = 0; round < 1000; round++) {
		pomp_begin(&regions[MAIN]);
		if (setjmp(place) == 0) {
			for (int depth = 0; depth < 10; depth++)
				pomp_begin(&regions[USER]);
			longjmp(place, 1);
		}
		pomp_end(&regions[MAIN]);
	}
	pomp_finalize();
	expect(&regions[MAIN], 1000);
	expect(&regions[USER], 10000);
	print_expected("locations 1");
}

static int wait_for(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The region's first counter, of which the run has some where POMP_METRICS is set; else expected.
 */
static uint64_t counted(const OMPRegDescr *region, uint64_t expected)
{
	const struct pomp_counters *counters =
	    (const struct pomp_counters *)(uintptr_t)region->data[3];

	return counters != NULL ? counters->value[0] : expected;
}

/* Page faults, for a run that counts them. */
static void touch_pages(OMPRegDescr *region, size_t pages)
{
	enum { PAGE = 4096 };

	pomp_begin(region);
	char *memory =
	    mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; memory != MAP_FAILED && i < pages; i++)
		((volatile char *)memory)[i * PAGE] = 1;
	pomp_end(region);
}

/* A lock made before a fork is libpomp's in the child, too. Under libomp the program must make it
 * anew: that runtime forgets the locks of its parent.
 */
static void take_lock(void)
{
	static omp_lock_t lock;
	static pid_t made_in;
#ifdef __clang__
	bool is_made = made_in == getpid();
#else
	bool is_made = made_in != 0;
#endif

	if (!is_made) {
		pomp_init_lock(&lock);
		made_in = getpid();
	}
	pomp_set_lock(&lock);
	pomp_unset_lock(&lock);
}

static void fork_outside(void)
{
	region(1);
	touch_pages(&regions[MAIN], 1000);
	take_lock();
	pid_t child = fork();
	if (child == 0) {
		touch_pages(&regions[USER], 100);
		take_lock();
		region(1);
		region(1);
		pomp_finalize();
		if (counted(&regions[MAIN], 0) != 0 || regions[MAIN].data[1] != 0)
			_exit(2); /* the parent's */
		if (counted(&regions[USER], 100) < 50 || counted(&regions[USER], 100) > 500)
			_exit(3);
		_exit(regions[PARALLEL].data[1] == 2 ? 0 : 1);
	}
	int status = wait_for(child);
	check(status == 0, "the child's own counts: its status", (uint64_t)status, 0);
	region(1);
	region(1);
	pomp_finalize();
	expect(&regions[PARALLEL], 3);
	expect(&regions[MAIN], 1);
}

static void fork_inside(void)
{
	pomp_begin(&regions[MAIN]);
	pid_t child = fork();
	if (child == 0) {
		pomp_end(&regions[MAIN]); /* entered by the parent: not the child's */
		pomp_begin(&regions[USER]);
		pomp_end(&regions[USER]);
		pomp_finalize();
		_exit(regions[MAIN].data[1] == 0 && regions[USER].data[1] == 1 ? 0 : 1);
	}
	check(wait_for(child) == 0, "child's own count", 1, 0);
	pomp_end(&regions[MAIN]);
	pomp_finalize();
	expect(&regions[MAIN], 1);
	expect(&regions[USER], 0);
}

static void end_at_once(int how)
{
	if (how == SIGUSR2)
		execl("/bin/true", "true", (char *)NULL);
	_exit(0);
}

static void run_until_killed(void)
{
	signal(SIGUSR1, end_at_once);
	signal(SIGUSR2, end_at_once);
	for (uint64_t round = 1;; round++) {
		region(THREADS);
		usleep(2000); /* a trace that Python reads in seconds */
		for (int i = 0; i < 500; i++) {
			pomp_begin(&regions[USER]);
			pomp_end(&regions[USER]);
		}
		char text[32];
		int length = snprintf(text, sizeof(text), "%" PRIu64 "\n", round);
		if (write(STDOUT_FILENO, text, (size_t)length) != length)
			_exit(1);
	}
}

static void switched_off(void)
{
	pomp_begin(&regions[MAIN]);
	pomp_off();
	pomp_begin(&regions[USER]);
	pomp_off();
	region(THREADS);
	pomp_on();
	region(THREADS);
	pomp_end(&regions[USER]);
	pomp_on();
	region(THREADS);
	pomp_begin(&regions[USER]);
	pomp_off();
	pomp_end(&regions[USER]); /* entered while on: ends also while off */
	pomp_on();
	pomp_end(&regions[MAIN]);
	pomp_finalize();
	expect(&regions[MAIN], 1);
	expect(&regions[PARALLEL], THREADS);
	expect(&regions[LOOP], THREADS);
	expect(&regions[USER], 1);
}

/* The program closes what it did not open and opens its own files, which must stay as they are.
 */
static void close_all(void)
{
	enum { FILES = 20, ROUNDS = 3000 };
	FILE *mine[FILES];

	region(THREADS);
	for (int descriptor = 3; descriptor < 256; descriptor++)
		close(descriptor);
	for (int i = 0; i < FILES; i++) {
		mine[i] = tmpfile();
		fputs("mine", mine[i]);
		fflush(mine[i]);
	}
	for (int round = 0; round < ROUNDS; round++) /* more than one window */
		for (int i = 0; i < 4; i++) {
			pomp_begin(&regions[USER]);
			pomp_end(&regions[USER]);
		}
	pomp_finalize();
	for (int i = 0; i < FILES; i++) {
		fseek(mine[i], 0, SEEK_END);
		check(ftell(mine[i]) == 4, "my file's size", (uint64_t)ftell(mine[i]), 4);
	}
	expect(&regions[USER], 4 * ROUNDS);
	expect(&regions[PARALLEL], THREADS);
}

/* The process ends with its last thread, which must not be one of the library's. */
static void main_ends(void)
{
	enum { PARAMETERS = 20000 }; /* as many as bring windows that are prepared ahead */

	printf("visits parallel||10|%d\nvisits for||20|%d\n", THREADS, THREADS);
	print_expected("locations 3");
	region(THREADS);
	for (uint64_t i = 0; i < PARAMETERS; i++)
		pomp_parameter_uint64("round", i);
	fflush(stdout);
	pthread_exit(NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} endings[] = {
    {"exit", leave_by_exit},
    {"cancel", cancel},
    {"canceltask", canceltask},
    {"jump", jump},
    {"fork", fork_outside},
    {"forkinside", fork_inside},
    {"kill", run_until_killed},
    {"mainends", main_ends},
    {"off", switched_off},
    {"closeall", close_all},
};

int main(int argc, char **argv)
{
	omp_set_dynamic(0);
	for (size_t i = 0; argc > 1 && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(argv[1], endings[i].name) == 0) {
			endings[i].run();
			return result();
		}
	fprintf(stderr, "endings: no such ending\n");
	return 2;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with one planted loss each; check-truth.py knows what the first sentence must say of it.
 *
 *     planted CASE [SECONDS]
 *
 * SECONDS of work, about, for one thread; shares that are planted do not depend on it.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds = 0.5;
static double sink;

static double processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Executes for so many seconds of the thread's processor time. */
static __attribute__((noinline)) double work(double time)
{
	double end = processor_time() + time, value = 1;

	do {
		for (int i = 0; i < 5000; i++)
			value = value * 1.0000001 + 1e-9;
	} while (processor_time() < end);
	return value;
}

static __attribute__((noinline)) double steps(long count)
{
	volatile double value = 1;

	for (long i = 0; i < count; i++)
		value = value * 1.0000001 + 1e-9;
	return value;
}

static void sleep_for(double time)
{
	struct timespec left = {(time_t)time, (long)((time - (double)(time_t)time) * 1e9)};

	while (nanosleep(&left, &left) != 0)
		;
}

/* Work that is shared out evenly, so that there is a team. */
static void team(double time)
{
#pragma omp parallel for schedule(static) reduction(+ : sink)
	for (int i = 0; i < omp_get_max_threads(); i++)
		sink += work(time);
}

static __attribute__((noinline)) void alpha(double time)
{
	sink += work(time * 0.6);
}

static __attribute__((noinline)) void beta(double time)
{
	sink += work(time * 0.3);
}

static __attribute__((noinline)) void gamma_part(double time)
{
	sink += work(time * 0.1);
}

static void serial(void)
{
	for (int i = 0; i < 20; i++) {
		alpha(seconds / 20);
		beta(seconds / 20);
		gamma_part(seconds / 20);
		team(seconds / 100);
	}
}

static __attribute__((noinline)) double one_third(void)
{
	return steps(20000) + 1;
}

static __attribute__((noinline)) double two_thirds(void)
{
	return steps(40000) + 1;
}

static void lines(void)
{
#pragma omp parallel reduction(+ : sink)
	for (double end = processor_time() + seconds; processor_time() < end;) {
		sink += one_third();
		sink += two_thirds();
	}
}

/* A child writes slowly, and the initial thread reads. */
static void reads(void)
{
	int ends[2];
	char byte;

	if (pipe(ends) != 0)
		exit(2);
	pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		for (int i = 0; i < 20; i++) {
			sleep_for(seconds / 20);
			if (write(ends[1], "x", 1) != 1)
				_exit(2);
		}
		_exit(0);
	}
	close(ends[1]);
	while (read(ends[0], &byte, 1) == 1)
		team(seconds / 100);
	waitpid(child, NULL, 0);
}

/* Memory that lives for one step of each iteration, as in programs that allocate in each step. */
static void faults(void)
{
	size_t bytes = 40 << 20;

#pragma omp parallel reduction(+ : sink)
	for (double end = processor_time() + seconds; processor_time() < end;) {
		char *memory = malloc(bytes);
		for (size_t i = 0; i < bytes; i += 4096)
			memory[i] = 1;
		sink += memory[bytes / 2];
		free(memory);
	}
}

static void sleeps(void)
{
#pragma omp parallel for schedule(static) reduction(+ : sink)
	for (int i = 0; i < 40; i++) {
		sink += work(seconds / 100);
		sleep_for(seconds / 40);
	}
}

/* One thread of the team sleeps; the others wait for it at the end of the loop. */
static void sleeper(void)
{
	for (int step = 0; step < 10; step++) {
#pragma omp parallel for schedule(static) reduction(+ : sink)
		for (int i = 0; i < omp_get_max_threads(); i++) {
			sink += work(seconds / 50);
			if (i == 0)
				sleep_for(seconds / 10);
		}
	}
}

/* Even work, which takes long only if the threads lack processors. */
static void even(void)
{
	for (int step = 0; step < 10; step++)
		team(seconds / 10);
}

/* Many loops of a millisecond, whose ends threads reach together as long as they have processors.
 */
static void short_loops(void)
{
#pragma omp parallel reduction(+ : sink)
	for (int step = 0; step < (int)(seconds * 500); step++) {
#pragma omp for schedule(dynamic, 8)
		for (int i = 0; i < 256; i++)
			sink += steps(2000);
#pragma omp for schedule(static)
		for (int i = 0; i < 256; i++)
			sink += steps(2000);
#pragma omp single
		sink += steps(2000);
	}
}

/* A lock that OpenMP does not know. */
static void mutex(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#pragma omp parallel for schedule(static) reduction(+ : sink)
	for (int i = 0; i < 40; i++) {
		sink += work(seconds / 400);
		pthread_mutex_lock(&lock);
		sink += work(seconds / 40);
		pthread_mutex_unlock(&lock);
	}
}

static void long_task(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		{
			double value = work(i == 10 ? seconds : seconds / 100);
#pragma omp atomic
			sink += value;
		}
	}
}

static void tiny_tasks(void)
{
	double end = processor_time() + seconds;

#pragma omp parallel
#pragma omp single
	while (processor_time() < end)
		for (int i = 0; i < 1000; i++) {
#pragma omp task
			{
				double value = steps(20);
#pragma omp atomic
				sink += value;
			}
		}
}

static void uneven(void)
{
	for (int step = 0; step < 10; step++) {
		int count = 8 * omp_get_max_threads();
#pragma omp parallel for schedule(static) reduction(+ : sink)
		for (int i = 0; i < count; i++)
			sink += work(seconds / 10 * 2 * i / count / count * 2);
	}
}

static void critical(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 100; i++) {
		double value = work(seconds / 1000);
#pragma omp critical
		sink += value + work(seconds / 100);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
    {"serial", serial},
    {"lines", lines},
    {"reads", reads},
    {"faults", faults},
    {"sleeps", sleeps},
    {"sleeper", sleeper},
    {"even", even},
    {"short_loops", short_loops},
    {"mutex", mutex},
    {"long_task", long_task},
    {"tiny_tasks", tiny_tasks},
    {"uneven", uneven},
    {"critical", critical},
};

int main(int argc, char **argv)
{
	if (argc > 2)
		seconds = atof(argv[2]);
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
			printf("%s done\n", argv[1]);
			return 0;
		}
	fprintf(stderr, "planted: expected a case and seconds\n");
	return 2;
}

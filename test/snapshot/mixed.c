/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What makes sums of intervals hard: regions that are entered for the first time while it runs, two
 * of them on one line, nested teams, threads that come and go, new locks, tasks, and a library that
 * is loaded and unloaded: mixed.c THREADS [LIBRARY]. Each number on standard input is a number of
 * steps, after which it says "done"; what a step does depends on its number alone. Without input it
 * ends.
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS = 16, LOCKS = 1 << 12, OTHERS = 3 };

static long sum;
static int threads;
static omp_lock_t locks[LOCKS];

/* Regions on one line; the last of them are entered first. */
#define FUNCTION(name)                                                                             \
	static void name(void)                                                                     \
	{                                                                                          \
		_Pragma("omp parallel for num_threads(threads) schedule(dynamic)") for (int i = 0; \
											i < 8;     \
											i++)       \
		    _Pragma("omp atomic") sum += i;                                                \
	}
#define FOUR(a, b, c, d) FUNCTION(a) FUNCTION(b) FUNCTION(c) FUNCTION(d)
FOUR(f0, f1, f2, f3)
FOUR(f4, f5, f6, f7)
FOUR(f8, f9, f10, f11)
FOUR(f12, f13, f14, f15)

static void (*const functions[FUNCTIONS])(void) = {
    f15, f14, f13, f12, f11, f10, f9, f8, f7, f6, f5, f4, f3, f2, f1, f0};

static void nest(void)
{
#pragma omp parallel num_threads(threads)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp for
			for (int i = 0; i < 8; i++)
#pragma omp critical(deep)
				sum++;
		}
	}
}

static void make_tasks(void)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
	{
		for (int i = 0; i < 16; i++)
#pragma omp task
#pragma omp atomic
			sum++;
#pragma omp taskwait
#pragma omp taskloop grainsize(4)
		for (int i = 0; i < 16; i++)
#pragma omp atomic
			sum++;
	}
}

static void take_new_locks(long step)
{
	for (int i = 0; i < 8; i++) {
		omp_lock_t *lock = &locks[(step * 8 + i) % LOCKS];
		omp_init_lock(lock);
#pragma omp parallel num_threads(threads)
		{
			omp_set_lock(lock);
			sum++;
			omp_unset_lock(lock);
		}
		omp_destroy_lock(lock);
	}
}

static void *work_elsewhere(void *unused)
{
	f0();
	nest();
	return unused;
}

/* Threads of the program, and members of teams, that begin and end. */
static void come_and_go(long step)
{
	pthread_t other[OTHERS];
	int before = threads;

	for (int i = 0; i < OTHERS; i++)
		if (pthread_create(&other[i], NULL, work_elsewhere, NULL) != 0)
			abort();
	f0();
	for (int i = 0; i < OTHERS; i++)
		pthread_join(other[i], NULL);
	threads += 1 + (int)(step % 3);
	f0();
	threads = before;
}

static void use_library(const char *path)
{
	void *library = path != NULL ? dlopen(path, RTLD_NOW) : NULL;
	void (*work)(int);

	if (library == NULL)
		return;
	*(void **)&work = dlsym(library, "work");
	work(threads);
	dlclose(library);
}

static void do_step(long step, const char *library)
{
	switch (step % 7) {
	case 0:
		nest();
		break;
	case 1:
		make_tasks();
		break;
	case 2:
		take_new_locks(step);
		break;
	case 3:
		come_and_go(step);
		break;
	case 4:
		use_library(library);
		break;
	default:
		functions[step / 32 % FUNCTIONS]();
		break;
	}
}

int main(int count, char **words)
{
	long steps, step = 0;

	threads = count > 1 ? atoi(words[1]) : 2;
	omp_set_max_active_levels(2);
	f15();
	printf("ready\n");
	fflush(stdout);
	while (scanf("%ld", &steps) == 1) {
		for (long end = step + steps; step < end; step++)
			do_step(step, count > 2 ? words[2] : NULL);
		printf("done\n");
		fflush(stdout);
	}
	return sum < 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that come, use OpenMP as masters and go: their teams go with them. Neither the number of
 * threads nor the resident memory of the process may grow with the number of masters seen.
 */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>

#include "check.h"

#define MASTERS 200
#define WARM_UP 40

static int threads_alive(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int alive = -2; /* "." and ".." */

	while (tasks && readdir(tasks))
		alive++;
	if (tasks)
		closedir(tasks);
	return alive;
}

static long resident_kilobytes(void)
{
	FILE *status = fopen("/proc/self/statm", "re");
	long pages = -1;

	if (status && fscanf(status, "%*d %ld", &pages) != 1)
		pages = -1;
	if (status)
		fclose(status);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void *master(void *unused)
{
	int arrived = 0;
	int tasks = 0;
	omp_lock_t lock;

	omp_set_dynamic(0);
	omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
	{
		omp_set_lock(&lock);
		count(&arrived);
		omp_unset_lock(&lock);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 10; i++) {
#pragma omp task
			count(&tasks);
		}
	}
	omp_destroy_lock(&lock);
	CHECK_EQUAL(arrived, 4);
	CHECK_EQUAL(tasks, 10);
	return unused;
}

/* A thread that was joined may stay in /proc for a moment. */
static int threads_settled(int at_most)
{
	double deadline = check_deadline(5);

	while (threads_alive() > at_most && check_clock() < deadline)
		usleep(1000);
	return threads_alive();
}

static void *come_and_go(void *unused)
{
	return unused;
}

/*
 * Does the system keep memory of threads that have ended? qemu-user does, 19 to 280 KiB of each.
 * The first ones are not counted: whatever they need is kept for the others.
 */
static int system_keeps_threads(void)
{
	long before = 0;

	for (int i = 0; i < 2 * WARM_UP; i++) {
		pthread_t thread;

		if (i == WARM_UP)
			before = resident_kilobytes();
		CHECK_EQUAL(pthread_create(&thread, NULL, come_and_go, NULL), 0);
		pthread_join(thread, NULL);
	}
	return resident_kilobytes() > before + 4L * WARM_UP;
}

int main(void)
{
	long before = 0;
	int alive = threads_alive();
	int memory_tells_nothing = system_keeps_threads();

	for (int i = 0; i < MASTERS; i++) {
		pthread_t threads[2];

		if (i == WARM_UP)
			before = resident_kilobytes();
		CHECK_EQUAL(pthread_create(&threads[0], NULL, master, NULL), 0);
		CHECK_EQUAL(pthread_create(&threads[1], NULL, master, NULL), 0);
		pthread_join(threads[0], NULL);
		pthread_join(threads[1], NULL);
	}
	CHECK(threads_settled(alive) <= alive);
	if (memory_tells_nothing)
		puts("the system keeps memory of ended threads: the process's says nothing");
	else if (!CHECK(resident_kilobytes() < before + 1024))
		fprintf(stderr, "resident: %ld kB after %d masters, %ld kB after %d\n", before,
		    2 * WARM_UP, resident_kilobytes(), 2 * MASTERS);
	return check_result();
}

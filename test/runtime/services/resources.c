/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what the default number of threads is; with `pinned`, for a thread that one processor
 * alone is left to; with `changes`, again when a line has come on stdin, after the default has
 * changed. With `roots`, the sizes of a region, of one that a thread of its own forks meanwhile, of
 * one beside a region of one thread, of one that is alone again, and of one in a child of a thread
 * that forks while another's region is active.
 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int team_size(void)
{
	int size = 0;

#pragma omp parallel
#pragma omp single
	size = omp_get_num_threads();
	return size;
}

static void print(void)
{
	int most = omp_get_max_threads();

	printf("threads %d processors %d team %d\n", most, omp_get_num_procs(), team_size());
	fflush(stdout);
}

static void *pinned(void *unused)
{
	cpu_set_t allowed, one;
	int first = 0;

	CHECK_EQUAL(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	while (!CPU_ISSET(first, &allowed))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	CHECK_EQUAL(sched_setaffinity(0, sizeof(one), &one), 0);
	print();
	return unused;
}

/* It is noticed within a second; how long a busy machine takes for that is no matter here. */
static void wait_for_change(void)
{
	int before = team_size();

	getchar();
	while (team_size() == before)
		sched_yield();
}

static void *own_root(void *size)
{
	*(int *)size = team_size();
	return NULL;
}

/* Its number of threads is the child's status. */
static void *child_of_own_root(void *size)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit(team_size());
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	*(int *)size = WEXITSTATUS(status);
	return NULL;
}

static int size_in_thread(void *(*start)(void *))
{
	pthread_t thread;
	int size = 0;

	CHECK_EQUAL(pthread_create(&thread, NULL, start, &size), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	return size;
}

static void print_roots(void)
{
	int first = 0, beside = 0, beside_one = 0, in_child = 0;

#pragma omp parallel
#pragma omp single
	{
		first = omp_get_num_threads();
		beside = size_in_thread(own_root);
		in_child = size_in_thread(child_of_own_root);
	}
#pragma omp parallel num_threads(1)
	beside_one = size_in_thread(own_root);
	printf("roots %d %d %d %d %d\n", first, beside, beside_one, size_in_thread(own_root),
	    in_child);
}

int main(int count, char **arguments)
{
	const char *mode = count > 1 ? arguments[1] : "";
	pthread_t thread;

	if (strcmp(mode, "pinned") == 0) {
		CHECK_EQUAL(pthread_create(&thread, NULL, pinned, NULL), 0);
		CHECK_EQUAL(pthread_join(thread, NULL), 0);
		return check_result();
	}
	if (strcmp(mode, "roots") == 0) {
		print_roots();
		return check_result();
	}
	print();
	if (strcmp(mode, "changes") == 0) {
		wait_for_change();
		print();
	}
	return check_result();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain programs that do not end in the usual way, for `ompinst run`. argv[1] says how:
 *   return     as a program should
 *   exit       one thread calls exit() inside a region while the others wait in a barrier
 *   _exit      a thread ends the process without its exit handlers
 *   cancel     a region that is cancelled in every second round
 *   fork       the child of a fork uses OpenMP, too
 *   forkinside a fork inside a region; the child leaves at once
 *   mainends   main ends by pthread_exit() while a thread that is not OpenMP's is at work
 *   closeall   the program closes all descriptors, the measurement's too, and opens files of its
 * own exec       the process becomes another program, which uses OpenMP, too kill       regions
 * until the process is killed; prints a count of rounds after each batch Prints "CONSTRUCT VISITS"
 * for each construct of this process, "child CONSTRUCT VISITS" for another.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, BATCH = 50 };

static int total;

static void region(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp critical(counting)
		total++;
#pragma omp barrier
	}
}

/* The visits that `count` calls of region() make. */
static void expect(const char *whose, int count)
{
	printf("%sparallel %d\n%scritical %d\n%sbarrier %d\n", whose, count * THREADS, whose,
	    count * THREADS, whose, count * THREADS);
	fflush(stdout);
}

static void leave(void (*how)(int))
{
	expect("", 2);
	region();
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp critical(counting)
		total++;
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			how(0);
			/* The others wait for a thread that does not come. */
#pragma omp barrier
	}
}

static void cancel(void)
{
	expect("", 4);
	for (int round = 0; round < 8; round++) {
		if (round % 2 != 0) {
			region();
			continue;
		}
#pragma omp parallel num_threads(THREADS)
		{
#pragma omp cancel parallel
			total = 0;
		}
	}
}

static void wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		printf("the child did not end well\n");
}

static void fork_outside(void)
{
	region();
	pid_t child = fork();
	if (child == 0) {
		expect("child ", 2);
		region();
		region();
		exit(0);
	}
	wait_for(child);
	expect("", 3);
	region();
	region();
}

static void fork_inside(void)
{
	expect("", 2);
	region();
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp critical(counting)
		if (omp_get_thread_num() == 0) {
			pid_t child = fork();
			if (child == 0)
				_exit(0);
			wait_for(child);
		}
#pragma omp barrier
	}
}

static void *work_on(void *unused)
{
	(void)unused;
	region();
	return NULL;
}

static void main_ends(void)
{
	pthread_t thread;

	expect("", 2);
	region();
	pthread_create(&thread, NULL, work_on, NULL);
	pthread_exit(NULL);
}

static void close_all(void)
{
	FILE *mine[20];

	expect("", 101);
	region();
	for (int descriptor = 3; descriptor < 256; descriptor++)
		close(descriptor);
	for (int i = 0; i < 20; i++) {
		mine[i] = tmpfile();
		fputs("mine", mine[i]);
		fflush(mine[i]);
	}
	for (int i = 0; i < 100; i++)
		region();
	for (int i = 0; i < 20; i++) {
		fseek(mine[i], 0, SEEK_END);
		if (ftell(mine[i]) != 4)
			printf("something was written into the program's own file\n");
	}
}

static void run_until_killed(void)
{
	for (int round = 1;; round++) {
		for (int i = 0; i < BATCH; i++)
			region();
		printf("%d\n", round);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";

	if (strcmp(how, "return") == 0) {
		expect("", 5);
		for (int i = 0; i < 5; i++)
			region();
	} else if (strcmp(how, "exit") == 0) {
		leave(exit);
	} else if (strcmp(how, "_exit") == 0) {
		leave(_exit);
	} else if (strcmp(how, "cancel") == 0) {
		cancel();
	} else if (strcmp(how, "fork") == 0) {
		fork_outside();
	} else if (strcmp(how, "forkinside") == 0) {
		fork_inside();
	} else if (strcmp(how, "mainends") == 0) {
		main_ends();
	} else if (strcmp(how, "closeall") == 0) {
		close_all();
	} else if (strcmp(how, "exec") == 0) {
		region();
		execl(argv[0], argv[0], "return", (char *)NULL);
	} else if (strcmp(how, "kill") == 0) {
		run_until_killed();
	} else {
		fprintf(stderr, "endings: '%s': expected return, exit, fork ...\n", how);
		return 2;
	}
	return 0;
}

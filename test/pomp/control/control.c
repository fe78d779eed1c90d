/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program whose settings are changed while it runs.
 *
 *   control calls TEXT...           calls pomp_control() with each, prints what it returned
 *   control spins [TEXT SECONDS]... the same, and works for so long (processor time) after each
 *   control works [closes|forks|executes|root FOLDER]
 *                                   has events on two threads until its standard input ends. First
 * it closes its other descriptors, is continued by a child, becomes itself anew, or changes its
 * root
 */
#include "pomp.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static OMPRegDescr work = {"region", "work", 0, "control.c", 10, 10, 20, 20, {0}, 0};
static OMPRegDescr parallel = {"parallel", "", 0, "control.c", 30, 30, 40, 40, {0}, 0};
static OMPRegDescr loop = {"for", "", 0, "control.c", 32, 32, 38, 38, {0}, 0};

static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void spin(double seconds)
{
	double end = processor_time() + seconds;

	pomp_begin(&work);
	while (processor_time() < end)
		;
	pomp_end(&work);
}

static void *end_of_input(void *unused)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	_Exit(0);
	return unused;
}

static void work_until_the_end(void)
{
	pthread_t reader;

	if (pthread_create(&reader, NULL, end_of_input, NULL) != 0)
		abort();
	printf("%ld\n", (long)getpid());
	fflush(stdout);
	for (;;) {
		uint64_t fork = pomp_parallel_fork(&parallel);
#pragma omp parallel num_threads(2)
		{
			pomp_parallel_begin(&parallel, fork);
			pomp_for_enter(&loop);
			usleep(100);
			pomp_for_exit(&loop);
			pomp_parallel_end(&parallel);
		}
		pomp_parallel_join(&parallel, fork);
	}
}

static void prepare(char **words)
{
	if (words[0] == NULL)
		return;
	if (strcmp(words[0], "closes") == 0) {
		for (int i = 3; i < 1024; i++)
			close(i);
	} else if (strcmp(words[0], "forks") == 0) {
		pid_t child = fork();
		if (child > 0) {
			waitpid(child, NULL, 0);
			_Exit(0);
		}
	} else if (strcmp(words[0], "executes") == 0) {
		execl("/proc/self/exe", "control", "works", NULL);
		abort();
	} else if (strcmp(words[0], "root") == 0) {
		if (chroot(words[1]) != 0 || chdir("/") != 0)
			abort();
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	spin(0);
	if (strcmp(mode, "works") == 0) {
		prepare(argv + 2);
		work_until_the_end();
	}
	for (int i = 2; i < argc; i++) {
		printf("%d\n", pomp_control(argv[i]));
		if (strcmp(mode, "spins") == 0)
			spin(strtod(argv[++i], NULL));
	}
	return 0;
}

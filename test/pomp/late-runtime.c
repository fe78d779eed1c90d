/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Built twice. The program, which has no OpenMP runtime, loads the measurement library and
 * then the plugin of argv[1], which brings a runtime for itself alone, and calls its locks through
 * the library. Or "none": it calls a lock where there is no runtime at all.
 */
#ifdef PLUGIN
#include "pomp.h"

#include <omp.h>

int run(void) __attribute__((visibility("default")));
int run(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest_lock;
	int sum = 0;

	pomp_init_lock(&lock);
	pomp_init_nest_lock_with_hint(&nest_lock, omp_sync_hint_contended);
#pragma omp parallel num_threads(2) shared(sum)
	for (int i = 0; i < 1000; i++) {
		pomp_set_lock(&lock);
		sum++;
		pomp_unset_lock(&lock);
	}
	sum += pomp_test_nest_lock(&nest_lock);
	pomp_unset_nest_lock(&nest_lock);
	pomp_destroy_nest_lock(&nest_lock);
	pomp_destroy_lock(&lock);
	return sum;
}
#else
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *routine_of(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *routine = handle != NULL ? dlsym(handle, name) : NULL;

	if (routine == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	return routine;
}

/* The library ends the process, and says so. */
static int call_without_runtime(const char *library)
{
	void (*set_lock)(void *);
	char said[1024] = "";
	int ends[2], status;
	long lock = 0;

	*(void **)&set_lock = routine_of(library, "pomp_set_lock");
	if (pipe(ends) != 0)
		return 2;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		set_lock(&lock);
		_exit(0);
	}
	close(ends[1]);
	ssize_t length = read(ends[0], said, sizeof(said) - 1);
	waitpid(child, &status, 0);
	if (length > 0 && strstr(said, "calls omp_set_lock(), and no OpenMP runtime") != NULL &&
	    WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
		return 0;
	fprintf(stderr, "status %#x, said: %s\n", (unsigned)status, said);
	return 1;
}

int main(int argc, char **argv)
{
	int (*run)(void);

	if (argc < 3)
		return 2;
	if (strcmp(argv[2], "none") == 0)
		return call_without_runtime(argv[1]);
	routine_of(argv[1], "pomp_set_lock");
	*(void **)&run = routine_of(argv[2], "run");
	int sum = run();
	if (sum != 2001)
		fprintf(stderr, "found %d, expected 2001\n", sum);
	return sum != 2001;
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that does not use OpenMP opens a shared object that does, calls it and closes it, over
 * and over, each of several in turn: the runtime must survive the dlclose() that would unmap it
 * under its own threads. Usage: user-loaded-again OBJECT...
 */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *object;

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

static int call_plugin(int threads)
{
	void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
	int (*run)(int) = library ? (int (*)(int))dlsym(library, "run_loaded_user") : NULL;
	int found;

	if (!run) {
		fprintf(stderr, "%s: %s\n", object, dlerror());
		return 1;
	}
	found = run(threads);
	if (found != threads * (threads + 1) / 2)
		fprintf(stderr, "%s with %d threads: expected %d, found %d\n", object, threads,
		    threads * (threads + 1) / 2, found);
	dlclose(library);
	return found != threads * (threads + 1) / 2;
}

static void *call_from_a_thread(void *unused)
{
	(void)unused;
	return (void *)(long)call_plugin(3);
}

int main(int argc, char **arguments)
{
	int failures = 0;

	if (argc < 2)
		return 2;
	for (int i = 0; i < 30; i++) {
		pthread_t thread;
		void *failed = NULL;

		object = arguments[1 + i % (argc - 1)];
		failures += call_plugin(1 + i % 5);
		if (pthread_create(&thread, NULL, call_from_a_thread, NULL) == 0)
			pthread_join(thread, &failed);
		failures += failed != NULL;
	}
	if (threads_alive() > 16) {
		fprintf(stderr, "threads alive: expected at most 16, found %d\n", threads_alive());
		failures++;
	}
	return failures != 0;
}

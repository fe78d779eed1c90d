/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers that are started first sleep until the last one has been, also where waits never sleep
 * (OMP_WAIT_POLICY=active): else they take the processors from the thread that starts the others.
 * This program's own pthread_create() takes long, as a hundred threads would; the first worker must
 * not have used as much processor time when its first region begins.
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

#define THREADS  8
#define START_MS 20

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
	    (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
		RTLD_NEXT, "pthread_create");

	nanosleep(&(struct timespec){.tv_nsec = START_MS * 1000000}, NULL);
	return real(thread, attributes, start, argument);
}

int main(int argc, char **arguments)
{
	struct timespec used = {.tv_sec = 1};

	(void)argc;
	check_needs_environment(arguments, "OMP_WAIT_POLICY", "active");
	omp_set_dynamic(0);
#pragma omp parallel num_threads(THREADS)
	if (omp_get_thread_num() == 1)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	CHECK_EQUAL(used.tv_sec, 0);
	CHECK(used.tv_nsec < START_MS * 1000000);
	return check_result();
}

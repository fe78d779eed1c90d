/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers that are started first sleep until the last one has been, also where waits never sleep
 * (OMP_WAIT_POLICY=active): else they take the processors from the thread that starts the others.
 * This program's own pthread_create() takes long, as a hundred threads would. When its first region
 * begins, the first worker must have slept, unless it came so late, on a busy machine, that there
 * was nothing left to sleep for: then it has used no more processor time than its start takes.
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#include "check.h"

#define THREADS  8
#define START_MS 20
#define MOST_US  2000 /* of a worker that did not sleep; usual are 50 */

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
	struct rusage usage = {.ru_nvcsw = 0};

	(void)argc;
	check_needs_environment(arguments, "OMP_WAIT_POLICY", "active");
	omp_set_dynamic(0);
#pragma omp parallel num_threads(THREADS)
	if (omp_get_thread_num() == 1) {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
		getrusage(RUSAGE_THREAD, &usage);
	}
	if (!CHECK(usage.ru_nvcsw > 0 || (used.tv_sec == 0 && used.tv_nsec < MOST_US * 1000)))
		fprintf(stderr, "the first worker never slept, and used %ld.%09ld s\n",
		    (long)used.tv_sec, used.tv_nsec);
	return check_result();
}

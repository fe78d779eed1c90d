/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes event logs for conversion.py: THREADS threads with EVENTS events each, of the kinds of a
 * program's inner loops: constructs with their barriers, criticals, tasks.
 */
#include "pomp.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static OMPRegDescr regions[] = {
    {"for", "", 0, "logs.c", 1, 1, 2, 2, {0}, &regions[1]},
    {"critical", "", 0, "logs.c", 3, 3, 4, 4, {0}, &regions[2]},
    {"task", "", 0, "logs.c", 5, 5, 6, 6, {0}, NULL},
};

static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;

/* A round: eight calls for constructs, and now and then four of a critical and four of a task. */
static void *make_events(void *context)
{
	long calls = *(const long *)context;

	for (long i = 0; i < calls / 8; i++) {
		for (int part = 0; part < 2; part++) {
			pomp_for_enter(&regions[0]);
			pomp_barrier_enter(&regions[0]);
			pomp_barrier_exit(&regions[0]);
			pomp_for_exit(&regions[0]);
		}
		if (i % 8 == 0) {
			pomp_critical_enter(&regions[1]);
			pthread_mutex_lock(&critical);
			pomp_critical_begin(&regions[1]);
			pomp_critical_end(&regions[1]);
			pthread_mutex_unlock(&critical);
			pomp_critical_exit(&regions[1]);
			uint64_t task = pomp_task_create_begin(&regions[2]);
			pomp_task_begin(&regions[2], task);
			pomp_task_end(&regions[2], task);
			pomp_task_create_end(&regions[2], task);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2;
	long calls = argc > 2 ? atol(argv[2]) : 1000000;
	pthread_t *thread = calloc((size_t)threads, sizeof(*thread));

	pomp_register_regions(regions);
	for (int i = 0; i < threads; i++)
		if (thread == NULL || pthread_create(&thread[i], NULL, make_events, &calls) != 0)
			return EXIT_FAILURE;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks once, before any thread can have been bound. */
#include "usable-processors.h"

#include <stdbool.h>
#include <stddef.h>

static cpu_set_t at_start;
static bool known;

__attribute__((constructor)) static void note_processors(void)
{
	known = sched_getaffinity(0, sizeof(at_start), &at_start) == 0;
}

unsigned pomp_processors_count(void)
{
	return known ? (unsigned)CPU_COUNT(&at_start) : 0;
}

const cpu_set_t *pomp_processors(void)
{
	return known ? &at_start : NULL;
}

#ifdef __GLIBC__
int pomp_thread_start(
    pthread_t *thread, const cpu_set_t *processors, void *(*routine)(void *), void *argument)
{
	pthread_attr_t attributes;
	int result = pthread_attr_init(&attributes);

	if (result != 0)
		return result;
	if (processors != NULL)
		pthread_attr_setaffinity_np(&attributes, sizeof(*processors), processors);
	result = pthread_create(thread, &attributes, routine, argument);
	pthread_attr_destroy(&attributes);
	return result;
}
#else /* musl: a thread begins with its creator's binding */
int pomp_thread_start(
    pthread_t *thread, const cpu_set_t *processors, void *(*routine)(void *), void *argument)
{
	int result = pthread_create(thread, NULL, routine, argument);

	if (result == 0 && processors != NULL)
		pthread_setaffinity_np(*thread, sizeof(*processors), processors);
	return result;
}
#endif

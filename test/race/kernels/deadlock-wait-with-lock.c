/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a thread waits for a condition while it holds another mutex than the condition's.
 * When it is woken, it takes the condition's mutex again, with the other one held: the opposite
 * order of both. The fixed one does not hold the other one.
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER, queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int entries, lines;

static void *put(void *nothing)
{
	pthread_mutex_lock(&queue);
	entries++;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&queue);
	return nothing;
}

static void *say(void *nothing)
{
	pthread_mutex_lock(&queue);    /* deadlock: mutex queue */
	pthread_mutex_lock(&log_lock); /* deadlock: mutex log_lock */
	lines += entries;
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_unlock(&queue);
	return nothing;
}

int main(void)
{
	pthread_t writer, reader;

	pthread_create(&reader, NULL, say, NULL);
#ifndef FIXED
	pthread_mutex_lock(&log_lock); /* deadlock: mutex log_lock */
#endif
	pthread_mutex_lock(&queue);
	pthread_create(&writer, NULL, put, NULL);
	while (entries == 0)
		pthread_cond_wait(&filled, &queue); /* deadlock: mutex queue */
	entries--;
	pthread_mutex_unlock(&queue);
#ifndef FIXED
	pthread_mutex_unlock(&log_lock);
#endif
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two threads of the program's own take two mutexes in opposite orders.
 * In the fixed one, the second of them waits for a condition that the first one signals when it has
 * given both back. It has the condition's mutex before the other one begins, so it does wait.
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, row = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_filled;
static int cells;

static void *fill(void *nothing)
{
	pthread_mutex_lock(&table); /* deadlock: mutex table */
	pthread_mutex_lock(&row);   /* deadlock: mutex row */
	cells++;
	pthread_mutex_unlock(&row);
	pthread_mutex_unlock(&table);
	pthread_mutex_lock(&state);
	is_filled = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&state);
	return nothing;
}

int main(void)
{
	pthread_t thread;

	pthread_mutex_lock(&state);
	pthread_create(&thread, NULL, fill, NULL);
#ifdef FIXED
	while (!is_filled)
		pthread_cond_wait(&changed, &state);
#endif
	pthread_mutex_unlock(&state);
	pthread_mutex_lock(&row);   /* deadlock: mutex row */
	pthread_mutex_lock(&table); /* deadlock: mutex table */
	cells--;
	pthread_mutex_unlock(&table);
	pthread_mutex_unlock(&row);
	pthread_join(thread, NULL);
	return is_filled ? 0 : 1;
}

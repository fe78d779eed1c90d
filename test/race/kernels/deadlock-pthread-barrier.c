/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two threads of the program's own take two mutexes in opposite orders.
 * In the fixed one, a barrier of POSIX and a semaphore keep the two apart.
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t phase;
static sem_t ended;
static int copied;

static void forth(void)
{
	pthread_mutex_lock(&in);  /* deadlock: mutex in */
	pthread_mutex_lock(&out); /* deadlock: mutex out */
	copied++;
	pthread_mutex_unlock(&out);
	pthread_mutex_unlock(&in);
}

static void back(void)
{
	pthread_mutex_lock(&out); /* deadlock: mutex out */
	pthread_mutex_lock(&in);  /* deadlock: mutex in */
	copied--;
	pthread_mutex_unlock(&in);
	pthread_mutex_unlock(&out);
}

static void *work(void *nothing)
{
	forth();
#ifdef FIXED
	pthread_barrier_wait(&phase);
	sem_wait(&ended);
#endif
	forth();
	return nothing;
}

int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&phase, NULL, 2);
	sem_init(&ended, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
#ifdef FIXED
	pthread_barrier_wait(&phase);
#endif
	back();
	sem_post(&ended);
	pthread_join(thread, NULL);
	sem_destroy(&ended);
	pthread_barrier_destroy(&phase);
	return 0;
}

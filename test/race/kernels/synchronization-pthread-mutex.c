/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: one routine uses a mutex of POSIX threads, another one a critical region.
 * Both exclude, but not each other (OpenMP 5.2, 15.2). The fixed routines use the same mutex.
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void rise(void)
{
	pthread_mutex_lock(&mutex);
	level += 2; /* race: write level */
	pthread_mutex_unlock(&mutex);
}

static void fall(void)
{
#ifdef FIXED
	pthread_mutex_lock(&mutex);
	level -= 1;
	pthread_mutex_unlock(&mutex);
#else
#pragma omp critical
	level -= 1; /* race: write level */
#endif
}

int main(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 100; i++) {
		if (i % 2 == 0)
			rise();
		else
			fall();
	}
	return level != 50;
}

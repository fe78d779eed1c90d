/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two iterations that different threads may get have opposite orders.
 * In the fixed program one iteration has both, so that always one thread takes them one after the
 * other, whichever thread that is.
 */
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER, blue = PTHREAD_MUTEX_INITIALIZER;
static int mixed;

static void mix(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);  /* deadlock: mutex red */
	pthread_mutex_lock(second); /* deadlock: mutex blue */
	mixed++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
#ifdef FIXED
		if (i == 2) {
			mix(&red, &blue);
			mix(&blue, &red);
		}
#else
		if (i == 2 && omp_get_thread_num() == 0)
			mix(&red, &blue);
		if (i == 1 && omp_get_thread_num() == 1)
			mix(&blue, &red);
#endif
	}
	return 0;
}

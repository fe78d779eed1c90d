/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a lock of POSIX and one of OpenMP in opposite orders.
 * Threads of OpenMP are those of the system, so both kinds of locks exclude them. In the fixed
 * program only one thread has the second order, after it has had the first one.
 */
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t state;
static int entries;

int main(void)
{
	omp_init_lock(&state);
#pragma omp parallel
	{
#ifdef FIXED
		if (omp_get_thread_num() == 0)
#endif
		{
			omp_set_lock(&state);           /* deadlock: lock state */
			pthread_mutex_lock(&log_mutex); /* deadlock: mutex log_mutex */
			entries++;
			pthread_mutex_unlock(&log_mutex);
			omp_unset_lock(&state);
			pthread_mutex_lock(&log_mutex); /* deadlock: mutex log_mutex */
			omp_set_lock(&state);           /* deadlock: lock state */
			entries++;
			omp_unset_lock(&state);
			pthread_mutex_unlock(&log_mutex);
		}
	}
	omp_destroy_lock(&state);
	return 0;
}

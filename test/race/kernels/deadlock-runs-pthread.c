/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two mutexes of POSIX in opposite orders, by iterations that certain threads get.
 * No run of the plan has both. The fixed one tries the second mutex.
 */
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t file_mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines, files;

static void write_line(void)
{
	pthread_mutex_lock(&log_mutex);  /* deadlock: mutex log_mutex */
	pthread_mutex_lock(&file_mutex); /* deadlock: mutex file_mutex */
	lines++;
	files++;
	pthread_mutex_unlock(&file_mutex);
	pthread_mutex_unlock(&log_mutex);
}

static void close_file(void)
{
	pthread_mutex_lock(&file_mutex); /* deadlock: mutex file_mutex */
#ifdef FIXED
	if (pthread_mutex_trylock(&log_mutex) == 0) {
#else
	if (pthread_mutex_lock(&log_mutex) == 0) { /* deadlock: mutex log_mutex */
#endif
		lines++;
		files--;
		pthread_mutex_unlock(&log_mutex);
	}
	pthread_mutex_unlock(&file_mutex);
}

int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			write_line();
		if (i == 1 && omp_get_thread_num() == 1)
			close_file();
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: two threads of POSIX have opposite orders, each only if a thread of a team has got a
 * certain iteration before. No run of the plan has both. The fixed one joins the first thread
 * before it makes the second one.
 */
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER, blue = PTHREAD_MUTEX_INITIALIZER;
static int early, late, mixed;

static void *mix_early(void *unused)
{
	if (early) {
		pthread_mutex_lock(&red);  /* deadlock: mutex red */
		pthread_mutex_lock(&blue); /* deadlock: mutex blue */
		mixed++;
		pthread_mutex_unlock(&blue);
		pthread_mutex_unlock(&red);
	}
	return unused;
}

static void *mix_late(void *unused)
{
	if (late) {
		pthread_mutex_lock(&blue); /* deadlock: mutex blue */
		pthread_mutex_lock(&red);  /* deadlock: mutex red */
		mixed++;
		pthread_mutex_unlock(&red);
		pthread_mutex_unlock(&blue);
	}
	return unused;
}

int main(void)
{
	pthread_t first, second;

#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			early = 1;
		if (i == 1 && omp_get_thread_num() == 1)
			late = 1;
	}
	pthread_create(&first, NULL, mix_early, NULL);
#ifdef FIXED
	pthread_join(first, NULL);
#endif
	pthread_create(&second, NULL, mix_late, NULL);
#ifndef FIXED
	pthread_join(first, NULL);
#endif
	pthread_join(second, NULL);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a recursive mutex and another one, in opposite orders.
 * Its owner may lock a recursive mutex again with any others held: only the first time can it wait.
 * The fixed one has one order of these first times.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t tree, cache = PTHREAD_MUTEX_INITIALIZER;
static int nodes;

static void visit(int depth)
{
	pthread_mutex_lock(&tree); /* deadlock: mutex tree */
	if (depth > 0) {
		visit(depth - 1);
	} else {
		pthread_mutex_lock(&cache); /* deadlock: mutex cache */
		pthread_mutex_lock(&tree);
		nodes++;
		pthread_mutex_unlock(&tree);
		pthread_mutex_unlock(&cache);
	}
	pthread_mutex_unlock(&tree);
}

static void clear(void)
{
#ifdef FIXED
	pthread_mutex_lock(&tree);
	pthread_mutex_lock(&cache);
#else
	pthread_mutex_lock(&cache); /* deadlock: mutex cache */
	pthread_mutex_lock(&tree);  /* deadlock: mutex tree */
#endif
	nodes = 0;
	pthread_mutex_unlock(&tree);
	pthread_mutex_unlock(&cache);
}

int main(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&tree, &attributes);
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			clear();
		else
			visit(3);
	}
	pthread_mutex_destroy(&tree);
	pthread_mutexattr_destroy(&attributes);
	return 0;
}

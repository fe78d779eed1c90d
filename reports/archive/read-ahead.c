/* SPDX-License-Identifier: BSD-3-Clause */
/* The queue between the two threads: one lock, and one condition variable for each thread. */
#include "read-ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "memory.h"

struct ahead {
	void (*work)(struct ahead_item *item);
	pthread_t thread;
	bool has_thread;
	pthread_mutex_t lock;
	pthread_cond_t queued, done;     /* an item was queued; an item is done */
	struct ahead_item *first, *last; /* the queue, all under the lock */
	bool is_stopping;
};

static void *run(void *context)
{
	struct ahead *ahead = context;

	pthread_mutex_lock(&ahead->lock);
	for (;;) {
		struct ahead_item *item = ahead->first;

		if (!item && ahead->is_stopping)
			break;
		if (!item) {
			pthread_cond_wait(&ahead->queued, &ahead->lock);
			continue;
		}
		ahead->first = item->next;
		pthread_mutex_unlock(&ahead->lock);
		ahead->work(item);
		pthread_mutex_lock(&ahead->lock);
		item->is_done = true;
		pthread_cond_signal(&ahead->done);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

struct ahead *ahead_start(void (*work)(struct ahead_item *item), bool has_thread)
{
	struct ahead *ahead = memory_new(1, sizeof(*ahead));

	ahead->work = work;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->queued, NULL);
	pthread_cond_init(&ahead->done, NULL);
	ahead->has_thread = has_thread && pthread_create(&ahead->thread, NULL, run, ahead) == 0;
	return ahead;
}

void ahead_stop(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->is_stopping = true;
	pthread_cond_signal(&ahead->queued);
	pthread_mutex_unlock(&ahead->lock);
	if (ahead->has_thread)
		pthread_join(ahead->thread, NULL);
	pthread_cond_destroy(&ahead->done);
	pthread_cond_destroy(&ahead->queued);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

void ahead_request(struct ahead *ahead, struct ahead_item *item)
{
	item->next = NULL;
	item->is_done = false;
	if (!ahead->has_thread)
		return;
	pthread_mutex_lock(&ahead->lock);
	if (ahead->first)
		ahead->last->next = item;
	else
		ahead->first = item;
	ahead->last = item;
	pthread_cond_signal(&ahead->queued);
	pthread_mutex_unlock(&ahead->lock);
}

void ahead_await(struct ahead *ahead, struct ahead_item *item)
{
	if (!ahead->has_thread) {
		ahead->work(item);
		return;
	}
	pthread_mutex_lock(&ahead->lock);
	while (!item->is_done)
		pthread_cond_wait(&ahead->done, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
}

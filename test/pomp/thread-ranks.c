/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank is a thread with a small stack, so that a thousand of them fit. */
#include "thread-ranks.h"

#include <pthread.h>
#include <string.h>

/* Each rank has one message under way at a time: it waits until that was taken. */
static struct post {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const void *data;
	size_t bytes;
	uint32_t to;
	bool full;
} * posts;

static struct {
	pthread_barrier_t all;
	const void *data;
} broadcasting;

static uint32_t rank_count;
static void (*execute)(const struct pomp_ranks *ranks);
static _Atomic uint64_t exchanges_of_first, received_bytes_by_first;
static _Thread_local uint32_t self;

static int post(const struct pomp_ranks *ranks, const void *data, size_t bytes, uint32_t to)
{
	struct post *place = &posts[self];

	(void)ranks;
	pthread_mutex_lock(&place->lock);
	place->data = data;
	place->bytes = bytes;
	place->to = to;
	place->full = true;
	pthread_cond_broadcast(&place->changed);
	while (place->full)
		pthread_cond_wait(&place->changed, &place->lock);
	pthread_mutex_unlock(&place->lock);
	return 0;
}

static int take(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t from)
{
	struct post *place = &posts[from];

	(void)ranks;
	pthread_mutex_lock(&place->lock);
	while (!place->full || place->to != self)
		pthread_cond_wait(&place->changed, &place->lock);
	EXPECT(place->bytes == bytes);
	memcpy(data, place->data, bytes);
	place->full = false;
	pthread_cond_broadcast(&place->changed);
	pthread_mutex_unlock(&place->lock);
	if (self == 0) {
		exchanges_of_first +=
		    bytes == sizeof(uint64_t); /* its length comes before each message */
		received_bytes_by_first += bytes;
	}
	return 0;
}

static int broadcast(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t root)
{
	(void)ranks;
	if (self == root)
		broadcasting.data = data;
	pthread_barrier_wait(&broadcasting.all);
	if (self != root)
		memcpy(data, broadcasting.data, bytes);
	pthread_barrier_wait(&broadcasting.all);
	return 0;
}

static void *be_one(void *number)
{
	const struct pomp_ranks ranks = {.rank = (uint32_t)(uintptr_t)number,
	    .size = rank_count,
	    .broadcast = broadcast,
	    .send = post,
	    .receive = take};

	self = ranks.rank;
	execute(&ranks);
	return NULL;
}

void thread_ranks_run(uint32_t count, void (*be_rank)(const struct pomp_ranks *ranks))
{
	pthread_t *thread = calloc(count, sizeof(*thread));
	pthread_attr_t attributes;
	uint32_t rounds = 0;

	rank_count = count;
	execute = be_rank;
	posts = calloc(count, sizeof(*posts));
	EXPECT(thread != NULL && posts != NULL);
	for (uint32_t i = 0; i < count; i++) {
		pthread_mutex_init(&posts[i].lock, NULL);
		pthread_cond_init(&posts[i].changed, NULL);
	}
	pthread_barrier_init(&broadcasting.all, NULL, count);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 << 10);
	for (uint32_t i = 0; i < count; i++)
		EXPECT(pthread_create(&thread[i], &attributes, be_one, (void *)(uintptr_t)i) == 0);
	for (uint32_t i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	while (UINT32_C(1) << rounds < count)
		rounds++;
	printf("%u ranks: rank 0 exchanged with %llu others and received %llu bytes\n", count,
	    (unsigned long long)exchanges_of_first, (unsigned long long)received_bytes_by_first);
	EXPECT(exchanges_of_first == rounds);
	free(thread);
	free(posts);
}

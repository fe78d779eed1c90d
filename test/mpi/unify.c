/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree in which ranks unify their definitions, with a thread in place of each rank: unify RANKS.
 * Every rank defines what all have, what half of them have and what it has alone, in an order of its
 * own; afterwards all must agree on the numbers, and rank 0 must have met log2 of the ranks others.
 */
#include "../../pomp/convert/set-tree.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMON = 50 };

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* Each rank has one message under way at a time: it waits until that was taken. */
static struct post {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const void *data;
	size_t bytes;
	uint32_t to;
	bool full;
} *posts;

static struct {
	pthread_barrier_t all;
	const void *data;
} broadcasting;

static uint32_t rank_count;
static _Atomic uint64_t met_by_first, received_bytes_by_first;
static _Thread_local uint32_t self;

static int post(const void *data, size_t bytes, uint32_t to)
{
	struct post *place = &posts[self];

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

static int take(void *data, size_t bytes, uint32_t from)
{
	struct post *place = &posts[from];

	pthread_mutex_lock(&place->lock);
	while (!place->full || place->to != self)
		pthread_cond_wait(&place->changed, &place->lock);
	CHECK(place->bytes == bytes);
	memcpy(data, place->data, bytes);
	place->full = false;
	pthread_cond_broadcast(&place->changed);
	pthread_mutex_unlock(&place->lock);
	if (self == 0) {
		met_by_first += bytes == sizeof(uint64_t); /* the length of each set comes first */
		received_bytes_by_first += bytes;
	}
	return 0;
}

static int broadcast(void *data, size_t bytes, uint32_t root)
{
	if (self == root)
		broadcasting.data = data;
	pthread_barrier_wait(&broadcasting.all);
	if (self != root)
		memcpy(data, broadcasting.data, bytes);
	pthread_barrier_wait(&broadcasting.all);
	return 0;
}

static uint64_t define(struct convert_set *set, const char *name)
{
	uint64_t words[SET_REGION_WORDS] = {
	    [SET_REGION_NAME] = convert_set_string(set, name),
	    [SET_REGION_DESCRIPTION] = convert_set_string(set, "a region"),
	    [SET_REGION_FILE] = SET_NO_STRING,
	};

	return convert_pool_add(&set->regions, words, SET_REGION_WORDS);
}

static const char *name_of(const struct convert_set *set, uint64_t region)
{
	size_t count;

	return set->strings.text[convert_pool_at(&set->regions, region, &count)[SET_REGION_NAME]];
}

static void define_own(struct convert_set *set, uint32_t rank)
{
	char name[64];

	for (uint32_t i = 0; i < COMMON; i++) {
		snprintf(name, sizeof(name), "common %u", (i + rank) % COMMON);
		define(set, name);
	}
	define(set, rank % 2 ? "odd" : "even");
	snprintf(name, sizeof(name), "of rank %u", rank);
	define(set, name);
	uint64_t comm[SET_COMM_WORDS] = {[SET_COMM_IDENTITY] = 5 + rank / 4,
	    [SET_COMM_NAME] = SET_NO_STRING, [SET_COMM_SIZE] = 4};
	uint64_t whole[SET_COMM_WORDS + 4];
	memcpy(whole, comm, sizeof(comm));
	for (uint32_t i = 0; i < 4; i++)
		whole[SET_COMM_WORDS + i] = rank + i;
	/* The first member has the list: the others have to learn of it. */
	convert_pool_add(&set->comms, rank % 4 == 0 ? whole : comm,
	    rank % 4 == 0 ? SET_COMM_WORDS + 4 : SET_COMM_WORDS);
	uint64_t own[SET_RANK_WORDS] = {
	    [SET_RANK_NUMBER] = rank, [SET_RANK_HOST] = convert_set_string(set, "host")};
	convert_pool_add(&set->ranks, own, SET_RANK_WORDS);
}

static void check_all(const struct convert_set *all)
{
	CHECK(all->ranks.count == rank_count);
	CHECK(all->regions.count == COMMON + (rank_count > 1 ? 2 : 1) + rank_count);
	CHECK(all->comms.count == (rank_count + 3) / 4);
	for (uint32_t i = 0; i < rank_count; i++) {
		size_t count;
		CHECK(convert_pool_at(&all->ranks, i, &count)[SET_RANK_NUMBER] == i);
		const uint64_t *comm = convert_pool_at(&all->comms, i / 4, &count);
		CHECK(comm[SET_COMM_IDENTITY] == 5 + i / 4 && count == SET_COMM_WORDS + 4);
		CHECK(comm[SET_COMM_WORDS + i % 4] == i);
	}
}

static void *be_rank(void *number)
{
	const struct pomp_ranks ranks = {.rank = (uint32_t)(uintptr_t)number,
	    .size = rank_count,
	    .broadcast = broadcast,
	    .send = post,
	    .receive = take};
	struct convert_set own, all, common;
	struct convert_maps maps;

	self = ranks.rank;
	convert_set_init(&own);
	convert_set_init(&all);
	define_own(&own, self);
	convert_set_merge(&all, &own, NULL);
	convert_set_gather(&ranks, &all);
	if (self == 0)
		check_all(&all);
	convert_set_share(&ranks, &all, &common);
	size_t known = common.regions.count;
	convert_set_merge(&common, &own, &maps);
	CHECK(!common.failed && common.regions.count == known);
	for (size_t i = 0; i < maps.region_count; i++)
		CHECK(strcmp(name_of(&own, i), name_of(&common, maps.regions[i])) == 0);
	convert_maps_free(&maps);
	convert_set_free(&own);
	convert_set_free(&all);
	convert_set_free(&common);
	return NULL;
}

int main(int count, char **arguments)
{
	rank_count = count > 1 ? (uint32_t)atoi(arguments[1]) : 64;
	pthread_t *thread = calloc(rank_count, sizeof(*thread));
	pthread_attr_t attributes;
	uint32_t rounds = 0;

	posts = calloc(rank_count, sizeof(*posts));
	CHECK(thread != NULL && posts != NULL);
	for (uint32_t i = 0; i < rank_count; i++) {
		pthread_mutex_init(&posts[i].lock, NULL);
		pthread_cond_init(&posts[i].changed, NULL);
	}
	pthread_barrier_init(&broadcasting.all, NULL, rank_count);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 << 10);
	for (uint32_t i = 0; i < rank_count; i++)
		CHECK(pthread_create(&thread[i], &attributes, be_rank, (void *)(uintptr_t)i) == 0);
	for (uint32_t i = 0; i < rank_count; i++)
		pthread_join(thread[i], NULL);
	while (UINT32_C(1) << rounds < rank_count)
		rounds++;
	printf("%u ranks: rank 0 met %llu others and received %llu bytes\n", rank_count,
	    (unsigned long long)met_by_first, (unsigned long long)received_bytes_by_first);
	CHECK(met_by_first == rounds);
	free(thread);
	free(posts);
	return 0;
}

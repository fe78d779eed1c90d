/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How ranks unify their definitions: unify RANKS. Every rank defines what all have, what half of
 * them have and what it has alone, in an order of its own; afterwards all must agree on the
 * numbers.
 */
#include "set-tree.h"
#include "thread-ranks.h"

#include <string.h>

enum { COMMON = 50 };

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
	    [SET_COMM_NAME] = SET_NO_STRING,
	    [SET_COMM_SIZE] = 4};
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

static void check_all(const struct convert_set *all, uint32_t rank_count)
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

static void be_rank(const struct pomp_ranks *ranks)
{
	struct convert_set own, all, common;
	struct convert_maps maps;

	convert_set_init(&own);
	convert_set_init(&all);
	define_own(&own, ranks->rank);
	convert_set_merge(&all, &own, NULL);
	convert_set_gather(ranks, &all);
	if (ranks->rank == 0)
		check_all(&all, ranks->size);
	convert_set_share(ranks, &all, &common);
	size_t known = common.regions.count;
	convert_set_merge(&common, &own, &maps);
	CHECK(!common.failed && common.regions.count == known);
	for (size_t i = 0; i < maps.region_count; i++)
		CHECK(strcmp(name_of(&own, i), name_of(&common, maps.regions[i])) == 0);
	convert_maps_free(&maps);
	convert_set_free(&own);
	convert_set_free(&all);
	convert_set_free(&common);
}

int main(int count, char **arguments)
{
	thread_ranks_run(count > 1 ? (uint32_t)atoi(arguments[1]) : 64, be_rank);
	return 0;
}

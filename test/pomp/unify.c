/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How ranks unify their definitions: unify RANKS. Every rank defines what all have, what half of
 * them have and what it alone has, in its own order. For a communicator one member knows the
 * members and another one the name. Afterwards all must agree on the numbers.
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

/* Four ranks each: the first one has the list, or of every second communicator the last one. */
static void define_comm(struct convert_set *set, uint32_t rank, uint32_t ranks)
{
	bool last_lists = rank / 4 % 2 == 1 && rank / 4 * 4 + 3 < ranks;
	bool lists = rank % 4 == (last_lists ? 3 : 0);
	uint64_t words[SET_COMM_WORDS + 4] = {[SET_COMM_IDENTITY] = 5 + rank / 4,
	    [SET_COMM_NAME] = rank % 4 == 2 ? convert_set_string(set, "four") : SET_NO_STRING,
	    [SET_COMM_SIZE] = 4};

	for (uint32_t i = 0; i < 4; i++)
		words[SET_COMM_WORDS + i] = rank / 4 * 4 + i;
	convert_pool_add(&set->comms, words, lists ? SET_COMM_WORDS + 4 : SET_COMM_WORDS);
}

/* A line that called the region that only this rank has. */
static void define_caller(struct convert_set *set, uint32_t rank, uint64_t region)
{
	uint64_t words[SET_CALLER_WORDS] = {[SET_CALLER_RANK] = rank,
	    [SET_CALLER_REGION] = region,
	    [SET_CALLER_CALLS] = 3,
	    [SET_CALLER_FUNCTION] = convert_set_string(set, "fit"),
	    [SET_CALLER_FILE] = convert_set_string(set, rank % 2 ? "odd.py" : "even.py"),
	    [SET_CALLER_INNER_FUNCTION] = convert_set_string(set, "inner"),
	    [SET_CALLER_INNER_FILE] = convert_set_string(set, "library.py")};

	convert_pool_add(&set->callers, words, SET_CALLER_WORDS);
}

static void check_callers(const struct convert_set *all, uint32_t rank_count)
{
	char name[64];

	EXPECT(all->callers.count == rank_count);
	for (size_t i = 0; i < all->callers.count; i++) {
		size_t count;
		const uint64_t *words = convert_pool_at(&all->callers, i, &count);
		const char *file = words[SET_CALLER_RANK] % 2 ? "odd.py" : "even.py";
		snprintf(name, sizeof(name), "of rank %u", (unsigned)words[SET_CALLER_RANK]);
		EXPECT(count == SET_CALLER_WORDS && words[SET_CALLER_CALLS] == 3);
		EXPECT(strcmp(name_of(all, words[SET_CALLER_REGION]), name) == 0);
		EXPECT(strcmp(all->strings.text[words[SET_CALLER_FILE]], file) == 0);
		EXPECT(strcmp(all->strings.text[words[SET_CALLER_INNER_FILE]], "library.py") == 0);
	}
}

static void define_own(struct convert_set *set, uint32_t rank, uint32_t ranks)
{
	char name[64];

	for (uint32_t i = 0; i < COMMON; i++) {
		snprintf(name, sizeof(name), "common %u", (i + rank) % COMMON);
		define(set, name);
	}
	define(set, rank % 2 ? "odd" : "even");
	snprintf(name, sizeof(name), "of rank %u", rank);
	define_caller(set, rank, define(set, name));
	define_comm(set, rank, ranks);
	uint64_t metrics[4] = {1, convert_set_string(set, "instructions"),
	    convert_set_string(set, "#"), convert_set_string(set, "instructions done")};
	convert_pool_add(&set->metrics, metrics, 4);
	uint64_t own[SET_RANK_WORDS] = {
	    [SET_RANK_NUMBER] = rank, [SET_RANK_HOST] = convert_set_string(set, "host")};
	convert_pool_add(&set->ranks, own, SET_RANK_WORDS);
	uint64_t lock[SET_LOCK_WORDS] = {[SET_LOCK_RANK] = rank,
	    [SET_LOCK_NUMBER] = 7 + rank,
	    [SET_LOCK_NAME] = convert_set_string(set, rank % 2 ? "lock odd" : "lock even")};
	convert_pool_add(&set->locks, lock, SET_LOCK_WORDS);
}

/* Of each rank one lock. */
static void check_locks(const struct convert_set *all, uint32_t rank_count)
{
	EXPECT(all->locks.count == rank_count);
	for (size_t i = 0; i < all->locks.count; i++) {
		size_t count;
		const uint64_t *lock = convert_pool_at(&all->locks, i, &count);
		const char *name = lock[SET_LOCK_RANK] % 2 ? "lock odd" : "lock even";
		EXPECT(count == SET_LOCK_WORDS && lock[SET_LOCK_NUMBER] == 7 + lock[SET_LOCK_RANK]);
		EXPECT(strcmp(all->strings.text[lock[SET_LOCK_NAME]], name) == 0);
	}
}

static void check_all(const struct convert_set *all, uint32_t rank_count)
{
	EXPECT(all->ranks.count == rank_count);
	check_locks(all, rank_count);
	check_callers(all, rank_count);
	EXPECT(all->regions.count == COMMON + (rank_count > 1 ? 2 : 1) + rank_count);
	EXPECT(all->comms.count == (rank_count + 3) / 4);
	size_t count;
	const uint64_t *metrics = convert_pool_at(&all->metrics, 0, &count);
	EXPECT(all->metrics.count == 1 && count == 4 && metrics[0] == 1);
	EXPECT(strcmp(all->strings.text[metrics[1]], "instructions") == 0);
	for (uint32_t i = 0; i < rank_count; i++) {
		EXPECT(convert_pool_at(&all->ranks, i, &count)[SET_RANK_NUMBER] == i);
		const uint64_t *comm = convert_pool_at(&all->comms, i / 4, &count);
		EXPECT(comm[SET_COMM_IDENTITY] == 5 + i / 4 && count == SET_COMM_WORDS + 4);
		EXPECT(comm[SET_COMM_WORDS + i % 4] == i);
		if (i / 4 * 4 + 2 < rank_count)
			EXPECT(strcmp(all->strings.text[comm[SET_COMM_NAME]], "four") == 0);
	}
}

static void be_rank(const struct pomp_ranks *ranks)
{
	struct convert_set own, all, common;
	struct convert_maps maps;

	convert_set_init(&own);
	convert_set_init(&all);
	define_own(&own, ranks->rank, ranks->size);
	convert_set_merge(&all, &own, NULL);
	convert_set_gather(ranks, &all);
	if (ranks->rank == 0)
		check_all(&all, ranks->size);
	convert_set_share(ranks, &all, &common);
	size_t known = common.regions.count;
	convert_set_merge(&common, &own, &maps);
	EXPECT(!common.failed && common.regions.count == known);
	for (size_t i = 0; i < maps.region_count; i++)
		EXPECT(strcmp(name_of(&own, i), name_of(&common, maps.regions[i])) == 0);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orders and names the processes and their threads. An archive may define groups and locations in
 * any order. Here processes come first, by their ranks, and the threads of one process are side by
 * side, by their numbers. All reports rely on this order.
 */
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "memory.h"
#include "shared/text-hash.h"

struct keyed {
	uint64_t key;
	size_t old;
};

static int compare_keys(const void *first, const void *second)
{
	const struct keyed *one = first, *other = second;

	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	return (one->old > other->old) - (one->old < other->old);
}

/* Sorts elements by their keys, stably, and changes the indices in `index_of` accordingly. */
static void reorder(
    void *elements, size_t size, struct keyed *keys, size_t count, struct map *index_of)
{
	char *sorted = memory_new(count, size);
	uint64_t *moved = memory_new(count, sizeof(moved[0]));

	for (size_t i = 0; i < count; i++)
		keys[i].old = i;
	qsort(keys, count, sizeof(keys[0]), compare_keys);
	for (size_t i = 0; i < count; i++) {
		memcpy(sorted + i * size, (char *)elements + keys[i].old * size, size);
		moved[keys[i].old] = i;
	}
	if (count > 0)
		memcpy(elements, sorted, count * size);
	for (size_t at = map_used(index_of, 0); at != MAP_END; at = map_used(index_of, at + 1))
		map_change(index_of, at, moved[map_value(index_of, at)]);
	free(moved);
	free(sorted);
}

/* The list of MPI's locations, in which the i-th is a thread of rank i; NULL if there is none. */
static const struct archive_list *mpi_locations(const struct archive *archive)
{
	for (size_t i = 0; i < archive->list_count; i++) {
		if (archive->lists[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
		    archive->lists[i].paradigm == OTF2_PARADIGM_MPI)
			return &archive->lists[i];
	}
	return NULL;
}

/* The members of MPI_COMM_WORLD as places in the archive's list of ranks, or NULL. */
static const struct archive_list *world_of(const struct archive *archive)
{
	for (size_t i = 0; i < archive->comm_count; i++) {
		const struct archive_comm *comm = &archive->comms[i];
		const struct archive_list *list;

		if (comm->members == ARCHIVE_NO_INDEX || strcmp(comm->name, "MPI_COMM_WORLD") != 0)
			continue;
		list = &archive->lists[comm->members];
		if (list->paradigm == OTF2_PARADIGM_MPI && !list->has_locations)
			return list;
	}
	return NULL;
}

/*
 * The ranks of the entries in the list. An entry's rank is its place there, unless some ranks have
 * no location, for example because their logs were lost; MPI_COMM_WORLD then has undefined members
 * in their place.
 */
static uint32_t *number_ranks(
    const struct archive_list *ranks, const struct archive_list *world, uint32_t *lost)
{
	uint32_t *numbers = memory_new(ranks->count, sizeof(numbers[0]));

	*lost = 0;
	for (uint32_t i = 0; i < ranks->count; i++)
		numbers[i] = i;
	if (!world || world->count <= ranks->count)
		return numbers;
	for (uint32_t i = 0; i < world->count; i++) {
		if (world->members[i] < ranks->count)
			numbers[world->members[i]] = i;
		else
			(*lost)++;
	}
	return numbers;
}

/* Adds a process without threads for each lost rank, so that a process's index stays its rank. */
static void add_lost_ranks(struct archive *archive, const struct archive_list *world,
    const struct archive_list *ranks, struct keyed *keys)
{
	for (uint32_t i = 0; i < world->count; i++) {
		if (world->members[i] < ranks->count)
			continue;
		MEMORY_GROW(archive->groups, archive->group_room, archive->group_count + 1);
		archive->groups[archive->group_count] = (struct archive_group){
		    .name = "", .host = "", .type = OTF2_LOCATION_GROUP_TYPE_PROCESS};
		keys[archive->group_count++].key = i;
	}
}

/* Ranks first, then processes outside MPI, then groups that are not processes (accelerators). */
static void order_groups(struct archive *archive)
{
	const struct archive_list *ranks = mpi_locations(archive);
	const struct archive_list *world = world_of(archive);
	uint32_t *numbers = ranks ? number_ranks(ranks, world, &archive->lost_ranks) : NULL;
	struct keyed *keys =
	    memory_new(archive->group_count + archive->lost_ranks, sizeof(keys[0]));

	for (size_t i = 0; i < archive->group_count; i++) {
		bool is_process = archive->groups[i].type == OTF2_LOCATION_GROUP_TYPE_PROCESS;

		archive->process_count += is_process;
		keys[i].key = UINT64_MAX - is_process;
	}
	for (uint32_t i = 0; ranks && i < ranks->count; i++) {
		uint32_t group = archive_process_of_location(archive, ranks->members[i]);

		if (group != ARCHIVE_NO_INDEX && keys[group].key == UINT64_MAX - 1)
			keys[group].key = numbers[i];
	}
	free(numbers);
	archive->process_count += archive->lost_ranks;
	if (ranks != NULL && archive->lost_ranks > 0)
		add_lost_ranks(archive, world, ranks, keys);
	archive->has_mpi = ranks && ranks->count > 0;
	reorder(archive->groups, sizeof(archive->groups[0]), keys, archive->group_count,
	    &archive->group_of);
	for (size_t i = 0; i < archive->group_count; i++)
		keys[keys[i].old].key = i; /* from here on: the new index of the group */
	for (size_t i = 0; i < archive->location_count; i++) {
		uint32_t *group = &archive->locations[i].group;

		if (*group != ARCHIVE_NO_INDEX)
			*group = (uint32_t)keys[*group].key;
	}
	free(keys);
}

/* A location, and the first location whose name differs only in its numbers. */
struct named {
	const char *name;
	size_t first, old;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *one = left, *other = right;
	int result = one->first == other->first ? strverscmp(one->name, other->name) : 0;

	if (one->first != other->first)
		return one->first < other->first ? -1 : 1;
	return result ? result : (one->old > other->old) - (one->old < other->old);
}

/* A hash of the name in which all numbers count as equal. */
static uint64_t kind_of_name(const char *name)
{
	uint64_t hash = TEXT_HASH_START;
	bool in_number = false;

	for (; *name; name++) {
		bool digit = *name >= '0' && *name <= '9';

		if (!digit || !in_number)
			hash = text_hash_byte(hash, digit ? '0' : (unsigned char)*name);
		in_number = digit;
	}
	return hash;
}

/*
 * Orders locations by the numbers in their names, since they may be defined in the order in which
 * threads began: "OMP thread 2" is before "OMP thread 10". Names of different kinds keep their
 * order.
 */
static void order_by_number(struct archive *archive)
{
	struct named *names = memory_new(archive->location_count, sizeof(names[0]));
	struct keyed *keys = memory_new(archive->location_count, sizeof(keys[0]));
	struct map kinds = {0};

	for (size_t i = 0; i < archive->location_count; i++) {
		const char *name = archive->locations[i].name;
		uint64_t kind = kind_of_name(name);
		uint64_t first = map_find(&kinds, kind);

		if (first == MAP_NONE)
			memory_map_set(&kinds, kind, first = i);
		names[i] = (struct named){name, first, i};
	}
	map_free(&kinds);
	if (archive->location_count > 0)
		qsort(names, archive->location_count, sizeof(names[0]), compare_named);
	for (size_t i = 0; i < archive->location_count; i++)
		keys[names[i].old].key = i;
	reorder(archive->locations, sizeof(archive->locations[0]), keys, archive->location_count,
	    &archive->location_of);
	free(keys);
	free(names);
}

void archive_order_processes(struct archive *archive)
{
	struct keyed *keys = memory_new(archive->location_count, sizeof(keys[0]));

	order_groups(archive);
	order_by_number(archive);
	for (size_t i = 0; i < archive->location_count; i++) {
		bool is_thread = archive->locations[i].type == OTF2_LOCATION_TYPE_CPU_THREAD;

		archive->thread_count += is_thread;
		keys[i].key = (uint64_t)!is_thread << 32 | archive->locations[i].group;
	}
	reorder(archive->locations, sizeof(archive->locations[0]), keys, archive->location_count,
	    &archive->location_of);
	free(keys);
}

/* A short label for the columns of tables. */
static const char *label_of(const struct archive *archive, const struct archive_location *location)
{
	if (archive->process_count < 2 || location->group >= archive->process_count)
		return location->name;
	return memory_print("%u:%s", location->group, location->name);
}

void archive_number_ranks(struct archive *archive)
{
	const struct archive_list *ranks = mpi_locations(archive);

	if (ranks) {
		archive->rank_count = ranks->count;
		archive->group_of_rank =
		    memory_new(ranks->count, sizeof(archive->group_of_rank[0]));
		for (size_t i = 0; i < ranks->count; i++)
			archive->group_of_rank[i] =
			    archive_process_of_location(archive, ranks->members[i]);
	}
	for (size_t i = 0; i < archive->location_count; i++)
		archive->locations[i].label = label_of(archive, &archive->locations[i]);
}

char *archive_process_name(const struct archive *archive, uint32_t group)
{
	const struct archive_group *process;

	if (group == ARCHIVE_NO_INDEX)
		return memory_copy_text("process");
	process = &archive->groups[group];
	if (group >= archive->process_count || archive->process_count < 2)
		return memory_copy_text(process->name);
	if (!archive->has_mpi)
		return memory_print("process %u (%s)", group, process->name);
	return memory_print(process->host[0] ? "rank %u (%s)" : "rank %u", group, process->host);
}

char *archive_thread_name(const struct archive *archive, size_t location)
{
	const struct archive_location *thread = &archive->locations[location];

	if (thread->group >= archive->process_count || archive->process_count < 2)
		return memory_copy_text(thread->name);
	return memory_print(
	    archive->has_mpi ? "rank %u, %s" : "process %u, %s", thread->group, thread->name);
}

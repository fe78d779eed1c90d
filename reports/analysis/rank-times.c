/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what the analysis keeps by thread and by call site. */
#include "rank-times.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* The part of the waits for criticals and locks that belongs to constructs. */
static uint64_t enter_waits(const struct thread *thread)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < thread->visited_count; i++)
		sum += thread->visited[i].enter_wait;
	return sum;
}

struct rank_thread ranks_thread(const struct analysis *analysis, size_t location)
{
	const struct thread *thread = &analysis->threads[location];
	const uint64_t *activities = thread->activities;
	uint32_t process = analysis->archive->locations[location].group;
	uint64_t entering = enter_waits(thread), locks = activities[ACTIVITY_LOCK], waits = 0;
	struct rank_thread found = {
	    .process = process,
	    .execution = analysis->last_time - analysis->first_time,
	    .computation =
		activities[ACTIVITY_SERIAL] + activities[ACTIVITY_WORK] + activities[ACTIVITY_TASK],
	    .delayed = activities[ACTIVITY_DELAYED],
	    .blocked = activities[ACTIVITY_BLOCKED],
	    .barrier = activities[ACTIVITY_BARRIER],
	    .critical = entering < locks ? entering : locks,
	    .task_wait = activities[ACTIVITY_TASK_WAIT],
	    .imbalance = thread->imbalance < activities[ACTIVITY_BARRIER]
			     ? thread->imbalance
			     : activities[ACTIVITY_BARRIER],
	    .team = activities[ACTIVITY_TEAM],
	    .mpi = activities[ACTIVITY_MPI],
	};

	found.lock = locks - found.critical;
	for (int i = 0; analysis->mpi && i < MPI_WAITS; i++)
		waits += analysis->mpi->threads[location].waits[i];
	found.mpi_wait = waits < found.mpi ? waits : found.mpi;
	found.mpi_transfer = found.mpi - found.mpi_wait;
	found.idle = found.computation + found.delayed + found.blocked + locks + found.barrier +
		     found.task_wait + found.team + found.mpi;
	found.idle = found.execution > found.idle ? found.execution - found.idle : 0;
	return found;
}

void rank_part_times(const struct rank_thread *thread, uint64_t times[RANK_PARTS])
{
	const uint64_t values[RANK_PARTS] = {thread->computation, thread->delayed, thread->blocked,
	    thread->barrier, thread->critical + thread->lock, thread->task_wait, thread->team,
	    thread->mpi_wait, thread->mpi_transfer};

	memcpy(times, values, sizeof(values));
}

static void add_thread(struct rank_sum *sum, const struct rank_thread *thread)
{
	uint64_t times[RANK_PARTS];

	rank_part_times(thread, times);
	sum->threads++;
	sum->execution += thread->execution;
	sum->idle += thread->idle;
	for (size_t i = 0; i < RANK_PARTS; i++)
		sum->times[i] += times[i];
}

/* Threads are ordered by process; those of other groups than processes come last. */
struct rank_profiles rank_profiles_find(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	struct rank_profiles ranks = {0};

	ranks.sums = memory_new(archive->process_count, sizeof(ranks.sums[0]));
	ranks.numbers = memory_new(archive->process_count, sizeof(ranks.numbers[0]));
	for (size_t i = 0; i < archive->thread_count; i++) {
		struct rank_thread thread = ranks_thread(analysis, i);

		if (thread.process >= archive->process_count || thread.execution == 0)
			continue;
		if (ranks.count == 0 || ranks.numbers[ranks.count - 1] != thread.process) {
			ranks.sums[ranks.count].first = i;
			ranks.numbers[ranks.count++] = thread.process;
		}
		add_thread(&ranks.sums[ranks.count - 1], &thread);
	}
	ranks.shares = memory_new(ranks.count * RANK_PARTS, sizeof(ranks.shares[0]));
	for (size_t i = 0; i < ranks.count; i++)
		for (size_t part = 0; part < RANK_PARTS; part++)
			ranks.shares[i * RANK_PARTS + part] =
			    (double)ranks.sums[i].times[part] / (double)ranks.sums[i].execution;
	return ranks;
}

void rank_profiles_free(struct rank_profiles *ranks)
{
	free(ranks->sums);
	free(ranks->shares);
	free(ranks->numbers);
}

static void set_name(const struct analysis *analysis, struct rank_region *region)
{
	static const char link[] = " in ";
	char *caller;

	region->call = analysis->constructs[region->site->call].sub_name;
	region->caller = "";
	if (region->site->caller == NO_CONSTRUCT) {
		region->name = memory_copy_text(region->call);
		return;
	}
	caller = analysis_construct_name(&analysis->constructs[region->site->caller]);
	region->name = memory_print("%s%s%s", region->call, link, caller);
	region->caller = region->name + strlen(region->call) + strlen(link);
	free(caller);
}

/* One process's waits at one site. */
struct process_part {
	uint32_t site, process;
	uint64_t waits[MPI_WAITS];
};

static int compare_parts(const void *left, const void *right)
{
	const struct process_part *one = left, *other = right;

	if (one->site != other->site)
		return one->site < other->site ? -1 : 1;
	return one->process < other->process ? -1 : one->process > other->process;
}

/* Adds the threads' shares up by process; those of one process are neighbours. */
static size_t fold_shares(const struct analysis *analysis, struct process_part *parts)
{
	const struct mpi *mpi = analysis->mpi;
	size_t count = 0;

	for (size_t i = 0; i < mpi->share_count; i++) {
		parts[i].site = mpi->shares[i].site;
		parts[i].process = analysis->archive->locations[mpi->shares[i].location].group;
		memcpy(parts[i].waits, mpi->shares[i].waits, sizeof(parts[i].waits));
	}
	qsort(parts, mpi->share_count, sizeof(parts[0]), compare_parts);
	for (size_t i = 0; i < mpi->share_count; i++) {
		if (count > 0 && compare_parts(&parts[count - 1], &parts[i]) == 0) {
			for (int wait = 0; wait < MPI_WAITS; wait++)
				parts[count - 1].waits[wait] += parts[i].waits[wait];
		} else {
			parts[count++] = parts[i];
		}
	}
	return count;
}

static void find_waiting(const struct analysis *analysis, struct rank_region *regions)
{
	const struct mpi *mpi = analysis->mpi;
	struct process_part *parts = memory_new(mpi->share_count, sizeof(parts[0]));
	uint64_t(*most)[MPI_WAITS] = memory_new(mpi->site_count, sizeof(most[0]));
	size_t count = fold_shares(analysis, parts);

	for (size_t i = 0; i < count; i++) {
		struct rank_region *region = &regions[parts[i].site];

		for (int wait = 0; wait < MPI_WAITS; wait++) {
			region->waiting[wait] += parts[i].waits[wait] > 0;
			if (parts[i].waits[wait] <= most[parts[i].site][wait])
				continue;
			most[parts[i].site][wait] = parts[i].waits[wait];
			region->waited_most[wait] = parts[i].process;
		}
	}
	memset(most, 0, mpi->site_count * sizeof(most[0]));
	for (size_t i = 0; i < mpi->blame_count; i++) {
		const struct mpi_blame *blame = &mpi->blames[i];
		uint32_t *late = &regions[blame->site].late_most[blame->wait];
		uint64_t *time = &most[blame->site][blame->wait];

		if (blame->time > *time || (blame->time == *time && blame->process < *late)) {
			*time = blame->time;
			*late = blame->process;
		}
	}
	free(most);
	free(parts);
}

static int compare_regions(const void *left, const void *right)
{
	const struct rank_region *one = left, *other = right;

	if (one->wait != other->wait)
		return one->wait < other->wait ? 1 : -1;
	if (one->time != other->time)
		return one->time < other->time ? 1 : -1;
	return strcmp(one->name, other->name);
}

struct rank_regions ranks_regions(const struct analysis *analysis)
{
	const struct mpi *mpi = analysis->mpi;
	struct rank_regions found = {0};

	if (!mpi)
		return found;
	found.count = mpi->site_count;
	found.regions = memory_new(found.count, sizeof(found.regions[0]));
	for (size_t i = 0; i < found.count; i++) {
		found.regions[i].site = &mpi->sites[i];
		set_name(analysis, &found.regions[i]);
		for (int wait = 0; wait < MPI_WAITS; wait++)
			found.regions[i].waited_most[wait] = found.regions[i].late_most[wait] =
			    ARCHIVE_NO_INDEX;
	}
	for (size_t i = 0; i < mpi->share_count; i++) {
		const struct mpi_share *share = &mpi->shares[i];
		struct rank_region *region = &found.regions[share->site];

		region->visits += share->visits;
		region->time += share->time;
		for (int wait = 0; wait < MPI_WAITS; wait++) {
			region->waits[wait] += share->waits[wait];
			region->counts[wait] += share->counts[wait];
			region->wait += share->waits[wait];
		}
	}
	find_waiting(analysis, found.regions);
	for (size_t i = 0; i < found.count; i++)
		found.regions[i].transfer = found.regions[i].time - found.regions[i].wait;
	qsort(found.regions, found.count, sizeof(found.regions[0]), compare_regions);
	return found;
}

void ranks_free_regions(struct rank_regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		free(regions->regions[i].name);
	free(regions->regions);
	*regions = (struct rank_regions){0};
}

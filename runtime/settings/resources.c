/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The affinity mask and the quota of control groups as numbers of threads. They are read when the
 * library is loaded and first used. If regions adjust their threads (OMP_DYNAMIC), they are also
 * read twice a second.
 *
 * Who sees what: `processors`, `running_threads` and `changes` of struct rt_process are relaxed.
 * Each is a hint by itself: a team made between two stores has its size from one state and its
 * shortage from the other, and is a valid team. `looked_at` elects the thread that reads: the one
 * whose compare-and-swap succeeds. That thread owns only the files that it opens. `roots` is one
 * word, so that a thread that adds its region sees a number of threads that fits the number of
 * regions. Only regions between their two additions are an exception; they have too many threads
 * for once.
 */
#include "resources.h"

#include <time.h>

#include "atomics.h"
#include "message.h"
#include "process.h"
#include "quota.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"

#define LOOK_AGAIN_NS UINT64_C(500000000)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Stores what a quota leaves of `allowed` processors. */
static void follow(struct rt_process *process, uint32_t allowed, const struct rt_quota *quota)
{
	uint32_t processors = smaller(allowed, rt_quota_processors(quota));
	uint32_t running = smaller(allowed, rt_quota_whole_processors(quota));

	if (load_relaxed(&process->allowed_count) == allowed &&
	    load_relaxed(&process->processors) == processors &&
	    load_relaxed(&process->running_threads) == running)
		return;
	store_relaxed(&process->processors, processors);
	store_relaxed(&process->running_threads, running);
	store_relaxed(&process->allowed_count, allowed);
	add_relaxed(&process->changes, 1);
}

void rt_resources_read_mask(struct rt_process *process)
{
	uint32_t allowed = (uint32_t)rt_processors_count(&process->allowed);

	follow(process, allowed > 0 ? allowed : 1, &process->quota);
}

void rt_resources_read_quota(struct rt_process *process)
{
	if (process->resources & RT_RESOURCE_QUOTA)
		rt_quota_read("", &process->quota);
	follow(process, load_relaxed(&process->allowed_count), &process->quota);
	store_relaxed(&process->looked_at, now_ns());
}

/* The number of processors that the calling thread may use, whatever the quota is. */
static uint32_t count_allowed(void)
{
	uint32_t allowed = rt_process.places.count == 0 ? rt_processors_count_allowed() : 0;

	return allowed != 0 ? allowed : load_relaxed(&rt_process.allowed_count);
}

/* At least 1, since a quota is rounded up. */
static uint32_t of_quota(void)
{
	return load_relaxed(&rt_process.processors) < load_relaxed(&rt_process.allowed_count)
		   ? load_relaxed(&rt_process.processors)
		   : UINT32_MAX;
}

uint32_t rt_resources_processors(void)
{
	return smaller(count_allowed(), of_quota());
}

uint32_t rt_resources_initial_threads(void)
{
	uint32_t processors;

	if (!rt_process.initial.follows_processors ||
	    !(rt_process.resources & RT_RESOURCE_AFFINITY))
		return 0;
	processors = smaller(rt_resources_processors(), rt_process.initial.thread_limit);
	return processors == rt_process.initial.nthreads ? 0 : processors;
}

static void look_again(void)
{
	uint64_t now = now_ns(), last = load_relaxed(&rt_process.looked_at);
	struct rt_quota quota = {0, 0, NULL, NULL};

	if (now - last < LOOK_AGAIN_NS || !cas_relaxed(&rt_process.looked_at, &last, now))
		return;
	if (rt_process.resources & RT_RESOURCE_QUOTA)
		rt_quota_read("", &quota);
	follow(&rt_process, count_allowed(), &quota);
	DEBUG_LOG(setting, "%u processors, %u threads can all run at once",
	    load_relaxed(&rt_process.processors), load_relaxed(&rt_process.running_threads));
	rt_quota_finish(&quota);
}

uint32_t rt_resources_dynamic_size(const struct rt_task_icvs *icvs, uint32_t clause)
{
	uint32_t wanted = clause != 0 ? clause : icvs->nthreads, processors;

	if (rt_process.resources & RT_RESOURCE_CHANGES)
		look_again();
	processors = load_relaxed(&rt_process.processors);
	return clause == 0 && icvs->follows_processors ? smaller(processors, icvs->thread_limit)
						       : smaller(wanted, processors);
}

/* The upper half of `roots` counts regions, the lower half their threads. */
#define ONE_ROOT (UINT64_C(1) << 32)

uint32_t rt_resources_share(uint32_t size)
{
	uint64_t others = add_relaxed(&rt_process.roots, ONE_ROOT);
	uint32_t processors = load_relaxed(&rt_process.processors);
	uint32_t regions = (uint32_t)(others >> 32) + 1, busy = (uint32_t)others;
	uint32_t free_ones = processors > busy ? processors - busy : 0;
	uint32_t even = processors > regions ? processors / regions : 1;

	if (regions > 1)
		DEBUG_LOG(team, "%u other regions have %u threads", regions - 1, busy);
	return smaller(size, free_ones > even ? free_ones : even);
}

void rt_resources_take(uint32_t threads)
{
	CHECK(threads > 0, "a region has a thread");
	add_relaxed(&rt_process.roots, threads);
}

void rt_resources_return(uint32_t threads)
{
	sub_relaxed(&rt_process.roots, ONE_ROOT + threads);
}

enum rt_shortage rt_resources_shortage(uint32_t threads)
{
	uint32_t running = load_relaxed(&rt_process.running_threads);

	if (threads <= running)
		return RT_SHORTAGE_NONE;
	return running < load_relaxed(&rt_process.allowed_count) ? RT_SHORTAGE_TIME
								 : RT_SHORTAGE_PROCESSORS;
}

static void report_quota(const struct rt_quota *quota)
{
	uint64_t hundredths =
	    quota->time / quota->period * 100 + quota->time % quota->period * 100 / quota->period;

	rt_message("quota of %llu.%02llu processors by %s", (unsigned long long)(hundredths / 100),
	    (unsigned long long)(hundredths % 100), quota->file ? quota->file : "a control group");
}

void rt_resources_report(void)
{
	const struct rt_process *process = &rt_process;

	if (process->quota.problem)
		rt_message("%s; the file is ignored", process->quota.problem);
	if (process->quota.period != 0)
		report_quota(&process->quota);
	rt_message("%u processors by the affinity mask%s; %s",
	    load_relaxed(&process->allowed_count),
	    process->resources & RT_RESOURCE_QUOTA
		? process->quota.period != 0 ? "" : ", no quota"
		: ", a quota is not looked for (OMPINST_RESOURCES)",
	    process->initial.follows_processors ? "regions have as many threads as both allow"
						: "OMP_NUM_THREADS is set");
}

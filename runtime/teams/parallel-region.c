/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel regions: how many threads (OpenMP 5.1, 2.6.1), with which ICVs, and the forking thread's
 * way into the team and back. rt_team_prepare() starts the threads.
 */
#include "parallel-region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "affinity.h"
#include "breakpoints.h"
#include "chunk-stealing.h"
#include "debug-stores.h"
#include "loops.h"
#include "message.h"
#include "process.h"
#include "race.h"
#include "reduction.h"
#include "resources.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "team-events.h"
#include "teams.h"

/* The number of threads of the contention group that are in regions, for a task of the team. */
static _Atomic uint32_t *busy_threads(struct rt_team *team, const struct rt_task *task)
{
	if (task->icvs->busy != NULL)
		return task->icvs->busy;
	while (team->parent != NULL)
		team = team->parent;
	return &team->busy;
}

/*
 * Takes up to `more` threads from the contention group's limit. Relaxed: only the number matters.
 */
static uint32_t reserve_threads(const struct rt_thread *self, uint32_t more)
{
	_Atomic uint32_t *busy = busy_threads(self->team, self->task);
	uint32_t used = load_relaxed(busy), limit = self->task->icvs->thread_limit, granted;

	do {
		uint32_t rest = used + 1 < limit ? limit - used - 1 : 0;
		granted = more < rest ? more : rest;
	} while (!cas_relaxed(busy, &used, used + granted));
	return granted;
}

/*
 * Does the region share the processors with those of other threads? It does with dyn-var if it has
 * no active region around it, even if it has only one thread, which needs a processor too.
 */
static bool is_sharing(const struct rt_thread *self)
{
	return self->task->icvs->dyn && self->team->active_level == 0 &&
	       (rt_process.resources & RT_RESOURCE_ROOTS);
}

/*
 * Returns the size of the region's team. If a limit is set, reserves the threads beyond the first
 * and stores their number in *reserved.
 */
static inline __attribute__((always_inline)) uint32_t team_size(
    struct rt_thread *self, uint32_t clause, bool shares, uint32_t *reserved)
{
	const struct rt_task_icvs *icvs = self->task->icvs;
	uint32_t size = clause != 0 ? clause : icvs->nthreads;

	*reserved = 0;
	if (unlikely(icvs->dyn)) {
		size = rt_resources_dynamic_size(icvs, clause);
		if (shares)
			size = rt_resources_share(size);
	}
	if (size <= 1 || self->team->active_level >= icvs->max_active_levels) {
		DEBUG_LOG(team, "level %u: 1 thread, asked for %u, %u of %u active levels in use",
		    self->team->level + 1, size, self->team->active_level, icvs->max_active_levels);
		return 1;
	}
	if (icvs->thread_limit != RT_THREAD_LIMIT_NONE && size > 1) {
		*reserved = reserve_threads(self, size - 1);
		size = 1 + *reserved;
	}
	return size;
}

/* Called for the task that encountered the region. */
static void return_threads(struct rt_team *team, const struct rt_task *task, uint32_t reserved)
{
	sub_relaxed(busy_threads(team, task), reserved);
}

/* Returns a team for the request, in which only its threads are set up. */
static inline __attribute__((always_inline)) struct rt_team *find_team(
    struct rt_thread *self, uint32_t clause, bool shares, uint32_t *size, uint32_t *reserved)
{
	struct rt_team *team = NULL;

	*size = team_size(self, clause, shares, reserved);
	if (*size > 1) {
		uint32_t wanted = *size;
		team = rt_team_prepare(self, size);
		if (team == NULL)
			*size = 1;
		if (unlikely(*size < wanted)) {
			uint32_t missing = *reserved != 0 ? wanted - *size : 0;
			rt_report_thread_shortage(ENOMEM, *size + 1);
			return_threads(self->team, self->task, missing);
			*reserved -= missing;
		}
	}
	if (*size > 1)
		DEBUG_LOG(team, "level %u: %u threads, asked for %u by %s, thread limit %u%s",
		    self->team->level + 1, *size, clause != 0 ? clause : self->task->icvs->nthreads,
		    clause != 0 ? "the clause" : "nthreads-var", self->task->icvs->thread_limit,
		    self->task->icvs->dyn ? ", dyn-var is set" : "");
	if (*size == 1)
		team = rt_team_prepare_serialized(self);
	if (team == NULL)
		rt_fatal("no memory for a team of one thread; the program ends here");
	return team;
}

/* Frees the list of the previous region, whose tasks have ended. */
static void change_icvs(struct rt_team *team, const struct rt_task_icvs *parent,
    const struct rt_region_request *request)
{
	if (request->inner_count == 0) {
		rt_icvs_inherit(&team->region_icvs, parent);
		return;
	}
	free(team->inner_threads);
	team->inner_threads = request->inner_threads;
	rt_icvs_inherit_list(
	    &team->region_icvs, parent, request->inner_threads, request->inner_count);
}

/* The ICVs that implicit tasks start with: the parent's own unless the region changes them. */
static inline void choose_icvs(struct rt_team *team, struct rt_task *parent,
    const struct rt_region_request *request, bool has_workers)
{
	struct rt_task_icvs *icvs = parent->icvs;

	team->parent_icvs_shared = parent->icvs_shared;
	if (rt_process.nthreads_list.count > 1 || rt_process.bind_list.count > 1 ||
	    unlikely(icvs->nthreads_by_clause) || unlikely(request->inner_count != 0)) {
		change_icvs(team, icvs, request);
		RT_UPDATE(has_workers, team->icvs, &team->region_icvs);
	} else {
		RT_UPDATE(has_workers, team->icvs, icvs);
		if (!parent->icvs_shared)
			parent->icvs_shared = true;
	}
}

/*
 * A hot team serves one place and one thread, so this is the same from one region to the next in
 * most programs. The thread of member 0 is stored before the team is published: a debugger that
 * stops a worker that is ahead finds which thread forked its region.
 */
static inline __attribute__((always_inline)) void set_structure(
    struct rt_team *team, struct rt_thread *self, uint32_t size)
{
	const struct rt_team *outer = self->team;

	if (likely(team->size == size && team->parent == outer && team->level == outer->level + 1 &&
		   team->width == outer->width * size &&
		   team->task_depth == self->task->depth + 1 &&
		   team->teams_count == self->teams_count &&
		   team->teams_number == self->teams_number &&
		   team->resources == load_relaxed(&rt_process.changes)))
		return;
	team->size = size;
	team->level = outer->level + 1;
	team->active_level = outer->active_level + (size > 1);
	team->width = outer->width * size;
	team->resources = load_relaxed(&rt_process.changes);
	store_relaxed(&team->shortage, (uint8_t)rt_resources_shortage(team->width));
	team->parent = self->team;
	team->parent_member = self->member;
	team->parent_number = self->number;
	rt_team_member(team, 0)->thread = self;
	team->task_depth = self->task->depth + 1;
	team->teams_count = self->teams_count;
	team->teams_number = self->teams_number;
}

/*
 * Sets what the members begin with. Inlined twice, since in a team of one no other thread reads it.
 */
static inline __attribute__((always_inline)) void set_up(struct rt_thread *self,
    struct rt_team *team, const struct rt_region_request *request, bool has_workers)
{
	if (has_workers) {
		RT_UPDATE(true, team->fn, request->fn);
		RT_UPDATE(true, team->data, request->data);
	}
	RT_UPDATE(has_workers, team->parent_task, self->task);
	RT_UPDATE(has_workers, team->single_base, load_relaxed(&team->single_turn));
	RT_UPDATE(has_workers, team->has_loop, request->loop != NULL);
	if (request->loop != NULL)
		team->loop_args = *request->loop;
	choose_icvs(team, self->task, request, has_workers);
	RT_UPDATE(has_workers, team->has_reductions, request->reductions != NULL);
	if (unlikely(team->has_reductions)) {
		team->reductions = request->reductions;
		rt_reduction_begin_team(team);
	}
	rt_affinity_begin_team(self, team, request->flags & 7);
}

/* The number of threads that the program requests, whatever it gets. */
static uint32_t requested_size(struct rt_thread *self, const struct rt_region_request *request)
{
	return request->num_threads != 0 ? request->num_threads : self->task->icvs->nthreads;
}

/*
 * invoker: with a tool, the ompt_parallel_flag_t that tells what calls the caller's part of the
 * region; else 0.
 */
static inline __attribute__((always_inline)) void begin_for(
    struct rt_thread *self, const struct rt_region_request *request, int invoker)
{
	bool shares = unlikely(self->task->icvs->dyn) && is_sharing(self);
	struct rt_team *team;
	uint32_t size, reserved;

	team = find_team(self, request->num_threads, shares, &size, &reserved);
	set_structure(team, self, size);
	if (unlikely(shares)) {
		team->is_shared = 1;
		rt_resources_take(size);
	}
	team->reserved = reserved;
	RT_FOR_DEBUGGERS(team->request = request);
	team->parent_tied = self->tied;
	if (invoker != 0) {
		team->is_seen = 1;
		rt_tool_begin_region(self, team,
		    request->code != NULL ? request->code : request->fn,
		    requested_size(self, request), invoker | (int)ompt_parallel_team);
	}
	if (size > 1) {
		set_up(self, team, request, true);
		rt_team_publish(team);
		rt_race_let_workers_go(self, team);
	} else {
		set_up(self, team, request, false);
	}
	rt_team_enter(self, rt_team_member(team, 0), &team->begin);
}

static void begin(struct rt_thread *self, const struct rt_region_request *request)
{
	begin_for(self, request, 0);
}

static RT_COLD void begin_with_tool(
    struct rt_thread *self, const struct rt_region_request *request, int invoker)
{
	begin_for(self, request, invoker);
}

/*
 * The request ends before the region does, so fn and data are copied. Workers, if there are any,
 * have them already.
 */
void rt_parallel_begin(struct rt_thread *self, const struct rt_region_request *request)
{
	CHECK(self == rt_current, "the calling thread forks");
	if (rt_watched(RT_BY_TOOL)) {
		begin_with_tool(self, request, ompt_parallel_invoker_program);
		/* The program's own function continues as the implicit task. */
		rt_task_set_exit_frame(self->task, self->tool.frame);
	} else {
		begin(self, request);
	}
	RT_UPDATE(true, self->team->fn, request->fn);
	RT_UPDATE(true, self->team->data, request->data);
	self->team->request = NULL;
}

/*
 * Resets barriers and work-shares, which a cancelled region may have left in an intermediate state;
 * no member is inside any more.
 */
static void reset_cancelled(struct rt_team *team)
{
	rt_barrier_resize(&team->barrier, team->size);
	if (load_relaxed(&team->groups) != NULL)
		rt_groups_reset(
		    load_relaxed(&team->groups), load_relaxed(&team->barrier.generation));
	rt_team_level_pair(team);
	rt_workshare_clear_all(team, team->serial);
	for (uint32_t i = 0; i < RT_WORKSHARES; i++)
		rt_chunk_stealing_clear(team, i);
	store_relaxed(&team->cancelled, 0);
}

/* Relaxed: the members left it before they joined. */
static void free_garbage(struct rt_team *team)
{
	struct rt_garbage *garbage = exchange_relaxed(&team->garbage, NULL);

	while (garbage != NULL) {
		struct rt_garbage *next = garbage->next;
		free(garbage);
		garbage = next;
	}
}

/* The caller is back in the task that encountered the construct. */
static inline __attribute__((always_inline)) void leave(
    struct rt_thread *self, struct rt_team *team, struct rt_member *member)
{
	if (load_relaxed(&team->has_tasks) != 0)
		store_relaxed(&team->has_tasks, 0);
	if (unlikely(load_relaxed(&team->cancelled) != 0))
		reset_cancelled(team);
	else
		RT_UPDATE(true, team->serial, member->loop.serial);
	if (unlikely(load_relaxed(&team->garbage) != NULL))
		free_garbage(team);
	self->team = team->parent;
	self->member = team->parent_member;
	self->number = team->parent_number;
	self->task = team->parent_task;
	self->tied = team->parent_tied;
	if (unlikely(self->task->icvs_shared != team->parent_icvs_shared))
		self->task->icvs_shared = team->parent_icvs_shared;
	if (rt_watched(RT_BY_RACE) && team->size > 1)
		rt_race_leave_region();
}

/* Ends a region with properties that few regions have. */
static __attribute__((noinline)) void end_unusual(
    struct rt_thread *self, struct rt_team *team, struct rt_member *member)
{
	bool is_seen = team->is_seen != 0;

	if (is_seen)
		rt_team_join_with_tool(self);
	else
		rt_team_join(self);
	if (team->is_shown) {
		self->task = team->parent_task; /* as at its begin */
		ompd_bp_parallel_end();
	}
	if (team->is_shared)
		rt_resources_return(team->size);
	team->is_shown = team->is_seen = 0;
	team->is_shared = 0;
	if (team->reserved != 0)
		return_threads(team->parent, team->parent_task, team->reserved);
	leave(self, team, member);
	if (is_seen)
		rt_tool_end_region(self, team);
}

void rt_parallel_end(struct rt_thread *self)
{
	CHECK(self == rt_current, "the calling thread has forked");
	CHECK(self->team->parent != NULL, "the thread is in a region");

	struct rt_team *team = self->team;
	struct rt_member *member = self->member;

	if (unlikely((team->at_end | team->reserved) != 0)) {
		end_unusual(self, team, member);
	} else {
		rt_team_join(self);
		leave(self, team, member);
	}
}

uint32_t rt_parallel(struct rt_thread *self, const struct rt_region_request *request)
{
	CHECK(request->fn != NULL, "the region has a function");

	uint32_t size;

	begin(self, request);
	size = self->team->size;
	request->fn(request->data);
	rt_parallel_end(self);
	return size;
}

uint32_t rt_parallel_for_race(struct rt_thread *self, const struct rt_region_request *request)
{
	const uint32_t number = self->number;

	if (request->num_threads != 1 || (request->flags & 7) != RT_BIND_SPREAD ||
	    request->reductions != NULL)
		return rt_parallel(self, request);
	begin(self, request);
	self->number = number;
	rt_race_call_lanes(self,
	    (const void *)(uintptr_t)(request->code != NULL ? request->code : request->fn),
	    request->fn, request->data);
	self->number = 0;
	rt_parallel_end(self);
	return 1;
}

uint32_t rt_parallel_with_tool(struct rt_thread *self, const struct rt_region_request *request)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	uint32_t size;

	begin_with_tool(self, request, ompt_parallel_invoker_runtime);
	size = self->team->size;
	rt_tool_call_region(self, request->fn, request->data);
	rt_parallel_end(self);
	return size;
}

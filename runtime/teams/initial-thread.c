/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that the runtime did not make (the main thread, those of other libraries): their initial
 * team and task are made at their first call and freed when they end. Also the access to a task's
 * ICVs.
 */
#include "initial-thread.h"

#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "events.h"
#include "message.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "race.h"
#include "resources.h"
#include "slab.h"
#include "tasks.h"
#include "team-events.h"
#include "team.h"
#include "teams.h"
#include "thread-record.h"
#include "threadprivate.h"

static pthread_key_t ending;
static pthread_once_t ending_once = PTHREAD_ONCE_INIT;

/* Ends the threads of all teams below the calling thread, which is in no region. */
static void free_hot_teams(struct rt_thread *self)
{
	rt_team_free_contexts(self);
	rt_team_free(self->member->inner);
	rt_team_free(self->member->serialized);
	self->member->inner = self->member->serialized = NULL;
}

/*
 * Destructor of a root thread. If the process ends by exit(), it is not called: the program's
 * static objects may be gone by then, and its locks held, so workers stay asleep and none of their
 * thread_local destructors is called.
 */
static void leave(void *argument)
{
	struct rt_thread *self = argument;
	struct rt_team *team;

	/*
	 * The thread ended within a region (pthread_exit): others still use the teams, so nothing
	 * is freed.
	 */
	if (self == NULL || self->team->parent != NULL)
		return;
	DEBUG_LOG(thread, "an initial thread ends, and its teams with it");
	free_hot_teams(self);
	rt_threadprivate_end(self);
	rt_race_thread_end(self);
	if (rt_watched(RT_BY_TOOL))
		rt_tool_end_initial_thread(self);
	rt_debug_thread_end(self);
	team = self->team;
	self->team = NULL; /* for a tool that asks from a signal handler from here on */
	order_for_compiler();
	rt_team_free(team);
	rt_slab_free(self->slab);
	rt_thread_set_current(NULL);
	order_for_compiler();
	free(self);
}

static void make_key(void)
{
	int error = pthread_key_create(&ending, leave);

	if (error != 0)
		rt_fatal(
		    "no key for the end of threads (pthread_key_create: error %d); the program "
		    "ends here",
		    error);
}

/* A thread that was pinned after the start, or by another thread, has its own default. */
static void follow_processors(struct rt_thread *self)
{
	uint32_t threads = rt_resources_initial_threads();

	if (threads == 0)
		return;
	DEBUG_LOG(thread, "the default number of threads is %u for it", threads);
	self->task->icvs_shared = true;
	rt_icvs_write()->nthreads = threads;
}

struct rt_thread *rt_thread_try_adopt(void)
{
	CHECK(rt_current == NULL, "the thread has no record");

	struct rt_thread *self;

	pthread_once(&ending_once, make_key);
	rt_environment_use();
	self = rt_thread_new();
	if (self == NULL)
		return NULL;
	self->team = rt_team_new_initial(self);
	if (self->team == NULL) {
		rt_slab_free(self->slab);
		free(self);
		return NULL;
	}
	self->member = rt_team_member(self->team, 0);
	self->task = self->tied = &self->member->implicit;
	pthread_setspecific(ending, self);
	rt_race_thread_begin(self);
	rt_current = self;
	follow_processors(self);
	rt_debug_thread_begin(self);
	DEBUG_LOG(thread, "a thread of the program becomes an initial thread");
	rt_events_start();
	rt_thread_set_current(self);
	if (rt_watched(RT_BY_TOOL))
		rt_tool_begin_initial_thread(self);
	return self;
}

struct rt_thread *rt_thread_adopt(void)
{
	struct rt_thread *self = rt_thread_try_adopt();

	if (self == NULL)
		rt_fatal("no memory for the records of a thread; the program ends here");
	return self;
}

/*
 * The child has only the calling thread. Its hot teams would wait for workers that do not exist, so
 * it forgets them (their memory is lost) and makes new ones at the next region. It can leave a
 * region that it is in only by exec or exit, which is all that POSIX allows in a child of a
 * multithreaded program.
 */
void rt_thread_after_fork(void)
{
	struct rt_thread *self = rt_current;

	rt_debug_forked(self);
	store_relaxed(&rt_process.roots, 0); /* of regions whose threads are not in the child */
	store_relaxed(&rt_process.awake_workers, self != NULL && self->is_counted);
	if (self == NULL)
		return;
	self->member->inner = NULL;
	self->member->serialized = NULL;
	self->contexts = NULL;
	store_relaxed(&self->team->busy, 0);
}

void rt_thread_emit_ends(struct rt_thread *self)
{
	CHECK(self == rt_current, "the calling thread ends");
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	if (self->team->parent != NULL || self->team->tool.outer != NULL)
		return;
	rt_team_emit_ends_below(self, self->member);
	rt_tool_end_initial_thread(self);
}

/*
 * With stop_tool the thread's own events end before the tool does; the thread then continues like
 * any thread whose tool has ended.
 */
bool rt_thread_pause(bool stop_tool)
{
	struct rt_thread *self = rt_self();

	if (self->team->parent != NULL)
		return false;
	free_hot_teams(self);
	if (stop_tool && rt_watched(RT_BY_TOOL)) {
		rt_tool_end_initial_thread(self);
		rt_events_stop();
	}
	return true;
}

/* No region, task or construct is open or just being begun. */
static bool is_outside_of_all(const struct rt_thread *self)
{
	return self->team != NULL && self->team->parent == NULL && self->team->tool.outer == NULL &&
	       (self->task->tool.flags & ompt_task_initial) && self->tool.target == NULL &&
	       !self->tool.begins_region;
}

void rt_thread_end_events(void)
{
	struct rt_thread *self = rt_current;

	if (self == NULL || !is_outside_of_all(self))
		return;
	free_hot_teams(self);
	rt_tool_end_initial_thread(self);
}

const struct rt_task_icvs *rt_icvs(void)
{
	return rt_self()->task->icvs;
}

/*
 * Tasks share their ICVs with the tasks that generate them until one side writes. The old copy
 * lives until the writer's children are released, because they may be reading it.
 */
struct rt_task_icvs *rt_icvs_write(void)
{
	struct rt_task *task = rt_self()->task;
	struct rt_icvs_copy *copy;

	if (!task->icvs_shared)
		return task->icvs;
	if (rt_task_children_released(task))
		rt_task_free_icvs(task, false);
	copy = malloc(sizeof(*copy));
	if (copy == NULL)
		return task->icvs;
	copy->icvs = *task->icvs;
	copy->has_group = false;
	copy->older = task->icvs_copies;
	task->icvs_copies = copy;
	task->icvs = &copy->icvs;
	task->icvs_shared = false;
	return task->icvs;
}

void rt_icvs_begin_group(uint32_t thread_limit)
{
	CHECK(thread_limit > 0, "the group has a limit");

	struct rt_task_icvs *icvs = rt_icvs_write();
	struct rt_icvs_copy *copy = rt_self()->task->icvs_copies;

	icvs->thread_limit = thread_limit;
	if (copy == NULL || icvs != &copy->icvs)
		return;
	store_relaxed(&copy->busy, 0);
	copy->has_group = true;
	icvs->busy = &copy->busy;
}

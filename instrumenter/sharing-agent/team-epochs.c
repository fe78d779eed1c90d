/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library is the OpenMP runtime's tool while accesses are noted: it learns of regions, their
 * barriers, and locks. All members of a team are in the same epoch between two barriers. The first
 * one that leaves a barrier takes a new epoch's number, and no member can arrive at the next
 * barrier before all others have left this one. A taskwait or taskgroup of an implicit task ends an
 * epoch, too, if all other members are in a barrier and no task is left. A team in a region of
 * several threads stays in the epoch of that region, with whose other threads it is concurrent.
 */
#include "line-moves.h"

#include "omp-tools.h"

#include <pthread.h>
#include <stdlib.h>

/* In the region's data, from its begin to its end. */
struct team_epoch {
	_Atomic uint64_t barrier; /* how many were passed, and below them the epoch since then */
	_Atomic uint32_t waiting; /* members in a barrier */
	_Atomic uint32_t tasks;   /* explicit ones that are not complete */
	bool is_within;           /* it stays in the epoch of the region around it */
	uint32_t size;
	const void *region;
};

/* In a member's data of its implicit task. */
struct member_epoch {
	struct team_epoch *team;
	uint32_t passed;
	/* What the thread was in before. */
	struct team_epoch *outer_team;
	uint32_t outer_epoch;
	int32_t outer_member;
	bool outer_serial;
};

enum { BARRIER_SHIFT = 32, CREATOR_SHIFT = ADDRESS_BITS };

/*
 * The data of an explicit task is no address: above the place that has created it there is the
 * number of the thread that did.
 */
#define EXPLICIT_TASK (UINT64_C(1) << 63)

static bool is_explicit(const ompt_data_t *task)
{
	return task != NULL && (task->value & EXPLICIT_TASK) != 0;
}

/* A new one, in the team's region. */
static uint32_t epoch_of(const struct team_epoch *team)
{
	return noting_new_epoch((uintptr_t)team->region);
}

static struct noting_thread *self_if_on(void)
{
	struct noting_thread *self = &noting_self;

	return self->tag != 0 || noting_thread_begin(self) ? self : NULL;
}

static void on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame,
    ompt_data_t *parallel, unsigned requested, int flags, const void *codeptr)
{
	struct noting_thread *self = self_if_on();
	struct team_epoch *team = calloc(1, sizeof *team);

	(void)encountering;
	(void)frame;
	(void)requested;
	(void)flags;
	parallel->ptr = team;
	if (self == NULL || team == NULL)
		return;
	team->is_within = self->team != NULL && (self->team->is_within || self->team->size > 1);
	team->region = codeptr;
	store_relaxed(&team->barrier, team->is_within ? self->epoch : epoch_of(team));
}

static void on_parallel_end(
    ompt_data_t *parallel, ompt_data_t *encountering, int flags, const void *codeptr)
{
	struct noting_thread *self = self_if_on();
	struct team_epoch *team = parallel->ptr;

	(void)encountering;
	(void)flags;
	(void)codeptr;
	parallel->ptr = NULL;
	if (self != NULL && self->team == NULL) {
		noting_begin_outer_epoch();
		noting_thread_enter(self, noting_outer_epoch());
	} else if (self != NULL && team != NULL && !team->is_within) {
		noting_thread_enter(self, epoch_of(self->team));
	}
	free(team);
}

static void begin_member(struct noting_thread *self, struct team_epoch *team, ompt_data_t *task,
    unsigned size, int32_t number)
{
	struct member_epoch *member = calloc(1, sizeof *member);

	task->ptr = member;
	if (member == NULL)
		return;
	*member =
	    (struct member_epoch){team, 0, self->team, self->epoch, self->member, self->is_serial};
	self->team = team;
	self->region = (uintptr_t)team->region;
	self->is_serial &= size == 1;
	noting_thread_set_member(self, number);
	noting_thread_enter(self, (uint32_t)load_relaxed(&team->barrier));
}

static void end_member(struct noting_thread *self, ompt_data_t *task)
{
	struct member_epoch *member = task->ptr;

	task->ptr = NULL;
	if (member == NULL)
		return;
	self->team = member->outer_team;
	noting_thread_set_member(self, member->outer_member);
	self->is_serial = member->outer_serial;
	self->region = self->team != NULL ? (uintptr_t)self->team->region : 0;
	noting_thread_enter(self, member->outer_epoch);
	free(member);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned size, unsigned index, int flags)
{
	struct noting_thread *self = self_if_on();

	if (self == NULL || (flags & ompt_task_initial) != 0)
		return;
	if (endpoint == ompt_scope_begin && parallel != NULL && parallel->ptr != NULL) {
		struct team_epoch *team = parallel->ptr;
		if (index == 0)
			team->size = size;
		/* Alone in a region within another one it is who it is there. */
		begin_member(self, team, task, size,
		    size == 1 && team->is_within ? self->member : (int32_t)index);
	} else if (endpoint == ompt_scope_end) {
		end_member(self, task);
	}
}

static bool is_barrier(ompt_sync_region_t kind)
{
	return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
	       kind != ompt_sync_region_reduction;
}

/*
 * The member that leaves a barrier. Relaxed: the barrier orders what members note before and after
 * it, and which of them takes the number makes no difference.
 */
static void pass_barrier(struct noting_thread *self, struct member_epoch *member)
{
	struct team_epoch *team = member->team;
	uint64_t barrier = load_relaxed(&team->barrier);

	if (team->is_within)
		return;
	member->passed++;
	while (barrier >> BARRIER_SHIFT < member->passed) {
		const uint64_t next = (uint64_t)member->passed << BARRIER_SHIFT | epoch_of(team);
		if (exchange_if_release(&team->barrier, &barrier, next))
			barrier = next;
	}
	noting_thread_enter(self, (uint32_t)barrier);
}

/*
 * The member's taskwait or taskgroup ends. Relaxed: what the other members do next is to execute
 * tasks that this one creates from now on, or to leave the barrier in which it has to arrive.
 */
static void pass_taskwait(struct noting_thread *self)
{
	struct team_epoch *team = self->team;
	uint64_t barrier = load_relaxed(&team->barrier);

	if (team->is_within || team->size < 2 || load_relaxed(&team->tasks) != 0 ||
	    load_relaxed(&team->waiting) != team->size - 1)
		return;
	const uint64_t passed = barrier >> BARRIER_SHIFT << BARRIER_SHIFT;
	if (exchange_if_release(&team->barrier, &barrier, passed | epoch_of(team)))
		noting_thread_enter(self, (uint32_t)load_relaxed(&team->barrier));
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct noting_thread *self = self_if_on();

	(void)codeptr;
	/* At a region's end workers learn of it when the region may be gone. */
	if (self == NULL || parallel == NULL || task == NULL || self->team == NULL ||
	    (endpoint == ompt_scope_end && kind == ompt_sync_region_barrier_implicit_parallel) ||
	    parallel->ptr != self->team || task->ptr == NULL || is_explicit(task))
		return;
	if (!is_barrier(kind)) {
		if (endpoint == ompt_scope_end && kind != ompt_sync_region_reduction)
			pass_taskwait(self);
	} else if (endpoint == ompt_scope_begin) {
		add_relaxed(&self->team->waiting, 1);
	} else {
		add_relaxed(&self->team->waiting, -1);
		pass_barrier(self, task->ptr);
	}
}

/* Of the thread, as in the states of lines. */
static uint64_t own_number(void)
{
	return noting_self.tag >> THREAD_SHIFT & LINE_SEVERAL;
}

static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr)
{
	(void)encountering;
	(void)frame;
	(void)has_dependences;
	if ((flags & ompt_task_explicit) == 0)
		return;
	if (noting_self.team != NULL)
		add_relaxed(&noting_self.team->tasks, 1);
	task->value = EXPLICIT_TASK | own_number() << CREATOR_SHIFT |
		      ((uintptr_t)codeptr & ((UINT64_C(1) << CREATOR_SHIFT) - 1));
}

static bool is_stolen(const ompt_data_t *task)
{
	return (task->value >> CREATOR_SHIFT & LINE_SEVERAL) != own_number();
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct noting_thread *self = self_if_on();

	if (self == NULL)
		return;
	if (status == ompt_task_complete && is_explicit(prior)) {
		if (self->team != NULL)
			add_relaxed(&self->team->tasks, -1);
		line_moves_count_task(
		    self, prior->value & ((UINT64_C(1) << CREATOR_SHIFT) - 1), is_stolen(prior));
	}
	self->is_in_task = is_explicit(next);
	self->is_stolen = self->is_in_task && is_stolen(next);
	if (self->is_in_task && self->team != NULL && !self->team->is_within &&
	    (uint32_t)load_relaxed(&self->team->barrier) != self->epoch)
		noting_thread_enter(self, (uint32_t)load_relaxed(&self->team->barrier));
}

/* gcc divides static loops without the runtime, which then has no event of them. */
static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, uint64_t count, const void *codeptr)
{
	struct noting_thread *self = self_if_on();

	(void)parallel;
	(void)task;
	(void)count;
	(void)codeptr;
	if (self != NULL)
		self->is_in_chunks =
		    endpoint == ompt_scope_begin &&
		    (type == ompt_work_loop_dynamic || type == ompt_work_loop_guided);
}

/* A lock is a word that each of its threads writes. */
static void on_mutex(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr)
{
	if (kind == ompt_mutex_lock || kind == ompt_mutex_test_lock ||
	    kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock)
		note_access((uintptr_t)wait, SHARING_WORD_BYTES, true, (uintptr_t)codeptr);
}

static int begin_tool(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	if (set == NULL)
		return 0;
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
	set(ompt_callback_work, (ompt_callback_t)on_work);
	set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
	set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
	set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex);
	set(ompt_callback_mutex_released, (ompt_callback_t)on_mutex);
	return 1;
}

static void end_tool(ompt_data_t *data)
{
	(void)data;
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
    unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {begin_tool, end_tool, {0}};

	(void)version;
	(void)runtime;
	return load_relaxed(&noting_is_on) ? &result : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams and their threads: making, starting and ending them. rt_parallel_begin() decides what a
 * region starts with (how many threads, which ICVs).
 *
 * A worker belongs to one member of one team for its whole life. Between regions it waits until the
 * word team->region changes. It first spins, then sleeps on team->event, where one system call
 * wakes all; in a large team it watches its group's copy of the word, and sleeps there (struct
 * rt_groups). A worker that a region does not need sleeps alone (`parked`), so that a program that
 * alternates between few and many threads wakes only those that it needs.
 *
 * Who sees what:
 *   region    sequential store by the forking thread after it has written the team's fields, pairs
 *             with the workers' acquire; sequential because the look for sleepers and for `parked`
 *             follows it
 *   parked    sequential store by the worker, which then looks at `region` again: either it sees
 *             the new region, or the forking thread sees that it is parked
 *   join      see rt_team_join(): the forking thread sees all that the members wrote in the region
 */
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "affinity-format.h"
#include "affinity.h"
#include "breakpoints.h"
#include "debug-stores.h"
#include "home.h"
#include "loops.h"
#include "message.h"
#include "process.h"
#include "race.h"
#include "reduction.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "shared/race-log.h"
#include "slab.h"
#include "tasks.h"
#include "team-events.h"
#include "team-groups.h"
#include "teams.h"
#include "thread-record.h"
#include "threadprivate.h"
#include "tsan.h"
#include "wait-note.h"
#include "work-events.h"

static uint64_t next_region(uint64_t region, uint32_t size)
{
	return (uint64_t)size << 32 | (uint32_t)(region + 1);
}

/* True if `region` has changed and needs member `number`: it takes part, or has to end. */
static bool is_needed(uint64_t region, const struct rt_member *member)
{
	return region != member->seen &&
	       (member->number < REGION_SIZE(region) || REGION_SIZE(region) == 0);
}

/* The line of the member's group; NULL: the team is not divided, or the member is in no group. */
static const struct rt_region_begin *group_line(const struct rt_member *member)
{
	const struct rt_group *group =
	    rt_group_of(load_acquire(&member->team->groups), member->number);

	return likely(group == NULL) ? NULL : &group->begin;
}

/*
 * Does the group's line have a region that the member has not seen? It may be one behind a member
 * that saw the region first in the team's word. Relaxed: worker_wait() reads the word again, with
 * acquire; and before a member sleeps, it looks at the team's word, too, which was set sequentially
 * before the word of any group.
 */
static bool is_news(const struct rt_region_begin *line, const struct rt_member *member)
{
	return (int32_t)((uint32_t)load_relaxed(&line->region) - (uint32_t)member->seen) > 0;
}

static bool region_changed(const void *subject)
{
	struct rt_member *member = (struct rt_member *)(uintptr_t)subject;
	const struct rt_region_begin *line = group_line(member);

	if (unlikely(line != NULL)) {
		if (is_news(line, member))
			return true;
		if (!rt_member_looks_at_team(member))
			return false;
	}
	return load_sequential(&member->team->region) != member->seen;
}

/* The line with the region that ended the wait: the group's or the team's. */
static const struct rt_region_begin *changed_line(const struct rt_member *member)
{
	const struct rt_region_begin *line = group_line(member);

	return unlikely(line != NULL) && is_news(line, member) &&
		       is_needed(load_relaxed(&line->region), member)
		   ? line
		   : &member->team->begin;
}

/* Passes the region on to the next group, as soon as a member of a group knows of it. */
static void pass_region_on(
    const struct rt_member *member, const struct rt_region_begin *line, uint64_t region)
{
	const struct rt_groups *groups = load_relaxed(&member->team->groups);
	const struct rt_group_member *own;

	if (likely(groups == NULL))
		return;
	own = &groups->members[member->number];
	rt_group_wake_rest(own->group);
	if (own->next != NULL)
		rt_group_begin(own->next, line, region);
}

/* Sleeps until a region needs the member. */
static void park(struct rt_member *member)
{
	store_sequential(&member->parked, 1);
	DEBUG_LOG(wait, "team %p: thread %u is not needed and sleeps alone", (void *)member->team,
	    member->number);
	while (!is_needed(load_sequential(&member->team->region), member) &&
	       load_relaxed(&member->parked) == 1)
		rt_futex_wait(&member->parked, 1);
	store_relaxed(&member->parked, 0);
}

/*
 * A new worker waits for its first region while its maker starts the others, each of which takes
 * longer to start than a wait spins. So all but the last few sleep until the region is published:
 * otherwise they take the processor from the thread that they wait for. The protocol is that of
 * every wait at an event, with the team's own word, even if the new region divides the team: that
 * region wakes all that sleep at the team's event. The sleep may end early; the caller then
 * continues to wait.
 */
static void sleep_while_others_start(struct rt_member *member)
{
	struct rt_event *event = &member->team->event;
	uint32_t ticket = rt_event_announce(event);

	if (load_sequential(&member->team->region) != member->seen)
		rt_event_withdraw(event);
	else
		rt_event_sleep(event, ticket);
}

/*
 * Waits for the next region that this worker is part of. Until all members have come to the end of
 * the last region, the worker helps them with their tasks; if it is late and gets a task of a newer
 * region, it returns that to the members of the newer region. Returns the line that tells what to
 * begin with.
 */
static const struct rt_region_begin *worker_wait(struct rt_thread *self, struct rt_member *member)
{
	struct rt_team *team = member->team;
	const struct rt_region_begin *line;
	struct rt_waiting outer;
	uint64_t region;

	rt_waiting_begin(self, &outer, RT_WAITING_IDLE, team, 0, 0);
	if (unlikely(member->starts_asleep)) {
		member->starts_asleep = false;
		sleep_while_others_start(member);
	}
	rt_task_help_until(self, region_changed, member, NULL);
	for (;;) {
		line = changed_line(member);
		region = load_acquire(&line->region);
		if (is_needed(region, member))
			break;
		park(member);
	}
	if (REGION_SIZE(region) != 0)
		pass_region_on(member, line, region);
	rt_waiting_end(self, &outer); /* before `seen` changes: to a debugger, an idle thread that
					 has seen the region has left it */
	member->seen = region;
	return line;
}

/* Executes a region in a worker, from its begin to its end. */
static void execute_region(void *argument)
{
	const struct rt_region_begin *begin = argument;
	struct rt_thread *self = rt_current;
	struct rt_team *team = self->member->team;

	rt_tsan_acquire(&team->region);
	rt_team_enter(self, self->member, begin);
	rt_race_pause(self);
	if (rt_watched(RT_BY_TOOL)) {
		rt_tool_call_region(self, begin->fn, begin->data);
		rt_team_join_with_tool(self);
	} else {
		begin->fn(begin->data);
		rt_team_join(self);
	}
	if (rt_watched(RT_BY_RACE))
		rt_race_leave_region();
}

/* Race detection: each team of a league counts as different threads. */
static bool is_team_strand(const struct rt_team *team)
{
	return rt_watched(RT_BY_RACE) && team->teams_count > 1;
}

/*
 * The process ends: emits the worker's end for the tool, after those of its own workers. The worker
 * continues.
 */
static RT_COLD void emit_ends(struct rt_thread *self, struct rt_member *member)
{
	rt_team_emit_ends_below(self, member);
	rt_emit_thread_end(&self->tool.data);
	store_sequential(&member->joined, member->seen);
	rt_team_notify(member->team);
}

static void *worker_main(void *argument)
{
	struct rt_member *member = argument;
	struct rt_thread *self = member->thread;
	struct rt_team *team = member->team;

	rt_thread_set_current(self);
	self->team = team;
	self->member = member;
	self->number = member->number;
	self->task = self->tied = &member->implicit;
	rt_debug_note_frame(&self->frame);
	rt_debug_thread_begin(self);
	rt_emit_thread_begin(ompt_thread_worker, &self->tool.data);
	rt_race_thread_begin(self);
	add_relaxed(&rt_process.awake_workers, self->is_counted);
	for (;;) {
		const struct rt_region_begin *begin = worker_wait(self, member);

		if (REGION_SIZE(member->seen) == 0) {
			if (!team->emits_ends)
				break;
			emit_ends(self, member);
			continue;
		}
		if (unlikely(is_team_strand(team)))
			rt_strand_call(
			    self, execute_region, (void *)(uintptr_t)begin, RACE_STRAND_TEAM);
		else
			execute_region((void *)(uintptr_t)begin);
	}
	sub_relaxed(&rt_process.awake_workers, self->is_counted);
	rt_team_free_contexts(self);
	rt_team_free(member->inner);
	rt_team_free(member->serialized);
	rt_threadprivate_end(self);
	rt_emit_thread_end(&self->tool.data);
	rt_race_thread_end(self);
	rt_debug_thread_end(self);
	return NULL;
}

/* What few programs request. */
static __attribute__((noinline)) void enter_watched(struct rt_thread *self, struct rt_team *team)
{
	if (rt_watched(RT_BY_RACE) && team->size > 1)
		rt_race_enter_region(self);
	if (team->shows_affinity)
		rt_affinity_display(self, NULL);
	if (rt_watched(RT_BY_DEBUGGER) && self->number == 0) {
		team->is_shown = 1;
		self->task = team->parent_task; /* OpenMP 5.2, 20.6.1: the encountering task */
		ompd_bp_parallel_begin();
		self->task = &self->member->implicit;
	}
	if (rt_watched(RT_BY_TOOL))
		rt_tool_begin_implicit_task(self);
}

void rt_team_enter(
    struct rt_thread *self, struct rt_member *member, const struct rt_region_begin *begin)
{
	CHECK(self == rt_current, "the calling thread enters");
	CHECK(member->number < member->team->size, "the region has the member");

	struct rt_team *team = member->team;

	rt_task_init_implicit(
	    &member->implicit, team, begin->parent_task, team->task_depth, begin->icvs);
	self->team = team;
	self->member = member;
	self->number = member->number;
	self->task = self->tied = &member->implicit;
	self->teams_count = team->teams_count;
	self->teams_number = team->teams_number;
	member->single_turn = member->single_seen = begin->single_base;
	member->loop.serial = begin->serial;
	member->loop.share = NULL;
	member->implicit.group = NULL;
	rt_deque_begin(&member->deque);
	if (unlikely(begin->is_bound))
		rt_affinity_enter(self, member);
	if (rt_watched(RT_AT_REGIONS))
		enter_watched(self, team);
	if (unlikely(begin->has_loop)) {
		rt_loop_enter_team(self);
		if (rt_watched(RT_BY_TOOL))
			rt_work_begin_team(self);
	}
	if (unlikely(begin->has_reductions))
		rt_reduction_enter_team(self);
}

static _Atomic uint32_t shortage_reported;

void rt_report_thread_shortage(int error, uint32_t wanted)
{
	if (exchange_relaxed(&shortage_reported, 1) == 0)
		rt_message("cannot start thread %u of a team: %s; regions use fewer threads",
		    wanted, strerror(error));
}

/* A new worker sleeps if more threads than these are still to be started. */
enum { STARTS_WORTH_SPINNING = 2 };

/* missing: how many more threads the team needs. */
static bool start_worker(struct rt_team *team, struct rt_member *member, uint32_t missing)
{
	struct rt_thread *thread = rt_thread_new();
	pthread_attr_t attributes;
	size_t stack_bytes;
	int error;

	if (thread == NULL)
		return false;
	thread->is_worker = true;
	thread->number = member->number;
	thread->is_counted = member->number < RT_GROUP_SIZE;
	member->thread = thread;
	member->seen = load_relaxed(&team->region);
	member->starts_asleep = missing > STARTS_WORTH_SPINNING;
	pthread_attr_init(&attributes);
	stack_bytes = load_relaxed(&rt_process.stack_bytes);
	if (stack_bytes != 0)
		pthread_attr_setstacksize(&attributes, stack_bytes > (size_t)PTHREAD_STACK_MIN
							   ? stack_bytes
							   : (size_t)PTHREAD_STACK_MIN);
	error = pthread_create(&thread->handle, &attributes, worker_main, member);
	pthread_attr_destroy(&attributes);
	DEBUG_LOG(thread, "team %p: thread %u %s", (void *)team, member->number,
	    error == 0 ? "starts" : "cannot be started");
	if (error == 0)
		return true;
	member->thread = NULL;
	rt_slab_free(thread->slab);
	free(thread);
	rt_report_thread_shortage(error, member->number + 1);
	return false;
}

static struct rt_member *new_member(struct rt_team *team, uint32_t number)
{
	bool has_pages = rt_process.initial.bind != RT_BIND_FALSE && rt_home_matters();
	struct rt_member *member = rt_home_new(sizeof(*member), has_pages, RT_NODE_ANY);

	if (member == NULL)
		return NULL;
	member->has_pages = has_pages;
	member->team = team;
	member->number = number;
	/* For debuggers that stop the process before the member's first region begins. */
	member->implicit.flags = RT_TASK_IMPLICIT;
	member->implicit.team = team;
	return member;
}

/* Makes room for `size` members. Thieves may still read the old roster, so it stays allocated. */
static bool grow_roster(struct rt_team *team, uint32_t size)
{
	struct rt_roster *old = load_relaxed(&team->roster), *roster;
	uint32_t have = old != NULL ? old->capacity : 0, capacity = have != 0 ? have : 1;

	if (size <= have)
		return true;
	while (capacity < size)
		capacity *= 2;
	roster = calloc(1, sizeof(*roster) + capacity * sizeof(roster->members[0]));
	if (roster == NULL)
		return false;
	roster->previous = old;
	roster->capacity = capacity;
	if (old != NULL)
		memcpy(roster->members, old->members, have * sizeof(old->members[0]));
	store_release(&team->roster, roster);
	return true;
}

static struct rt_team *new_team(void)
{
	struct rt_team *team = aligned_alloc(PROCESSOR_APART, sizeof(*team));

	if (team == NULL)
		return NULL;
	memset(team, 0, sizeof(*team));
	team->size = team->last_size = 1;
	rt_workshare_clear_all(team, 0);
	if (!grow_roster(team, 1) ||
	    (load_relaxed(&team->roster)->members[0] = new_member(team, 0)) == NULL ||
	    !rt_barrier_resize(&team->barrier, 1) || !rt_barrier_resize(&team->join, 1)) {
		rt_team_free(team);
		return NULL;
	}
	team->started = 1;
	return team;
}

struct rt_team *rt_team_new_initial(struct rt_thread *self)
{
	CHECK(self->team == NULL ? rt_current == NULL : self == rt_current,
	    "the team is for the calling thread");

	struct rt_team *team = self->contexts;
	struct rt_member *member;

	if (team != NULL)
		self->contexts = team->next_context;
	else
		team = new_team();
	if (team == NULL)
		return NULL;
	member = rt_team_member(team, 0);
	member->thread = self;
	team->width = 1;
	team->icvs = &rt_process.initial;
	rt_task_init_implicit(&member->implicit, team, NULL, 0, &rt_process.initial);
	return team;
}

/*
 * Keeps the team, with its hot teams, for the thread's next region of this kind. The team must not
 * be freed before the thread ends, since thieves may be reading the implicit task as an ancestor of
 * a task that is gone; see rt_task_may_run().
 */
void rt_team_keep_context(struct rt_thread *self, struct rt_team *team)
{
	CHECK(team->parent == NULL, "the team is an initial one");
	store_relaxed(&team->cancelled, 0);
	team->next_context = self->contexts;
	self->contexts = team;
}

void rt_team_free_contexts(struct rt_thread *self)
{
	while (self->contexts != NULL) {
		struct rt_team *team = self->contexts;
		self->contexts = team->next_context;
		rt_team_free(team);
	}
}

struct rt_team *rt_team_prepare_serialized(struct rt_thread *self)
{
	if (unlikely(self->member->serialized == NULL))
		self->member->serialized = new_team();
	return self->member->serialized;
}

/* Resizes both or none: without memory both are reset to one thread, which always fits. */
static bool resize_barriers(struct rt_team *team, uint32_t size)
{
	if (rt_barrier_resize(&team->barrier, size) && rt_barrier_resize(&team->join, size))
		return true;
	rt_barrier_resize(&team->barrier, 1);
	rt_barrier_resize(&team->join, 1);
	return false;
}

struct rt_team *rt_team_prepare(struct rt_thread *self, uint32_t *size)
{
	CHECK(self == rt_current, "the calling thread forks");
	CHECK(*size > 1, "the region has workers");

	struct rt_team *team = self->member->inner;

	if (unlikely(team == NULL)) {
		team = self->member->inner = new_team();
		if (team == NULL)
			return NULL;
	}
	if (unlikely(*size > team->started)) {
		struct rt_roster *roster;
		if (!grow_roster(team, *size))
			*size = team->started;
		roster = load_relaxed(&team->roster);
		while (team->started < *size) {
			struct rt_member **member = &roster->members[team->started];
			if (*member == NULL)
				*member = new_member(team, team->started);
			if (*member == NULL ||
			    !start_worker(team, *member, *size - team->started - 1))
				break;
			team->started++;
		}
		if (*size > team->started)
			*size = team->started;
	}
	if (unlikely(*size != team->barrier.size) && !resize_barriers(team, *size))
		return NULL;
	return team;
}

/*
 * Begins the region in the first groups, and in the group to which the forking thread passes values
 * on, as every member does.
 */
static void begin_in_groups(struct rt_team *team, uint64_t region)
{
	rt_groups_begin(load_relaxed(&team->groups), &team->begin, region);
	pass_region_on(rt_team_member(team, 0), &team->begin, region);
}

/* The team may have been part of another league. All its members have joined. */
static RT_COLD void forget_last_region(struct rt_team *team)
{
	rt_tsan_forget(&team->region);
	rt_tsan_forget(&team->join);
	rt_tsan_forget(&team->barrier);
	rt_tsan_forget((char *)&team->barrier + 1);
}

/*
 * In a divided team sleepers are woken with their groups. If the division has just changed, workers
 * still sleep where the previous one put them.
 */
void rt_team_publish(struct rt_team *team)
{
	CHECK(team->size > 1 && team->size <= team->started, "each member has a thread");

	uint32_t first = team->last_size;
	uint64_t region = next_region(load_relaxed(&team->region), team->size);
	bool in_groups = false;

	if (unlikely(rt_team_may_be_divided(team)))
		in_groups = !rt_team_divide(team) && load_relaxed(&team->groups) != NULL;
	if (rt_watched(RT_BY_RACE)) {
		forget_last_region(team);
		rt_race_fork(team, (const void *)(uintptr_t)team->fn);
	}
	rt_tsan_release(&team->region);
	store_sequential(&team->region, region);
	if (unlikely(load_relaxed(&team->groups) != NULL))
		begin_in_groups(team, region);
	if (likely(!in_groups))
		rt_team_notify(team);
	for (uint32_t i = first; i < team->size; i++) {
		struct rt_member *member = rt_team_member(team, i);
		if (load_sequential(&member->parked) != 0) {
			store_relaxed(&member->parked, 0);
			rt_futex_wake(&member->parked, 1);
		}
	}
	team->last_size = team->size;
}

/* Informs the workers of a team without an active region that there will be no further one. */
static void publish_end(struct rt_team *team, bool emits_ends)
{
	team->emits_ends = emits_ends;
	store_relaxed(&team->groups, NULL); /* threads that are awake look at the team's own word */
	store_sequential(&team->region, next_region(load_relaxed(&team->region), 0));
	rt_team_notify(team);
	for (uint32_t i = 1; i < team->started; i++) {
		struct rt_member *member = rt_team_member(team, i);
		store_sequential(&member->parked, 0);
		rt_futex_wake(&member->parked, 1);
	}
}

/* Ends the workers of a team in which no region is active. */
static void end_workers(struct rt_team *team)
{
	if (team->started > 1)
		DEBUG_LOG(thread, "team %p: %u threads end", (void *)team, team->started - 1);
	publish_end(team, false);
	for (uint32_t i = 1; i < team->started; i++)
		pthread_join(rt_team_member(team, i)->thread->handle, NULL);
}

/*
 * Who sees what: `joined` is stored and read sequentially, as wherever a member that sleeps at the
 * team's event waits for it; what the calling thread does next comes after all that the tool did in
 * its callback.
 */
static void wait_for_ends(struct rt_team *team)
{
	uint64_t region = load_relaxed(&team->region);

	for (uint32_t i = 1; i < team->started; i++) {
		struct rt_member *member = rt_team_member(team, i);
		struct rt_spin spin = rt_spin_begin(load_relaxed(&team->shortage));
		while (load_sequential(&member->joined) != region) {
			if (rt_spin_again(&spin))
				continue;
			uint32_t ticket = rt_event_announce(&team->event);
			if (load_sequential(&member->joined) == region)
				rt_event_withdraw(&team->event);
			else
				rt_event_sleep(&team->event, ticket);
		}
	}
}

static void emit_ends_of_team(struct rt_team *team)
{
	struct rt_member *first;

	if (team == NULL)
		return;
	if (team->started > 1) {
		publish_end(team, true);
		wait_for_ends(team);
	}
	first = rt_team_member(team, 0);
	emit_ends_of_team(first->inner);
	emit_ends_of_team(first->serialized);
}

void rt_team_emit_ends_below(struct rt_thread *self, struct rt_member *member)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	for (struct rt_team *team = self->contexts; team != NULL; team = team->next_context)
		emit_ends_of_team(team);
	emit_ends_of_team(member->inner);
	emit_ends_of_team(member->serialized);
}

void rt_team_free(struct rt_team *team)
{
	struct rt_roster *roster;

	if (team == NULL)
		return;
	end_workers(team);
	while (rt_team_has_visitors())
		sched_yield();
	team->size = 0;                    /* so that a debugger that kept its address notices */
	__asm__ volatile("" ::: "memory"); /* keeps the store although the memory is freed next */
	roster = load_relaxed(&team->roster);
	for (uint32_t i = 0; roster != NULL && i < roster->capacity; i++) {
		struct rt_member *member = roster->members[i];
		if (member == NULL)
			continue;
		if (i == 0) {
			rt_team_free(member->inner);
			rt_team_free(member->serialized);
		} else if (member->thread != NULL) {
			rt_slab_free(member->thread->slab);
			free(member->thread);
		}
		rt_task_finish(&member->implicit);
		free(member->loop.extents);
		free(member->loop.iteration_posts.extents);
		rt_home_free(member, sizeof(*member), member->has_pages);
	}
	while (roster != NULL) {
		struct rt_roster *previous = roster->previous;
		free(roster);
		roster = previous;
	}
	rt_workshare_clear_all(team, 0);
	rt_groups_free(load_relaxed(&team->divisions));
	rt_barrier_finish(&team->barrier);
	rt_barrier_finish(&team->join);
	rt_ready_finish(&team->ready);
	rt_ready_finish(&team->passed_over);
	free(team->inner_threads);
	free(team);
}

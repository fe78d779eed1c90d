/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting while there may be tasks to execute: taskwait, taskgroup, taskyield, and the loop that
 * barriers and the region's end use too.
 *
 * All such waits of a team sleep on the team's one event. It is notified when a task becomes ready,
 * when a waiter's condition becomes true, and when a region begins. Each of these is a sequential
 * store or read-modify-write followed by a look at the number of sleepers, and a sleeper counts
 * itself before its last look at its condition and at all queues.
 */
#include "depend.h"
#include "message.h"
#include "race.h"
#include "shared/debug-log.h"
#include "slab.h"
#include "tasks.h"
#include "team.h"
#include "tsan.h"
#include "wait-note.h"
#include "watch.h"

enum {
	LOOK_FOR_TASKS = 8, /* turns of a wait between two looks at the queues */
	LOOKS_AT_ENDS = 64, /* the last of this many failed looks searches whole queues */
	LONGEST_BACKOFF =
	    10, /* binary logarithm of the most turns between two looks at the queues */
	TINY_TASK_CYCLES = 2000,
};

/* One look at the queues. */
struct search {
	const struct rt_task *below; /* the task found may be executed above this; NULL: any may */
	bool all;     /* the thread sleeps, or goes on, if it finds nothing: skips no task */
	bool late;    /* see is_of_other_region(): stop searching */
	bool refused; /* with `all`: there are tasks, but the thread may execute none of them */
};

static uint32_t next_random(struct rt_thread *self)
{
	uint32_t x = self->random;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return self->random = x;
}

/*
 * A worker between two regions may be so late that the task which it finds belongs to the next
 * region, of which it may not be a member: then it returns the task to that region's queue.
 * Relaxed: finding the task has ordered the worker after the begin of that region.
 */
static bool is_of_other_region(struct rt_thread *self)
{
	return self->number != 0 && load_relaxed(&self->team->region) != self->member->seen;
}

/*
 * The task at the end of a deque may be one that the thread may not execute, while a later one may
 * be. The tasks before that one are moved to the team's queue of passed-over tasks, which
 * threads search that find nothing else. They are announced again there, because a thread may have
 * searched both places in between.
 */
static __attribute__((noinline)) struct rt_task *dig(
    struct rt_thread *self, struct rt_deque *deque, struct search *search)
{
	enum rt_deque_content content;

	while ((content = rt_deque_look(deque, search->below)) == RT_DEQUE_USABLE) {
		struct rt_task *task = rt_deque_steal(deque, NULL);
		if (task == NULL)
			continue; /* another thread took one */
		if (rt_task_may_run(task, search->below))
			return task;
		DEBUG_LOG(steal, "thread %u passes over task %p", self->number, (void *)task);
		rt_ready_push(&self->team->passed_over, task);
		rt_team_offer_task(self->team);
	}
	search->refused |= content == RT_DEQUE_REFUSED;
	return NULL;
}

/* Steals from one other member; NULL: it has no task that may run now. */
static inline __attribute__((always_inline)) struct rt_task *steal_from(
    struct rt_thread *self, struct rt_member *member, struct search *search)
{
	struct rt_task *task;

	if (member == self->member || member == NULL)
		return NULL;
	task = rt_deque_steal(&member->deque, search->below);
	if (task == NULL && search->all)
		task = dig(self, &member->deque, search);
	if (task == NULL) {
		rt_deque_note_failed_steal(&member->deque);
		return NULL;
	}
	if (unlikely(is_of_other_region(self))) {
		rt_ready_push(&self->team->ready, task);
		rt_team_notify(self->team);
		search->late = true;
		return NULL;
	}
	DEBUG_LOG(steal, "thread %u steals task %p of thread %u", self->number, (void *)task,
	    member->number);
	return task;
}

/*
 * For members of a divided team: looks first in the own group, then in the own socket, then in the
 * whole team. Outside of the group a search looks at only some members, and at others the next
 * time, unless the thread is about to sleep: a look at each of a thousand deques takes longer than
 * most tasks. Each search begins at a random position of each range, so that no member is left out
 * for long.
 */
static __attribute__((noinline)) struct rt_task *steal_near_first(struct rt_thread *self,
    const struct rt_groups *groups, const struct rt_roster *roster, uint32_t published,
    struct search *search)
{
	enum { FAR_LOOKS = 16 };
	const struct rt_group_member *own = &groups->members[self->number];
	uint32_t firsts[] = {own->group_first, own->socket_first, 0};
	uint32_t sizes[] = {own->group_size, own->socket_size, groups->key.size};

	for (int range = 0; range < 3; range++) {
		uint32_t size = sizes[range], looks = size;
		uint32_t victim = next_random(self) % size;
		if (range > 0 && size == sizes[range - 1])
			continue;
		if (range > 0 && !search->all && looks > FAR_LOOKS)
			looks = FAR_LOOKS;
		for (; looks > 0 && !search->late;
		     looks--, victim = victim + 1 < size ? victim + 1 : 0) {
			uint32_t number = groups->order[firsts[range] + victim];
			struct rt_task *task =
			    number < published ? steal_from(self, roster->members[number], search)
					       : NULL;
			if (task != NULL)
				return task;
		}
	}
	return NULL;
}

static struct rt_task *steal(struct rt_thread *self, struct search *search)
{
	struct rt_team *team = self->team;
	const struct rt_groups *groups = load_acquire(&team->groups);
	struct rt_roster *roster;
	uint32_t size = rt_team_published(team, &roster), victim;

	if (size < 2)
		return NULL;
	if (unlikely(groups != NULL) && self->number < groups->key.size)
		return steal_near_first(self, groups, roster, size, search);
	victim = next_random(self) % size;
	for (uint32_t i = 0; i < size && !search->late;
	     i++, victim = victim + 1 < size ? victim + 1 : 0) {
		struct rt_task *task = steal_from(self, roster->members[victim], search);
		if (task != NULL)
			return task;
	}
	return NULL;
}

static __attribute__((noinline)) struct rt_task *take_from_shared(
    struct rt_thread *self, struct rt_ready_queue *queue, struct search *search)
{
	struct rt_task *task = rt_ready_take(queue, search->below);

	if (task == NULL) {
		search->refused |= load_relaxed(&queue->length) != 0;
		return NULL;
	}
	if (likely(!is_of_other_region(self)))
		return task;
	rt_ready_push(queue, task);
	rt_team_notify(self->team);
	search->late = true;
	return NULL;
}

/* Most programs have no task there. Sequential, like the load in rt_ready_take(). */
static inline struct rt_task *take_shared(
    struct rt_thread *self, struct rt_ready_queue *queue, struct search *search)
{
	if (likely(load_sequential(&queue->length) == 0))
		return NULL;
	return take_from_shared(self, queue, search);
}

/* In a region without tasks one shared word shows that, and no thread looks at another's deque. */
static struct rt_task *find(struct rt_thread *self, struct search *search)
{
	struct rt_team *team = self->team;
	struct rt_task *task;

	if (likely(load_sequential(&team->has_tasks) == 0))
		return NULL;
	task = take_shared(self, &team->ready, search);
	if (task != NULL || search->late)
		return task;
	task = rt_deque_take(&self->member->deque, search->below);
	if (task == NULL && search->all)
		task = dig(self, &self->member->deque, search);
	if (task == NULL)
		task = steal(self, search);
	if (task == NULL && !search->late)
		task = take_shared(self, &team->passed_over, search);
	return task;
}

bool rt_task_run_one(struct rt_thread *self, const struct rt_task *below)
{
	struct search search = {.below = below, .all = true};
	struct rt_task *task = find(self, &search);

	if (task == NULL)
		return false;
	rt_task_execute(self, task);
	return true;
}

/*
 * When to look at the queues again. A thief that finds tiny tasks and then nothing is faster than
 * the thread that generates them. If it stole each task at once, both would spend their time on
 * transfers of cache lines. So it waits until there are several: each tiny stolen task doubles the
 * time to the next look after one that found nothing.
 */
struct backoff {
	uint64_t next;     /* the turn of the wait at which to look */
	uint32_t exponent; /* tiny tasks in a row, at most LONGEST_BACKOFF */
	uint32_t failed;   /* looks that found nothing */
};

/* Executes a task of the calling thread's own deque that no other thread stole. */
static void execute_own(struct rt_thread *self, struct rt_task *task)
{
	struct rt_deque *deque = &self->member->deque;
	uint64_t begun;

	if (!rt_deque_can_lower_limit(deque)) {
		rt_task_execute(self, task);
		return;
	}
	begun = rt_cycles();
	rt_task_execute(self, task);
	if (rt_cycles() - begun < TINY_TASK_CYCLES && rt_deque_can_lower_limit(deque))
		rt_deque_lower_limit(deque);
}

static void execute_found(struct rt_thread *self, struct rt_task *task, struct backoff *backoff)
{
	uint64_t begun;

	backoff->next = 0;
	if (task->slab == self->slab) {
		execute_own(self, task);
		return;
	}
	begun = rt_cycles();
	rt_task_execute(self, task);
	if (rt_cycles() - begun > TINY_TASK_CYCLES)
		backoff->exponent = 0;
	else if (backoff->exponent < LONGEST_BACKOFF)
		backoff->exponent++;
}

static struct rt_task *look(struct rt_thread *self, const struct rt_task *below,
    const struct rt_spin *spin, struct backoff *backoff)
{
	uint64_t pause = UINT64_C(1) << backoff->exponent;
	/* A thread that never sleeps (OMP_WAIT_POLICY=active) has to find hidden tasks, too. */
	struct search search = {
	    .below = below, .all = backoff->failed % LOOKS_AT_ENDS == LOOKS_AT_ENDS - 1};
	struct rt_task *task;

	if (spin->turns < backoff->next && spin->turns < spin->limit)
		return NULL;
	task = find(self, &search);
	if (task != NULL)
		return task;
	backoff->failed++;
	backoff->next = spin->turns + (pause > LOOK_FOR_TASKS ? pause : LOOK_FOR_TASKS);
	return NULL;
}

/*
 * The thread is about to sleep and may execute none of the queued tasks. It may be the thread that
 * was woken for one of them, while others that sleep may be allowed to execute it. So it wakes all,
 * at most once for each time that one member was woken for a task.
 *
 * Who sees what:
 *   offered    written after the task was queued and before one thread is woken: the woken thread
 *              sees it, by rt_event_announce()
 *   passed_on  a thread that finds it changed meanwhile does nothing more. The thread that changed
 *              it wakes all after this thread has seen the task, so those that wake see the task as
 *              well
 */
static void pass_wake_up_on(struct rt_team *team)
{
	uint32_t offered = load_sequential(&team->offered),
		 seen = load_sequential(&team->passed_on);

	if (seen != offered && cas_sequential(&team->passed_on, &seen, offered))
		rt_team_wake(team);
}

/*
 * Sleeps until the next event of the team (in a divided team, of its group), unless a task has come
 * or the wait is over.
 */
static struct rt_task *find_or_sleep(
    struct rt_thread *self, rt_done_fn *done, const void *subject, const struct rt_task *below)
{
	struct rt_event *event = &self->team->event;
	struct rt_group *group = rt_group_of(load_acquire(&self->team->groups), self->number);
	uint32_t ticket =
	    group != NULL ? rt_group_announce(group, &event->sleepers) : rt_event_announce(event);
	struct search search = {.below = below, .all = true};
	struct rt_task *task = NULL;
	bool sleeps;

	self->member->announced = true;
	sleeps = !done(subject) && (task = find(self, &search)) == NULL;
	self->member->announced = false;
	if (sleeps && unlikely(search.refused))
		pass_wake_up_on(self->team);
	if (sleeps)
		DEBUG_LOG(steal, "thread %u finds no task", self->number);
	if (unlikely(group != NULL)) {
		if (sleeps)
			rt_group_sleep(group, &event->sleepers, ticket);
		else
			rt_group_withdraw(group, &event->sleepers);
	} else if (sleeps) {
		rt_event_sleep(event, ticket);
	} else {
		rt_event_withdraw(event);
	}
	return task;
}

void rt_task_help_until(
    struct rt_thread *self, rt_done_fn *done, const void *subject, const struct rt_task *below)
{
	struct rt_spin spin = rt_spin_begin(load_relaxed(&self->team->shortage));
	struct backoff backoff = {0};
	struct rt_task *tied = self->tied;

	self->tied = (struct rt_task *)(uintptr_t)below;
	if (load_relaxed(&self->task->created) != 0)
		rt_race_share(self); /* lets others execute tasks that the task generated */
	while (!done(subject)) {
		struct rt_task *task = look(self, below, &spin, &backoff);

		if (task == NULL && rt_spin_again(&spin))
			continue;
		if (task == NULL)
			task = find_or_sleep(self, done, subject, below);
		if (task != NULL) {
			execute_found(self, task, &backoff);
			spin = rt_spin_begin(load_relaxed(&self->team->shortage));
		}
	}
	self->tied = tied;
}

static bool children_completed(const void *subject)
{
	const struct rt_task *task = subject;
	return (uint32_t)load_sequential(&task->joins) == load_relaxed(&task->created);
}

static bool children_released(const void *subject)
{
	const struct rt_task *task = subject;
	return (uint32_t)(load_sequential(&task->joins) >> 32) == load_relaxed(&task->created);
}

/* All children are released, so no other thread uses the counters, and no dependences remain. */
static void reset_children(struct rt_task *task)
{
	store_relaxed(&task->created, 0);
	store_relaxed(&task->joins, 0);
	if (unlikely(task->table != NULL)) {
		rt_depend_table_free(task->table);
		task->table = NULL;
	}
}

void rt_task_drain(struct rt_thread *self, const struct rt_task *below)
{
	struct rt_task *task = self->task;

	if (!rt_task_children_released(task)) {
		struct rt_waiting outer;
		rt_waiting_begin(self, &outer, RT_WAITING_BARRIER, task->team, 0, 0);
		store_sequential(&task->waiting, RT_WAIT_RELEASED);
		rt_task_help_until(self, children_released, task, below);
		rt_waiting_end(self, &outer);
		store_relaxed(&task->waiting, RT_WAIT_NONE);
	}
	rt_task_acquire_descendants(task);
	reset_children(task);
}

/* Most children that a task waits for are in its own thread's deque: they need no search. */
static void execute_own_children(struct rt_thread *self)
{
	struct rt_task *child;

	while (!rt_task_children_completed(self->task) &&
	       load_relaxed(&self->team->ready.length) == 0) {
		child = rt_deque_take(&self->member->deque, self->task);
		if (child == NULL)
			return;
		execute_own(self, child);
	}
}

void rt_task_wait(struct rt_thread *self)
{
	struct rt_task *task = self->task;

	if (load_relaxed(&task->created) == 0)
		return;
	execute_own_children(self);
	if (!rt_task_children_completed(task)) {
		struct rt_waiting outer;
		rt_waiting_begin(self, &outer, RT_WAITING_TASKWAIT, task, 0, 0);
		store_sequential(&task->waiting, RT_WAIT_COMPLETED);
		rt_task_help_until(self, children_completed, task, task);
		rt_waiting_end(self, &outer);
		store_relaxed(&task->waiting, RT_WAIT_NONE);
	}
	rt_tsan_acquire(task);
	if (rt_task_children_released(task))
		reset_children(task);
}

void rt_task_wait_depend(struct rt_thread *self, void **depend, ompt_data_t *word)
{
	if (!rt_task_children_completed(self->task) || rt_watched(RT_BY_RACE))
		rt_depend_wait(self, depend, word);
	else
		rt_tsan_acquire(self->task);
}

void rt_task_yield(struct rt_thread *self)
{
	rt_race_share(self);
	rt_task_run_one(self, self->tied);
}

static bool group_is_done(const void *subject)
{
	const struct rt_taskgroup *group = subject;
	return load_sequential(&group->pending) == 0;
}

/* Blocks of the slab are large enough; a group never outlives the task that opened it. */
void rt_taskgroup_begin(struct rt_thread *self)
{
	struct rt_taskgroup *group = rt_slab_take_bytes(self->slab);

	_Static_assert(sizeof(*group) <= RT_SLAB_ARGUMENT_BYTES, "a group fits a block");
	if (group == NULL)
		rt_fatal("no memory for a taskgroup; the program ends here");
	*group = (struct rt_taskgroup){.outer = self->task->group, .owner = self->task};
	self->task->group = group;
}

void rt_taskgroup_end(struct rt_thread *self)
{
	struct rt_task *task = self->task;
	struct rt_taskgroup *group = task->group;

	if (unlikely(group == NULL))
		return;
	if (!group_is_done(group)) {
		struct rt_waiting outer;
		rt_waiting_begin(self, &outer, RT_WAITING_TASKGROUP, group, 0, 0);
		rt_task_help_until(self, group_is_done, group, task);
		rt_waiting_end(self, &outer);
	}
	rt_tsan_acquire(group);
	if (rt_watched(RT_BY_RACE)) {
		void *hidden = rt_race_hide(self);
		rt_tsan_forget(group); /* a later group at this address is another one */
		rt_race_show(hidden);
	}
	task->group = group->outer;
	rt_slab_give_bytes(self->slab, group);
	if (load_relaxed(&task->created) != 0 && rt_task_children_released(task))
		reset_children(task);
}

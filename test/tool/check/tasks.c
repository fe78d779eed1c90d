/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit tasks: created, scheduled, finished or discarded, and what they depend on.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define FOUND_AT_MOST 4096 /* siblings that are examined */

static const unsigned known_flags = ompt_task_explicit | ompt_task_target | ompt_task_taskwait |
				    ompt_task_undeferred | ompt_task_untied | ompt_task_final |
				    ompt_task_mergeable | ompt_task_merged;

static void check_task_flags(int flags)
{
	int kind = flags & 0x1f;

	if ((kind != ompt_task_explicit && kind != ompt_task_target &&
		kind != (ompt_task_explicit | ompt_task_target) && kind != ompt_task_taskwait) ||
	    ((unsigned)flags & ~known_flags))
		violation(RULE_task_flags, "flags are %#x", (unsigned)flags);
}

static void add_child(struct task *parent, struct task *task)
{
	struct taskgroup *group = parent->inner_group ? parent->inner_group : parent->group;

	task->parent = parent;
	task_keep(parent);
	task->parallel = parent->parallel;
	if (task->parallel)
		parallel_keep(task->parallel);
	if (!(task->flags & (ompt_task_explicit | ompt_task_target))) {
		parent->waits_for_some = true;
		return;
	}
	add(&parent->live_children, 1);
	if (task->parallel)
		add(&task->parallel->live_tasks, 1);
	task->group = group;
	if (group) {
		add(&group->references, 1);
		add(&group->live, 1);
	}
	if ((task->flags & ompt_task_undeferred) && !task->merged) {
		parent->undeferred = task;
		task_keep(task);
	}
}

static void task_create(ompt_data_t *parent_data, const ompt_frame_t *frame, ompt_data_t *task_data,
    int flags, int has_dependences, const void *code)
{
	struct thread *me = enter(EVENT_task_create);
	struct task *parent = me ? named_task(me, parent_data) : NULL;
	struct task *task = parent ? task_new(task_data, flags) : NULL;

	if (!task)
		return;
	check_task_flags(flags);
	task->expects_dependences = has_dependences != 0;
	task->merged = ((unsigned)flags & ompt_task_merged) != 0;
	add_child(parent, task);
	check_code(code, true);
	check_frames(frame, true);
	ask(me);
	if (task->merged)
		task_finish(task);
}
const ompt_callback_task_create_t on_task_create = task_create;

static bool is_all_memory(int type)
{
	return type == ompt_dependence_type_out_all_memory ||
	       type == ompt_dependence_type_inout_all_memory;
}

/* Must the second of two dependences of siblings wait for the first? */
enum order { INDEPENDENT, AFTER, NOT_AT_ONCE };
static enum order order_of(const ompt_dependence_t *first, const ompt_dependence_t *second)
{
	int a = first->dependence_type, b = second->dependence_type;

	if (!is_all_memory(a) && !is_all_memory(b) && first->variable.ptr != second->variable.ptr)
		return INDEPENDENT;
	if (a != b)
		return AFTER;
	if (a == ompt_dependence_type_mutexinoutset)
		return NOT_AT_ONCE;
	return a == ompt_dependence_type_in || a == ompt_dependence_type_inoutset ? INDEPENDENT
										  : AFTER;
}

static enum order order_of_tasks(const struct task *first, const struct task *second)
{
	enum order strongest = INDEPENDENT;

	for (int i = 0; i < first->dependence_count; i++)
		for (int j = 0; j < second->dependence_count; j++) {
			enum order order =
			    order_of(&first->dependences[i], &second->dependences[j]);

			if (order == AFTER)
				return AFTER;
			if (order == NOT_AT_ONCE)
				strongest = NOT_AT_ONCE;
		}
	return strongest;
}

/* The task is about to run: the earlier siblings on which it depends must have finished. */
static void check_order(const struct task *task)
{
	struct task *parent = task->parent, *other;
	bool passed = false;
	int looked = 0;

	if (!parent || !task->dependence_count)
		return;
	pthread_mutex_lock(&parent->siblings_lock);
	for (other = parent->siblings; other && looked++ < FOUND_AT_MOST; other = other->sibling) {
		int state = load(&other->state);
		enum order order = INDEPENDENT;

		if (other == task)
			passed = true;
		else if (state != TASK_FINISHED)
			order = order_of_tasks(other, task);
		if ((order == AFTER && passed) || (order == NOT_AT_ONCE && state != TASK_CREATED))
			violation(RULE_dependence_order,
			    "task %p begins and sibling %p, on which it depends, %s",
			    (void *)task->home, (void *)other->home,
			    state == TASK_CREATED ? "has not begun" : "runs");
	}
	pthread_mutex_unlock(&parent->siblings_lock);
}

/* Also removes finished tasks among the newest siblings. */
static void add_sibling(struct task *parent, struct task *task)
{
	int looked = 0;

	task_keep(task);
	pthread_mutex_lock(&parent->siblings_lock);
	for (struct task **link = &parent->siblings; *link && looked++ < 64;) {
		struct task *other = *link;

		if (load(&other->state) == TASK_FINISHED) {
			*link = other->sibling;
			task_drop(other);
		} else {
			link = &other->sibling;
		}
	}
	task->sibling = parent->siblings;
	parent->siblings = task;
	pthread_mutex_unlock(&parent->siblings_lock);
}

void siblings_drop(struct task *parent)
{
	struct task *next;

	pthread_mutex_lock(&parent->siblings_lock);
	next = parent->siblings;
	parent->siblings = NULL;
	pthread_mutex_unlock(&parent->siblings_lock);
	while (next) {
		struct task *task = next;

		next = task->sibling;
		task_drop(task);
	}
}

static void check_dependences(const ompt_dependence_t *list, int count, bool of_loop)
{
	if (count < 0 || (count && !list))
		violation(RULE_dependences_list, "%d dependences at %p", count, (const void *)list);
	for (int i = 0; list && i < count; i++) {
		int type = list[i].dependence_type;
		bool is_vector =
		    type == ompt_dependence_type_source || type == ompt_dependence_type_sink;
		bool known =
		    is_vector || is_all_memory(type) ||
		    (type >= ompt_dependence_type_in && type <= ompt_dependence_type_inoutset);

		if (!known || is_vector != of_loop)
			violation(RULE_dependences_list, "dependence %d has type %d", i, type);
		else if (!is_vector && !is_all_memory(type) && !list[i].variable.ptr)
			violation(RULE_dependences_list, "dependence %d has no address", i);
	}
}

static void dependences(ompt_data_t *task_data, const ompt_dependence_t *list, int count)
{
	struct thread *me = enter(EVENT_dependences);
	struct task *task = me ? find_task(task_data) : NULL;
	bool of_loop = task && (task->flags & (ompt_task_implicit | ompt_task_initial));

	if (!task)
		return;
	check_dependences(list, count, of_loop);
	if (of_loop) {
		named_task(me, task_data);
		return;
	}
	if (!task->expects_dependences || task->dependences || load(&task->state) != TASK_CREATED ||
	    task->parent != me->current) {
		violation(RULE_dependences_once, "task %p: %s", (void *)task_data,
		    task->dependences ? "again" : "not expected");
		return;
	}
	task->expects_dependences = false;
	task->dependences = calloc((size_t)(count > 0 ? count : 1), sizeof *list);
	if (!task->dependences)
		abort();
	if (list && count > 0)
		memcpy(task->dependences, list, (size_t)count * sizeof *list);
	task->dependence_count = list && count > 0 ? count : 0;
	add_sibling(task->parent, task);
}
const ompt_callback_dependences_t on_dependences = dependences;

static void task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	struct thread *me = enter(EVENT_task_dependence);
	struct task *first = me ? find_task(source) : NULL;
	struct task *second = first ? find_task(sink) : NULL;

	if (second && (first == second || load(&second->state) != TASK_CREATED))
		violation(RULE_dependence_pair, "task %p depends on %p%s", (void *)sink,
		    (void *)source, first == second ? "" : ", and has begun");
}
const ompt_callback_task_dependence_t on_task_dependence = task_dependence;

/* Starts a task that has not run before; the thread suspends `below` for it. */
static void start(struct thread *me, struct task *task, struct task *below)
{
	if (task->expects_dependences)
		violation(RULE_dependences_once, "task %p begins without its dependences",
		    (void *)task->home);
	check_order(task);
	task->tied_to = me->number;
	task->below = below;
	if (!((unsigned)task->flags & (ompt_task_untied | ompt_task_undeferred)) && below &&
	    !((unsigned)below->flags & ompt_task_untied) && !scope_has_barrier(below) &&
	    !is_descendant(task, below))
		violation(RULE_task_descendant, "task %p is not one of %p", (void *)task->home,
		    (void *)below->home);
}

static void resume(struct thread *me, struct task *task, struct task *below)
{
	bool untied = ((unsigned)task->flags & ompt_task_untied) != 0;

	if (!untied && task->tied_to != me->number)
		violation(RULE_task_tied, "task %p is tied to thread %u", (void *)task->home,
		    task->tied_to);
	if (task->tied_to != me->number) {
		task->tied_to = me->number;
		task->below = below;
	}
}

/* Switches to the next task; `below` stays suspended under it. */
static void go_to(struct thread *me, ompt_data_t *next_data, struct task *below)
{
	struct task *next = find_task(next_data);
	int state = next ? load(&next->state) : TASK_FINISHED;

	if (!next)
		return;
	if (state == TASK_RUNNING || (next->flags & ompt_task_taskwait))
		violation(RULE_task_next, "task %p %s", (void *)next_data,
		    state == TASK_RUNNING ? "runs already" : "is that of a taskwait");
	else if (state == TASK_CREATED)
		start(me, next, below);
	else
		resume(me, next, below);
	store(&next->state, TASK_RUNNING);
	me->current = next;
}

/* Early and late fulfillment, and the end of a taskwait's task: no next task is named. */
static void happens_elsewhere(ompt_data_t *data, ompt_task_status_t status, ompt_data_t *next)
{
	struct task *task = find_task(data);
	unsigned bits;

	if (!task)
		return;
	if (next)
		violation(RULE_task_status, "status %d goes to task %p, expected (nil)",
		    (int)status, (void *)next);
	if (status == ompt_taskwait_complete) {
		if (!(task->flags & ompt_task_taskwait))
			violation(
			    RULE_task_status, "task %p is not that of a taskwait", (void *)data);
		check_order(task);
		task_finish(task);
		return;
	}
	bits = status == ompt_task_early_fulfill ? FULFILLED_EARLY : FULFILLED_LATE;
	bits = __atomic_fetch_or(&task->fulfilled, bits, __ATOMIC_ACQ_REL);
	if (bits & (FULFILLED_EARLY | FULFILLED_LATE))
		violation(RULE_task_status, "task %p is fulfilled twice", (void *)data);
	if (status == ompt_task_early_fulfill && (bits & BLOCK_ENDED))
		violation(RULE_task_status, "task %p has ended before its early fulfillment",
		    (void *)data);
	if (status == ompt_task_late_fulfill && (bits & BLOCK_ENDED))
		task_finish(task);
}

/* The thread leaves the task; returns the task that stays suspended below the next one. */
static struct task *leave(struct task *task, ompt_task_status_t status)
{
	struct task *below = task->below;
	bool ends = status == ompt_task_complete || status == ompt_task_cancel;

	if (!ends && status != ompt_task_detach) {
		store(&task->state, TASK_SUSPENDED);
		return task;
	}
	if (!(task->flags & (ompt_task_explicit | ompt_task_target)))
		violation(RULE_task_status, "task %p ends with status %d and is not explicit",
		    (void *)task->home, (int)status);
	else if (ends)
		task_finish(task);
	else if (__atomic_fetch_or(&task->fulfilled, BLOCK_ENDED, __ATOMIC_ACQ_REL) &
		 FULFILLED_LATE)
		task_finish(task);
	else
		store(&task->state, TASK_SUSPENDED);
	return below;
}

/* The task has not begun: the thread continues with its current task. */
static void end_discarded(struct thread *me, struct task *task, ompt_data_t *next)
{
	if (find_task(next) != me->current)
		violation(RULE_task_discarded,
		    "task %p ends and the thread goes to %p, expected %p", (void *)task->home,
		    (void *)next, me->current ? (void *)me->current->home : NULL);
	task_finish(task);
}

static void task_schedule(
    ompt_data_t *prior_data, ompt_task_status_t status, ompt_data_t *next_data)
{
	struct thread *me = enter(EVENT_task_schedule);
	struct task *prior, *below;

	if (!me)
		return;
	if (status < ompt_task_complete || status > ompt_taskwait_complete) {
		violation(RULE_task_status, "status %d, expected 1 to 8", (int)status);
		return;
	}
	if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill ||
	    status == ompt_taskwait_complete) {
		happens_elsewhere(prior_data, status, next_data);
		return;
	}
	prior = find_task(prior_data);
	if (prior && load(&prior->discarded) && status == ompt_task_cancel) {
		end_discarded(me, prior, next_data);
		return;
	}
	if (prior && prior != me->current)
		violation(RULE_task_prior, "leaves task %p, expected %p", (void *)prior_data,
		    me->current ? (void *)me->current->home : NULL);
	if (!next_data) {
		violation(RULE_task_status, "status %d goes to no task", (int)status);
		return;
	}
	below = prior ? leave(prior, status) : me->current;
	go_to(me, next_data, below);
}
const ompt_callback_task_schedule_t on_task_schedule = task_schedule;

static void cancel(ompt_data_t *task_data, int flags, const void *code)
{
	struct thread *me = enter(EVENT_cancel);
	int what = flags & (ompt_cancel_parallel | ompt_cancel_sections | ompt_cancel_loop |
			       ompt_cancel_taskgroup);
	int how =
	    flags & (ompt_cancel_activated | ompt_cancel_detected | ompt_cancel_discarded_task);
	struct task *task;

	if (!me)
		return;
	if ((what & (what - 1)) || (how & (how - 1)) || !how ||
	    (!what && how != ompt_cancel_discarded_task) || (flags & ~(what | how)))
		violation(RULE_cancel_flags, "flags are %#x", (unsigned)flags);
	if (how == ompt_cancel_discarded_task) {
		task = find_task(task_data);
		if (task && load(&task->state) != TASK_CREATED)
			violation(RULE_task_discarded, "task %p has begun", (void *)task_data);
		else if (task && (task->flags & ompt_task_taskwait))
			task_finish(task);
		else if (task)
			store(&task->discarded, true);
		return;
	}
	task = named_task(me, task_data);
	if (task && task->parallel)
		store(&task->parallel->cancelled, true);
	check_code(code, false);
}
const ompt_callback_cancel_t on_cancel = cancel;

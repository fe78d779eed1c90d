/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mutual exclusion: each mutex_acquire has its mutex_acquired, each mutex_acquired has its
 * mutex_released in the same task, and no two tasks own a mutex at the same time. The release is
 * reported after it has happened, so the next owner may be reported first. The release must then be
 * the next event of the previous owner's thread.
 */
#include "check.h"

#include <stdlib.h>

#define SHARDS 256

/* A mutex; the shard's lock guards it. */
struct mutex {
	struct mutex *next;
	ompt_wait_id_t wait_id;
	struct thread *owner;
	bool initialised; /* locks */
};

static struct shard {
	pthread_mutex_t lock;
	struct mutex *first;
} shards[SHARDS] = {[0 ... SHARDS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static struct shard *shard_of(ompt_wait_id_t wait_id)
{
	return &shards[(wait_id >> 3) % SHARDS];
}

/* The caller holds the shard's lock. */
static struct mutex *find_mutex(struct shard *shard, ompt_wait_id_t wait_id)
{
	struct mutex *mutex = shard->first;

	while (mutex && mutex->wait_id != wait_id)
		mutex = mutex->next;
	if (mutex)
		return mutex;
	mutex = calloc(1, sizeof *mutex);
	if (!mutex)
		abort();
	mutex->wait_id = wait_id;
	mutex->next = shard->first;
	shard->first = mutex;
	return mutex;
}

/* Testing a lock acquires the same kind of lock as setting it. */
static int class_of(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_test_lock:
		return ompt_mutex_lock;
	case ompt_mutex_test_nest_lock:
		return ompt_mutex_nest_lock;
	default:
		return kind;
	}
}

static bool is_lock(ompt_mutex_t kind)
{
	return class_of(kind) == ompt_mutex_lock || class_of(kind) == ompt_mutex_nest_lock;
}

static bool is_test(ompt_mutex_t kind)
{
	return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

/* Checks what all events of a mutex have in common; returns the event's task. */
static struct task *check_mutex(
    struct thread *me, ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code, bool begins)
{
	if (!me)
		return NULL;
	if (kind < ompt_mutex_lock || kind > ompt_mutex_ordered)
		violation(RULE_mutex_kind, "kind %d", (int)kind);
	if (!wait_id)
		violation(RULE_mutex_wait_id, "the wait id of kind %d is 0", (int)kind);
	check_code(code, begins);
	if (!me->current)
		violation(RULE_current_task, "the thread executes no task");
	return me->current;
}

static struct mutex_hold *find_hold(struct task *task, ompt_wait_id_t wait_id)
{
	for (size_t i = task->held; i-- > 0;)
		if (task->holds[i].wait_id == wait_id)
			return &task->holds[i];
	return NULL;
}

static void mutex_acquire(
    ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id, const void *code)
{
	struct thread *me = enter(EVENT_mutex_acquire);
	struct task *task = check_mutex(me, kind, wait_id, code, true);
	struct shard *shard = shard_of(wait_id);
	bool initialised;

	(void)hint;
	if (!task)
		return;
	if (!mutex_impl_is_known(impl))
		violation(RULE_mutex_impl, "implementation %u of kind %d", impl, (int)kind);
	if (task->acquiring && !is_test(task->acquiring_kind))
		violation(RULE_mutex_order, "mutex %#llx, while %#llx is not acquired yet",
		    (unsigned long long)wait_id, (unsigned long long)task->acquiring);
	task->acquiring = wait_id;
	task->acquiring_kind = kind;
	if (is_lock(kind)) {
		pthread_mutex_lock(&shard->lock);
		initialised = find_mutex(shard, wait_id)->initialised;
		pthread_mutex_unlock(&shard->lock);
		if (!initialised)
			violation(RULE_lock_life, "lock %#llx is not initialised",
			    (unsigned long long)wait_id);
	}
	ask(me);
}
const ompt_callback_mutex_acquire_t on_mutex_acquire = mutex_acquire;

/* The mutex belonged to another thread, which must be about to report its release. */
static void take_over(struct thread *me, struct mutex *mutex)
{
	if (mutex->owner == me) {
		violation(RULE_mutex_exclusive, "mutex %#llx is owned by this thread already",
		    (unsigned long long)mutex->wait_id);
	} else if (mutex->owner) {
		store(&mutex->owner->owned, mutex->wait_id);
		store(&mutex->owner->overlapped, 1);
	}
	mutex->owner = me;
}

static void add_hold(struct task *task, ompt_mutex_t kind, ompt_wait_id_t wait_id)
{
	if (task->held == task->holds_room) {
		size_t room = task->holds_room ? 2 * task->holds_room : 4;
		struct mutex_hold *holds = realloc(task->holds, room * sizeof *holds);

		if (!holds)
			abort();
		task->holds = holds;
		task->holds_room = room;
	}
	task->holds[task->held++] = (struct mutex_hold){wait_id, kind, 0};
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code)
{
	struct thread *me = enter(EVENT_mutex_acquired);
	struct task *task = check_mutex(me, kind, wait_id, code, false);
	struct shard *shard = shard_of(wait_id);

	if (!task)
		return;
	if (task->acquiring != wait_id)
		violation(RULE_mutex_order, "mutex %#llx is acquired, expected %#llx",
		    (unsigned long long)wait_id, (unsigned long long)task->acquiring);
	else if (class_of(task->acquiring_kind) != class_of(kind))
		violation(RULE_mutex_kind, "mutex %#llx has kind %d, and %d before",
		    (unsigned long long)wait_id, (int)kind, (int)task->acquiring_kind);
	task->acquiring = 0;
	pthread_mutex_lock(&shard->lock);
	take_over(me, find_mutex(shard, wait_id));
	pthread_mutex_unlock(&shard->lock);
	add_hold(task, kind, wait_id);
	ask(me);
}
const ompt_callback_mutex_t on_mutex_acquired = mutex_acquired;

static void mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code)
{
	struct thread *me = enter(EVENT_mutex_released);
	struct task *task = check_mutex(me, kind, wait_id, code, false);
	struct mutex_hold *hold = task ? find_hold(task, wait_id) : NULL;
	struct shard *shard = shard_of(wait_id);
	struct mutex *mutex;

	if (!task)
		return;
	if (!hold) {
		violation(RULE_mutex_owner, "mutex %#llx is not owned by task %p",
		    (unsigned long long)wait_id, (void *)task->home);
		return;
	}
	if (class_of(hold->kind) != class_of(kind))
		violation(RULE_mutex_kind, "mutex %#llx has kind %d, and %d before",
		    (unsigned long long)wait_id, (int)kind, (int)hold->kind);
	if (hold->nested)
		violation(RULE_nest_lock_scope, "lock %#llx is released and held %d times more",
		    (unsigned long long)wait_id, hold->nested);
	*hold = task->holds[--task->held];
	pthread_mutex_lock(&shard->lock);
	mutex = find_mutex(shard, wait_id);
	if (mutex->owner == me)
		mutex->owner = NULL;
	else if (load(&me->overlapped) && load(&me->owned) == wait_id)
		store(&me->overlapped, 0);
	pthread_mutex_unlock(&shard->lock);
	ask(me);
}
const ompt_callback_mutex_t on_mutex_released = mutex_released;

static void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *code)
{
	struct thread *me = enter(EVENT_nest_lock);
	struct task *task = check_mutex(me, ompt_mutex_nest_lock, wait_id, code, false);
	struct mutex_hold *hold = task ? find_hold(task, wait_id) : NULL;

	if (!task)
		return;
	if (endpoint != ompt_scope_begin && endpoint != ompt_scope_end)
		violation(RULE_scope_endpoint, "endpoint %d, expected 1 or 2", (int)endpoint);
	if (!hold) {
		violation(RULE_nest_lock_scope, "lock %#llx is not owned by task %p",
		    (unsigned long long)wait_id, (void *)task->home);
	} else if (endpoint == ompt_scope_begin) {
		if (task->acquiring != wait_id)
			violation(RULE_mutex_order, "lock %#llx is acquired, expected %#llx",
			    (unsigned long long)wait_id, (unsigned long long)task->acquiring);
		task->acquiring = 0;
		hold->nested++;
	} else if (--hold->nested < 0) {
		violation(RULE_nest_lock_scope, "lock %#llx is held once only",
		    (unsigned long long)wait_id);
		hold->nested = 0;
	}
	ask(me);
}
const ompt_callback_nest_lock_t on_nest_lock = nest_lock;

/* Sets whether a lock may be acquired; returns the previous value. */
static bool set_initialised(ompt_wait_id_t wait_id, bool initialised)
{
	struct shard *shard = shard_of(wait_id);
	struct mutex *mutex;
	bool before;

	pthread_mutex_lock(&shard->lock);
	mutex = find_mutex(shard, wait_id);
	before = mutex->initialised;
	mutex->initialised = initialised;
	mutex->owner = NULL;
	pthread_mutex_unlock(&shard->lock);
	return before;
}

static void lock_init(
    ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id, const void *code)
{
	struct thread *me = enter(EVENT_lock_init);
	struct task *task = check_mutex(me, kind, wait_id, code, true);

	(void)hint;
	if (!task)
		return;
	if (kind != ompt_mutex_lock && kind != ompt_mutex_nest_lock)
		violation(RULE_mutex_kind, "kind %d is initialised, expected 1 or 3", (int)kind);
	if (!mutex_impl_is_known(impl))
		violation(RULE_mutex_impl, "implementation %u of kind %d", impl, (int)kind);
	set_initialised(wait_id, true);
}
const ompt_callback_mutex_acquire_t on_lock_init = lock_init;

static void lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code)
{
	struct thread *me = enter(EVENT_lock_destroy);
	struct task *task = check_mutex(me, kind, wait_id, code, true);

	if (!task)
		return;
	if (kind != ompt_mutex_lock && kind != ompt_mutex_nest_lock)
		violation(RULE_mutex_kind, "kind %d is destroyed, expected 1 or 3", (int)kind);
	if (!set_initialised(wait_id, false))
		violation(
		    RULE_lock_life, "lock %#llx is not initialised", (unsigned long long)wait_id);
}
const ompt_callback_mutex_t on_lock_destroy = lock_destroy;

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of tasks and regions: they are created, found by the tool's data word, counted by those
 * that refer to them, and reused. A handle contains the kind in its highest byte, 24 bits of
 * generation, and the record's index; a reused record has another generation.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { KIND_TASK = 0xc1, KIND_PARALLEL = 0xc2 };

#define CHUNK  1024u
#define CHUNKS 65536u

/* Records of one kind. The lock guards the free records and the number of records. */
struct pool {
	unsigned kind;
	size_t size;
	pthread_mutex_t lock;
	void *free;
	uint32_t made;
	char *chunks[CHUNKS]; /* atomic; each chunk is first stored with release */
};

static struct pool tasks = {
    .kind = KIND_TASK, .size = sizeof(struct task), .lock = PTHREAD_MUTEX_INITIALIZER};
static struct pool parallels = {
    .kind = KIND_PARALLEL, .size = sizeof(struct parallel), .lock = PTHREAD_MUTEX_INITIALIZER};

static long unfinished; /* atomic: explicit tasks */

static uint64_t handle_of(unsigned kind, uint32_t generation, uint32_t index)
{
	return (uint64_t)kind << 56 | (uint64_t)(generation & 0xffffff) << 32 | index;
}

/* The address of the record with that index; NULL if it was never made. */
static void *record_at(struct pool *pool, uint32_t index)
{
	char *chunk = __atomic_load_n(&pool->chunks[index / CHUNK % CHUNKS], __ATOMIC_ACQUIRE);

	return chunk && index / CHUNK < CHUNKS ? chunk + (index % CHUNK) * pool->size : NULL;
}

/* Returns the index of a record that was never used. The caller holds the pool's lock. */
static uint32_t make(struct pool *pool)
{
	uint32_t index = pool->made++;

	if (index / CHUNK >= CHUNKS)
		abort();
	if (index % CHUNK == 0) {
		char *chunk = calloc(CHUNK, pool->size);

		if (!chunk)
			abort();
		__atomic_store_n(&pool->chunks[index / CHUNK], chunk, __ATOMIC_RELEASE);
	}
	return index;
}

/* Checks that the word may be given to a new object: the first event must find it empty. */
static void check_empty(const ompt_data_t *home, const char *what)
{
	if (home->value)
		violation(RULE_data_starts_empty, "%s data at %p is %#llx, expected 0", what,
		    (const void *)home, (unsigned long long)home->value);
}

struct task *task_new(ompt_data_t *home, int flags)
{
	struct task *task;
	uint64_t handle;

	if (!home) {
		violation(RULE_data_word, "a new task has no data word");
		return NULL;
	}
	check_empty(home, "a new task's");
	pthread_mutex_lock(&tasks.lock);
	task = tasks.free;
	if (task) {
		tasks.free = task->next_free;
		handle = handle_of(
		    KIND_TASK, (uint32_t)(task->handle >> 32) + 1, (uint32_t)task->handle);
	} else {
		uint32_t index = make(&tasks);

		task = record_at(&tasks, index);
		handle = handle_of(KIND_TASK, 1, index);
	}
	pthread_mutex_unlock(&tasks.lock);
	memset(task, 0, sizeof *task);
	store(&task->handle, handle);
	pthread_mutex_init(&task->siblings_lock, NULL);
	task->references = 1;
	task->flags = flags;
	task->home = home;
	home->value = handle;
	if (flags & (ompt_task_explicit | ompt_task_target))
		add(&unfinished, 1);
	return task;
}

struct parallel *parallel_new(ompt_data_t *home)
{
	struct parallel *parallel;
	uint64_t handle;

	if (!home) {
		violation(RULE_data_word, "a new region has no data word");
		return NULL;
	}
	check_empty(home, "a new region's");
	pthread_mutex_lock(&parallels.lock);
	parallel = parallels.free;
	if (parallel) {
		parallels.free = parallel->next_free;
		handle = handle_of(KIND_PARALLEL, (uint32_t)(parallel->handle >> 32) + 1,
		    (uint32_t)parallel->handle);
	} else {
		uint32_t index = make(&parallels);

		parallel = record_at(&parallels, index);
		handle = handle_of(KIND_PARALLEL, 1, index);
	}
	pthread_mutex_unlock(&parallels.lock);
	memset(parallel, 0, sizeof *parallel);
	store(&parallel->handle, handle);
	parallel->references = 1;
	parallel->home = home;
	home->value = handle;
	return parallel;
}

/* The record that a word names, or NULL after reporting a violation. */
static void *find(struct pool *pool, const ompt_data_t *data, const char *what)
{
	uint64_t value = data ? data->value : 0;
	void *record = NULL;

	if (!data) {
		violation(RULE_data_word, "the %s has no data word", what);
		return NULL;
	}
	if (value >> 56 == pool->kind)
		record = record_at(pool, (uint32_t)value);
	if (!record)
		violation(RULE_data_word, "%s data at %p is %#llx, which the tool did not store",
		    what, (const void *)data, (unsigned long long)value);
	return record;
}

struct task *find_task(ompt_data_t *data)
{
	struct task *task = find(&tasks, data, "task");

	if (!task)
		return NULL;
	if (load(&task->handle) != data->value || load(&task->state) == TASK_FINISHED) {
		violation(RULE_task_data_alive, "the task of data %#llx at %p has finished",
		    (unsigned long long)data->value, (void *)data);
		return NULL;
	}
	if (task->home != data)
		violation(RULE_data_moved, "task data was at %p and is now at %p",
		    (void *)task->home, (void *)data);
	return task;
}

struct parallel *find_parallel(ompt_data_t *data)
{
	struct parallel *parallel = find(&parallels, data, "region");

	if (!parallel)
		return NULL;
	if (load(&parallel->handle) != data->value || load(&parallel->over)) {
		violation(RULE_data_word, "the region of data %#llx at %p is over",
		    (unsigned long long)data->value, (void *)data);
		return NULL;
	}
	if (parallel->home != data)
		violation(RULE_data_moved, "a region's data was at %p and is now at %p",
		    (void *)parallel->home, (void *)data);
	return parallel;
}

/* The last decrement of a count must see what the others did before their decrements. */
static bool is_last(int *references)
{
	return __atomic_sub_fetch(references, 1, __ATOMIC_ACQ_REL) == 0;
}

void task_keep(struct task *task)
{
	add(&task->references, 1);
}

void task_drop(struct task *task)
{
	while (task && is_last(&task->references)) {
		struct task *parent = task->parent;

		if (task->parallel)
			parallel_drop(task->parallel);
		taskgroup_drop(task->group);
		free(task->scopes);
		free(task->holds);
		free(task->dependences);
		pthread_mutex_destroy(&task->siblings_lock);
		pthread_mutex_lock(&tasks.lock);
		task->next_free = tasks.free;
		tasks.free = task;
		pthread_mutex_unlock(&tasks.lock);
		task = parent;
	}
}

void parallel_keep(struct parallel *parallel)
{
	add(&parallel->references, 1);
}

void parallel_drop(struct parallel *parallel)
{
	if (!is_last(&parallel->references))
		return;
	free(parallel->indices);
	free(parallel->works);
	free(parallel->barriers);
	pthread_mutex_lock(&parallels.lock);
	parallel->next_free = parallels.free;
	parallels.free = parallel;
	pthread_mutex_unlock(&parallels.lock);
}

void taskgroup_drop(struct taskgroup *group)
{
	if (group && is_last(&group->references))
		free(group);
}

bool is_descendant(const struct task *task, const struct task *of)
{
	while (task && task != of)
		task = task->parent;
	return task == of;
}

void task_finish(struct task *task)
{
	struct task *parent = task->parent;

	if (task->flags & (ompt_task_explicit | ompt_task_target)) {
		add(&unfinished, -1);
		add(&parent->live_children, -1);
		if (task->parallel)
			add(&task->parallel->live_tasks, -1);
		if (task->group)
			add(&task->group->live, -1);
	}
	scopes_close(task);
	siblings_drop(task);
	if (task->undeferred)
		task_drop(task->undeferred);
	task->undeferred = NULL;
	store(&task->state, TASK_FINISHED);
	task_drop(task);
}

unsigned long tasks_unfinished(void)
{
	long now = load(&unfinished);

	return now > 0 ? (unsigned long)now : 0;
}

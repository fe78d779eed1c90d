/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the record of a lock. An open-addressing table that only grows finds lock variables by
 * address. Readers need no lock (with the shared hash map they would). A table that was replaced is
 * kept, because another thread may still be reading it; all old ones together are smaller than the
 * current one.
 *
 * Who sees what:
 *   table   release when a bigger one is ready, pairs with acquire in find(): complete entries are
 *           seen
 *   entry   release when a record is ready, pairs with acquire in find(): a complete record is seen
 */
#include "lock.h"

#include "experiment.h"
#include "process-state.h"
#include "shared/array.h"
#include "shared/precondition.h"
#include "shared/processor.h"
#include "shared/trace-log.h"

#include <stdlib.h>
#include <string.h>

/*
 * Programs with more locks have them in data structures; writing them one by one would take
 * seconds.
 */
enum { WRITTEN_AT_ONCE = 1000 };

struct pomp_locks pomp_locks;
const char pomp_lock_several[] = "several";

struct pomp_lock_table {
	struct pomp_lock_table *smaller; /* the one that this table replaced; kept, see above */
	size_t size;                     /* power of two */
	size_t used;
	_Atomic(struct pomp_lock *) entry[];
};

static size_t slot_of(const void *address, size_t size)
{
	return (size_t)(((uintptr_t)address >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
	       (size - 1);
}

static struct pomp_lock *find(const struct pomp_lock_table *table, const void *address)
{
	if (table == NULL)
		return NULL;
	for (size_t slot = slot_of(address, table->size);; slot = (slot + 1) & (table->size - 1)) {
		struct pomp_lock *lock = load_acquire(&table->entry[slot]);
		if (lock == NULL || lock->address == address)
			return lock;
	}
}

static void insert(struct pomp_lock_table *table, struct pomp_lock *lock)
{
	size_t slot = slot_of(lock->address, table->size);

	while (load_relaxed(&table->entry[slot]) != NULL)
		slot = (slot + 1) & (table->size - 1);
	store_release(&table->entry[slot], lock);
	table->used++;
}

/* Returns the table with room for one more entry; NULL when memory ran out. */
static struct pomp_lock_table *table_with_room(struct pomp_locks *locks)
{
	struct pomp_lock_table *old = load_relaxed(&locks->table);

	if (old != NULL && old->used < old->size / 2)
		return old;
	size_t size = old == NULL ? 256 : old->size * 2;
	struct pomp_lock_table *table = calloc(1, sizeof(*table) + size * sizeof(table->entry[0]));
	if (table == NULL) {
		pomp_out_of_memory("a lock");
		return NULL;
	}
	table->smaller = old;
	table->size = size;
	for (size_t i = 0; old != NULL && i < old->size; i++) {
		struct pomp_lock *lock = load_relaxed(&old->entry[i]);
		if (lock != NULL)
			insert(table, lock);
	}
	store_release(&locks->table, table);
	return table;
}

static struct pomp_lock *lock_new(struct pomp_locks *locks)
{
	bool has_room = ARRAY_ROOM(locks->entry, locks->count, locks->capacity, 1);
	struct pomp_lock *lock = has_room ? aligned_alloc(PROCESSOR_APART, 256) : NULL;
	if (lock == NULL) {
		pomp_out_of_memory("a lock");
		return NULL;
	}
	_Static_assert(sizeof(*lock) <= 256, "a lock's record has cache lines of its own");
	memset(lock, 0, sizeof(*lock));
	locks->entry[locks->count++] = lock;
	/*
	 * A log record has room for this many numbers; locks beyond have profiles, but no events.
	 */
	lock->number = locks->count <= TRACE_LOG_ARGUMENT_MAX ? (uint32_t)locks->count : 0;
	return lock;
}

struct pomp_lock *pomp_lock_of_address(const void *address)
{
	struct pomp_locks *locks = &pomp_locks;
	struct pomp_lock *lock = find(load_acquire(&locks->table), address);

	if (lock != NULL)
		return lock;
	const struct pomp_module *module = pomp_module_find(address);
	pomp_lock_process();
	struct pomp_lock_table *table = table_with_room(locks);
	lock = find(table, address);
	if (table != NULL && lock == NULL) {
		lock = lock_new(locks);
		if (lock != NULL) {
			lock->address = address;
			store_relaxed(&lock->module, module);
			insert(table, lock);
		}
	}
	pomp_unlock_process();
	return lock;
}

/* Returns whether the module is still the one at the address. */
static bool is_still_at(const struct pomp_module *module, const void *address)
{
	return module == NULL || module->stays || pomp_module_is_at(module, address);
}

static void write_place(const struct pomp_lock *lock)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	const struct pomp_module *module = load_relaxed(&lock->module);
	const struct pomp_module *init_module = load_relaxed(&lock->init_module);
	const void *init = load_relaxed(&lock->init);
	struct trace_log_lock_place head = {
	    .number = lock->number, .address = (uintptr_t)lock->address};
	const char *texts[] = {"", "", "", ""};

	if (load_relaxed(&pomp_experiment.path) == NULL || lock->number == 0)
		return;
	if (module != NULL) {
		head.offset = (uintptr_t)lock->address - module->bias;
		texts[0] = module->path;
		texts[1] = module->build_id;
	}
	if (init != NULL && init != pomp_lock_several && init_module != NULL) {
		head.init = (uintptr_t)init - init_module->bias;
		texts[2] = init_module->path;
		texts[3] = init_module->build_id;
	}
	if (lock->number <= WRITTEN_AT_ONCE)
		pomp_experiment_append(TRACE_LOG_LOCK_PLACE, &head, sizeof(head), texts, 4);
	else
		pomp_experiment_append_later(TRACE_LOG_LOCK_PLACE, &head, sizeof(head), texts, 4);
}

static void define_again(struct pomp_lock *lock)
{
	pomp_lock_process();
	store_relaxed(&lock->is_defined, true);
	write_place(lock);
	pomp_unlock_process();
}

/* Relaxed: two threads may both write the entry, and readers take the latest. */
void pomp_lock_define(struct pomp_lock *lock)
{
	if (pomp_process.settings.tracing && !load_relaxed(&lock->is_defined))
		define_again(lock);
}

void pomp_locks_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	for (size_t i = 0; i < pomp_locks.count; i++)
		if (load_relaxed(&pomp_locks.entry[i]->is_defined))
			write_place(pomp_locks.entry[i]);
}

/*
 * Each lock is initialized before it is used, so this notices memory that was reused for another
 * lock.
 */
void pomp_lock_initialized(struct pomp_lock *lock, const void *returned_to)
{
	const void *before = load_relaxed(&lock->init);
	bool has_changed = !is_still_at(load_relaxed(&lock->module), lock->address);

	if (has_changed)
		store_relaxed(&lock->module, NULL);
	if (before == NULL) {
		store_relaxed(&lock->init_module, pomp_module_find(returned_to));
		store_relaxed(&lock->init, returned_to);
		has_changed = true;
	} else if (before != pomp_lock_several &&
		   (before != returned_to ||
		       !is_still_at(load_relaxed(&lock->init_module), returned_to))) {
		store_relaxed(&lock->init, (const void *)pomp_lock_several);
		has_changed = true;
	}
	if (has_changed && load_relaxed(&lock->is_defined))
		define_again(lock);
}

struct pomp_lock *pomp_lock_of_unnamed(const void *address)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_locks *locks = &pomp_locks;

	for (size_t i = 0; i < locks->count; i++)
		if (locks->entry[i]->name != NULL && locks->entry[i]->address == address)
			return locks->entry[i];
	struct pomp_lock *lock = lock_new(locks);
	if (lock != NULL) {
		lock->address = address;
		lock->name = "";
		lock->file = "";
	}
	return lock;
}

struct pomp_lock *pomp_lock_of_critical(const char *name, const char *file, int line)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_locks *locks = &pomp_locks;

	/*
	 * Few programs have more than a handful of names, and this runs once per registered
	 * critical.
	 */
	for (size_t i = 0; i < locks->count; i++)
		if (locks->entry[i]->name != NULL && locks->entry[i]->address == NULL &&
		    strcmp(locks->entry[i]->name, name) == 0)
			return locks->entry[i];
	struct pomp_lock *lock = lock_new(locks);
	if (lock != NULL) {
		lock->name = name;
		lock->file = file;
		lock->line = line;
	}
	return lock;
}

void pomp_locks_reset(struct pomp_locks *locks)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	for (size_t i = 0; i < locks->count; i++) {
		struct pomp_lock *lock = locks->entry[i];
		store_relaxed(&lock->acquisitions, 0);
		store_relaxed(&lock->contended, 0);
		store_relaxed(&lock->wait, 0);
		store_relaxed(&lock->hold, 0);
		lock->holder = 0;
	}
}

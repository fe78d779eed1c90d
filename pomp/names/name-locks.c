/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the lock variables that were acquired, and writes the names that lock_titles_find() finds.
 */
#include "name-locks.h"

#include "experiment.h"
#include "guard.h"
#include "lock.h"
#include "names-search.h"
#include "process-state.h"

#include "shared/lock-titles.h"
#include "shared/precondition.h"
#include "shared/trace-log.h"

#include <stdlib.h>

/* Gigabytes of debug information must not keep the program from ending. */
#define SECONDS_MOST 10

/* What is to be named. */
struct search {
	struct pomp_lock **locks;
	struct lock_variable *variables; /* for these locks */
	size_t count;
};

static struct code_place place_in(const struct pomp_module *module, const void *address)
{
	if (module == NULL)
		return (struct code_place){0};
	return (struct code_place){.module = module->path,
	    .build_id = module->build_id,
	    .offset = (uintptr_t)address - module->bias,
	    .at = CODE_RETURN};
}

static struct lock_variable variable_of(const struct pomp_lock *lock, size_t order)
{
	const void *init = load_relaxed(&lock->init);
	struct lock_variable variable = {.number = order, .address = (uintptr_t)lock->address};

	variable.place = place_in(load_relaxed(&lock->module), lock->address);
	if (init != NULL && init != pomp_lock_several)
		variable.init = place_in(load_relaxed(&lock->init_module), init);
	return variable;
}

/* Lists the lock variables that were acquired; false when memory ran out. */
static bool list_locks(struct search *search)
{
	const struct pomp_locks *locks = &pomp_locks;

	search->locks = calloc(locks->count + 1, sizeof(*search->locks));
	search->variables = calloc(locks->count + 1, sizeof(*search->variables));
	if (search->locks == NULL || search->variables == NULL)
		return false;
	for (size_t i = 0; i < locks->count; i++) {
		struct pomp_lock *lock = locks->entry[i];
		if (lock->name != NULL || load_relaxed(&lock->acquisitions) == 0)
			continue;
		search->variables[search->count] = variable_of(lock, i);
		search->locks[search->count++] = lock;
	}
	return true;
}

static void define(const struct pomp_lock *lock)
{
	const struct trace_log_lock head = {.number = lock->number};
	const char *const texts[] = {lock->title};

	if (lock->title != NULL && lock->number != 0)
		pomp_experiment_append(TRACE_LOG_LOCK, &head, sizeof(head), texts, 1);
}

void pomp_locks_name(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct search search = {0};
	/* Without names, addresses must suffice. */
	struct pomp_names_search none = {0}, *names = &none;

	if (!list_locks(&search))
		pomp_out_of_memory("the locks' names");
	if (search.count > 0)
		names = pomp_names_search(SECONDS_MOST);
	lock_titles_find(search.variables, search.count, names->table, &names->namer, pomp_guarded);
	for (size_t i = 0; i < search.count; i++) {
		free(search.locks[i]->title);
		search.locks[i]->title = search.variables[i].title;
		if (load_relaxed(&pomp_experiment.path) != NULL)
			define(search.locks[i]);
	}
	free(search.variables);
	free(search.locks);
}

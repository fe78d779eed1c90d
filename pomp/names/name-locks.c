/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A variable in static storage is named by symbols and debug information of the file that has it.
 * What lies elsewhere is known by the call that initialized it. Two static variables may have one
 * name, and one call may initialize many locks: where names would be the same, variables get the
 * place of their initialization, too, and what is still the same gets numbers in the order in which
 * the locks were first seen.
 */
#include "name-locks.h"

#include "experiment.h"
#include "guard.h"
#include "lock.h"
#include "names-library.h"
#include "process-state.h"

#include "shared/summary-figures.h"
#include "shared/trace-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Debug information of gigabytes must not keep the program from ending. */
#define SECONDS_MOST 10

/* A lock that gets a name. */
struct item {
	struct pomp_lock *lock;
	size_t order; /* in which it was first seen */
	char *place;  /* where it was initialized, "FILE:LINE", heap or NULL */
};

/* Names being looked for. */
struct search {
	const struct code_names_table *table; /* NULL: addresses have to do */
	struct code_namer *namer;
	struct code_place asked;
	char *variable;        /* the answers */
	struct code_name name; /* of the code at `asked` */
	struct item *items;
	size_t count;
	/* One call may initialize many locks: what the latest question about code was. */
	const void *known_init;
	char *known_place;
};

static void begin(void *context)
{
	struct search *search = context;
	const struct code_names_settings settings = {.seconds = SECONDS_MOST};

	search->namer = search->table->begin(&settings);
}

static void end(void *context)
{
	struct search *search = context;

	search->table->end(search->namer);
}

static void find_variable(void *context)
{
	struct search *search = context;

	search->variable = search->table->find_variable(search->namer, &search->asked);
}

static void find_code(void *context)
{
	struct search *search = context;
	const struct code_question question = {.construct = "lock", .place = search->asked};

	search->table->find(search->namer, &question, &search->name);
}

/* Asks the namer; after a failure it is not asked any more, in an unknown state. */
static bool ask(struct search *search, void (*step)(void *context),
    const struct pomp_module *module, const void *address)
{
	search->asked = (struct code_place){.module = module->path,
	    .build_id = module->build_id,
	    .offset = (uintptr_t)address - module->bias,
	    .at = CODE_RETURN};
	if (search->namer != NULL && pomp_guarded(step, search))
		return true;
	search->namer = NULL;
	return false;
}

static bool is_of_file(const struct pomp_module *module)
{
	return module != NULL && module->path[0] != '\0';
}

/* "FILE:LINE" of where the lock was initialized; heap, NULL: not known. */
static char *place_of(struct search *search, const struct pomp_lock *lock)
{
	const void *init = load_relaxed(&lock->init);
	const struct pomp_module *module = load_relaxed(&lock->init_module);
	char *place = NULL;

	if (init == NULL || init == pomp_lock_several || !is_of_file(module))
		return NULL;
	if (init == search->known_init)
		return search->known_place != NULL ? strdup(search->known_place) : NULL;
	search->name = (struct code_name){0};
	if (ask(search, find_code, module, init)) {
		if (search->name.file != NULL && search->name.begin > 0 &&
		    asprintf(&place, "%s:%d", summary_base_name(search->name.file),
			search->name.begin) < 0)
			place = NULL;
		code_name_free(&search->name);
	}
	free(search->known_place);
	search->known_init = init;
	search->known_place = place != NULL ? strdup(place) : NULL;
	return place;
}

/* Of a lock in static storage; heap, NULL: it is elsewhere. */
static char *variable_of(struct search *search, const struct pomp_lock *lock)
{
	const struct pomp_module *module = load_relaxed(&lock->module);

	if (!is_of_file(module))
		return NULL;
	search->variable = NULL;
	(void)ask(search, find_variable, module, lock->address);
	return search->variable != NULL ? search->variable : code_place_short(&search->asked);
}

/* NULL when memory ran out. */
static char *title_of(const char *what)
{
	char *title;

	return asprintf(&title, "lock %s", what) < 0 ? NULL : title;
}

static void name_lock(struct search *search, struct item *item)
{
	char *variable = variable_of(search, item->lock);
	char address[32];

	item->place = place_of(search, item->lock);
	snprintf(address, sizeof(address), "%p", item->lock->address);
	free(item->lock->title);
	item->lock->title = title_of(variable != NULL      ? variable
				     : item->place != NULL ? item->place
							   : address);
	free(variable);
}

static const char *text_of(const struct item *item)
{
	return item->lock->title != NULL ? item->lock->title : "";
}

static int by_title(const void *left, const void *right)
{
	const struct item *one = left, *other = right;
	int order = strcmp(text_of(one), text_of(other));

	if (order != 0)
		return order;
	return one->order < other->order ? -1 : one->order > other->order;
}

/* Calls `distinguish` for each run of locks that have one name. */
static void for_equal(struct search *search, void (*distinguish)(struct item *items, size_t count))
{
	size_t first = 0;

	if (search->count > 0)
		qsort(search->items, search->count, sizeof(*search->items), by_title);
	for (size_t i = 1; i <= search->count; i++) {
		if (i < search->count &&
		    strcmp(text_of(&search->items[i]), text_of(&search->items[first])) == 0)
			continue;
		if (i - first > 1)
			distinguish(&search->items[first], i - first);
		first = i;
	}
}

/* Takes the text that is to stand in the title's place; NULL: memory ran out, the title stays. */
static void replace_title(struct pomp_lock *lock, char *title)
{
	if (title == NULL)
		return;
	free(lock->title);
	lock->title = title;
}

static void add_places(struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct pomp_lock *lock = items[i].lock;
		char *title;
		if (items[i].place != NULL && is_of_file(load_relaxed(&lock->module)))
			replace_title(
			    lock, asprintf(&title, "%s %s", text_of(&items[i]), items[i].place) < 0
				      ? NULL
				      : title);
	}
}

static void add_numbers(struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *title;
		replace_title(items[i].lock,
		    asprintf(&title, "%s #%zu", text_of(&items[i]), i + 1) < 0 ? NULL : title);
	}
}

/* Lock variables that were acquired; false when memory ran out. */
static bool list_items(struct search *search)
{
	const struct pomp_locks *locks = &pomp_locks;

	search->items = calloc(locks->count + 1, sizeof(*search->items));
	for (size_t i = 0; search->items != NULL && i < locks->count; i++) {
		struct pomp_lock *lock = locks->entry[i];
		if (lock->name == NULL && load_relaxed(&lock->acquisitions) > 0)
			search->items[search->count++] = (struct item){.lock = lock, .order = i};
	}
	return search->items != NULL;
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
	struct search search = {0};
	const char *reason;

	if (!list_items(&search))
		pomp_out_of_memory("the locks' names");
	if (search.count > 0)
		search.table = pomp_names_load(&reason);
	if (search.table != NULL && !pomp_guarded(begin, &search))
		search.namer = NULL;
	for (size_t i = 0; i < search.count; i++)
		name_lock(&search, &search.items[i]);
	if (search.namer != NULL)
		pomp_guarded(end, &search);
	for_equal(&search, add_places);
	for_equal(&search, add_numbers);
	for (size_t i = 0; i < search.count; i++) {
		if (load_relaxed(&pomp_experiment.path) != NULL)
			define(search.items[i].lock);
		free(search.items[i].place);
	}
	free(search.known_place);
	free(search.items);
}

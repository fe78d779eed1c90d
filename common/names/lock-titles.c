/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A variable in static storage gets its name from the symbols and debug information of its file. A
 * lock elsewhere is identified by the call that initialized it. Two static variables may have the
 * same name, and one call may initialize many locks. If names would be equal, variables also get
 * their initialization, and locks that are still equal get numbers in the order in which they were
 * first seen.
 */
#include "shared/lock-titles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of a search for names. */
struct search {
	const struct code_names_table *table;
	struct code_namer *namer; /* NULL: no names are known */
	bool (*guarded)(void (*step)(void *context), void *context);
	const struct code_place *asked;
	char *variable;        /* the answers */
	struct code_name name; /* of the code at `asked` */
	/* One call may initialize many locks: the latest question about code and its answer. */
	const struct code_place *known_init;
	char *known_origin;
};

static void find_variable(void *context)
{
	struct search *search = context;

	search->variable = search->table->find_variable(search->namer, search->asked);
}

static void find_code(void *context)
{
	struct search *search = context;
	const struct code_question question = {.construct = "lock", .place = *search->asked};

	search->table->find(search->namer, &question, &search->name);
}

static bool guard(struct search *search, void (*step)(void *context))
{
	if (search->guarded != NULL)
		return search->guarded(step, search);
	step(search);
	return true;
}

/* Asks the namer. If that fails, the namer is in an unknown state and is not asked again. */
static void ask(struct search *search, void (*step)(void *context), const struct code_place *place)
{
	search->asked = place;
	search->variable = NULL;
	search->name = (struct code_name){0};
	if (search->namer != NULL && !guard(search, step)) {
		search->namer = NULL;
		search->variable = NULL;
		search->name = (struct code_name){0};
	}
}

static bool is_of_file(const struct code_place *place)
{
	return place->module != NULL && place->module[0] != '\0';
}

static bool is_same_place(const struct code_place *one, const struct code_place *other)
{
	return one->offset == other->offset && strcmp(one->module, other->module) == 0 &&
	       strcmp(one->build_id, other->build_id) == 0;
}

/* NULL when memory ran out. */
static char *describe_origin(const struct code_name *name, const struct code_place *init)
{
	char *text, *place;

	if (name->file != NULL && name->begin > 0)
		return asprintf(&text, "initialized at %s:%d", code_file_name(name->file),
			   name->begin) < 0
			   ? NULL
			   : text;
	if (name->function != NULL)
		return asprintf(&text, "initialized in %s", name->function) < 0 ? NULL : text;
	place = code_place_short(init);
	if (place == NULL || asprintf(&text, "initialized at %s", place) < 0)
		text = NULL;
	free(place);
	return text;
}

/* Returns "initialized at FILE:LINE" and the like; heap, NULL: unknown. */
static char *origin_of(struct search *search, const struct lock_variable *lock)
{
	if (!is_of_file(&lock->init))
		return NULL;
	if (search->known_init == NULL || !is_same_place(search->known_init, &lock->init)) {
		ask(search, find_code, &lock->init);
		free(search->known_origin);
		search->known_origin = describe_origin(&search->name, &lock->init);
		search->known_init = &lock->init;
		code_name_free(&search->name);
	}
	return search->known_origin != NULL ? strdup(search->known_origin) : NULL;
}

/* Returns the name of a lock in static storage; heap, NULL: it is elsewhere. */
static char *variable_of(struct search *search, const struct lock_variable *lock)
{
	if (!is_of_file(&lock->place))
		return NULL;
	ask(search, find_variable, &lock->place);
	return search->variable != NULL ? search->variable : code_place_short(&lock->place);
}

static void name_lock(struct search *search, struct lock_variable *lock)
{
	char *variable = variable_of(search, lock);
	char address[32];

	lock->origin = origin_of(search, lock);
	snprintf(address, sizeof(address), "0x%" PRIx64, lock->address);
	const char *what = variable != NULL       ? variable
			   : lock->origin != NULL ? lock->origin
						  : address;
	if (asprintf(&lock->title, "lock %s", what) < 0)
		lock->title = NULL;
	free(variable);
}

static const char *text_of(const struct lock_variable *lock)
{
	return lock->title != NULL ? lock->title : "";
}

static int by_number(const void *left, const void *right)
{
	const struct lock_variable *one = left, *other = right;

	return one->number < other->number ? -1 : one->number > other->number;
}

static int by_title(const void *left, const void *right)
{
	int order = strcmp(text_of(left), text_of(right));

	return order != 0 ? order : by_number(left, right);
}

/* Calls `distinguish` for each run of locks with the same name. */
static void for_equal(struct lock_variable *locks, size_t count,
    void (*distinguish)(struct lock_variable *locks, size_t count))
{
	size_t first = 0;

	if (count > 0)
		qsort(locks, count, sizeof(*locks), by_title);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && strcmp(text_of(&locks[i]), text_of(&locks[first])) == 0)
			continue;
		if (i - first > 1)
			distinguish(&locks[first], i - first);
		first = i;
	}
}

/* Replaces the title by the given text; NULL: memory ran out, the title stays. */
static void replace_title(struct lock_variable *lock, char *title)
{
	if (title == NULL)
		return;
	free(lock->title);
	lock->title = title;
}

static void add_origins(struct lock_variable *locks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct lock_variable *lock = &locks[i];
		char *title;
		if (lock->origin != NULL && is_of_file(&lock->place))
			replace_title(lock,
			    asprintf(&title, "%s, %s", text_of(lock), lock->origin) < 0 ? NULL
											: title);
	}
}

static void add_numbers(struct lock_variable *locks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *title;
		replace_title(&locks[i],
		    asprintf(&title, "%s #%zu", text_of(&locks[i]), i + 1) < 0 ? NULL : title);
	}
}

void lock_titles_find(struct lock_variable *locks, size_t count,
    const struct code_names_table *table, struct code_namer **namer,
    bool (*guarded)(void (*step)(void *context), void *context))
{
	struct search search = {.table = table, .namer = *namer, .guarded = guarded};

	for (size_t i = 0; i < count; i++)
		name_lock(&search, &locks[i]);
	free(search.known_origin);
	for_equal(locks, count, add_origins);
	for_equal(locks, count, add_numbers);
	if (count > 0)
		qsort(locks, count, sizeof(*locks), by_number);
	for (size_t i = 0; i < count; i++) {
		free(locks[i].origin);
		locks[i].origin = NULL;
	}
	*namer = search.namer;
}

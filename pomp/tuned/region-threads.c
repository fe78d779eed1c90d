/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list in the order of the setting, which is searched at each execution of a region: it is short.
 * The thread that reads the settings fills it and then sets pomp_region_threads_known with release
 * order, which pairs with the acquire loads of the inline functions; after that nothing in it
 * changes but the atomic members.
 *
 * Where OMP_NUM_THREADS is a list, tasks inside a region have its next number already, which is
 * taken for this setting's if both are equal.
 */
#include "region-threads.h"

#include "runtime-routine.h"
#include "shared/array.h"
#include "source-places.h"

#include <stdlib.h>
#include <string.h>

typedef int get_threads_routine(void);
typedef void set_threads_routine(int threads);

struct entry {
	struct source_place place;
	int threads;
	_Atomic uint32_t
	    before; /* nthreads-var at the last fork; 0: none. Relaxed: any such value. */
};

static struct {
	struct entry *entries;
	size_t count, capacity;
} list;

_Atomic uint32_t pomp_region_threads_known;

/* Relaxed: only the addresses themselves are read; each thread that looks them up finds the same.
 */
static _Atomic(runtime_routine *) get_threads, set_threads;

static bool add_entry(const struct source_place *place, bool *failed)
{
	struct entry entry = {.place = *place,
	    .threads = pomp_source_number(
		place->value, (size_t)(place->text + place->length - place->value))};

	if (entry.threads == 0)
		return false;
	*failed = !ARRAY_PUSH(list.entries, list.count, list.capacity, entry);
	return true;
}

void pomp_region_threads_read(const char *text, FILE *messages)
{
	static const struct source_places_reading reading = {
	    "POMP_REGION_THREADS", "THREADS", add_entry};

	pomp_source_places_read(&reading, text, messages);
	if (list.count > 0)
		store_release(&pomp_region_threads_known, 1);
}

/* The last entry for the region, or NULL. */
static struct entry *find_entry(const OMPRegDescr *region)
{
	for (size_t i = list.count; i-- > 0;)
		if (pomp_source_place_is(&list.entries[i].place, region))
			return &list.entries[i];
	return NULL;
}

void pomp_region_threads_set(const OMPRegDescr *region, const void *caller)
{
	struct entry *entry = find_entry(region);

	if (entry == NULL)
		return;
	if (load_relaxed(&get_threads) == NULL || load_relaxed(&set_threads) == NULL) {
		store_relaxed(&get_threads, pomp_runtime_routine("omp_get_max_threads", caller));
		store_relaxed(&set_threads, pomp_runtime_routine("omp_set_num_threads", caller));
	}
	get_threads_routine *get = (get_threads_routine *)load_relaxed(&get_threads);
	set_threads_routine *set = (set_threads_routine *)load_relaxed(&set_threads);
	if (get == NULL || set == NULL)
		return;
	store_relaxed(&entry->before, (uint32_t)get());
	set(entry->threads);
}

void pomp_region_threads_reset(const OMPRegDescr *region, bool in_team)
{
	struct entry *entry = find_entry(region);
	uint32_t before = entry != NULL ? load_relaxed(&entry->before) : 0;

	if (before == 0)
		return;
	get_threads_routine *get = (get_threads_routine *)load_relaxed(&get_threads);
	if (!in_team || get() == entry->threads)
		((set_threads_routine *)load_relaxed(&set_threads))((int)before);
}

void pomp_region_threads_report(FILE *messages)
{
	for (size_t i = 0; i < list.count; i++)
		if (load_relaxed(&list.entries[i].before) == 0)
			fprintf(messages,
			    "pomp: POMP_REGION_THREADS: '%.*s' has changed nothing: the program "
			    "has executed no parallel region there that was built by ompinst\n",
			    (int)list.entries[i].place.length, list.entries[i].place.text);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libpomp_names.so with the first name, and closes the search at the end. */
#include "names-search.h"

#include "guard.h"
#include "limited-calls.h"
#include "names-library.h"
#include "process-state.h"

#include "shared/precondition.h"

#include <stddef.h>

static struct pomp_names_search search;
static bool is_open;

static void begin(void *settings)
{
	search.namer = search.table->begin(settings);
}

static void end(void *context)
{
	(void)context;
	search.table->end(search.namer);
}

struct pomp_names_search *pomp_names_search(double seconds)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	static struct pomp_names_search none = {
	    .reason = "the program has limited its system calls"};
	struct code_names_settings settings = {.seconds = seconds};
	/* Loading it opens files, and so does finding names. */
	if (pomp_calls_are_limited())
		return &none;
	if (is_open) {
		if (search.namer != NULL)
			search.table->limit(search.namer, seconds);
		return &search;
	}
	is_open = true;
	search.table = pomp_names_load(&search.reason);
	if (search.table != NULL && !pomp_guarded(begin, &settings))
		search.namer = NULL;
	return &search;
}

void pomp_names_search_end(void)
{
	if (search.namer != NULL)
		pomp_guarded(end, NULL);
	search = (struct pomp_names_search){0};
	is_open = false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one search for names at the end of a program. Regions, locks and samples share it, so that a
 * file is opened, and its debug information listed, once.
 */
#ifndef NAMES_SEARCH_H
#define NAMES_SEARCH_H

#include "shared/code-names.h"

struct pomp_names_search {
	const struct code_names_table *table; /* NULL: the library cannot be loaded */
	struct code_namer *namer; /* NULL: none. Set to NULL if a guarded call of it failed */
	const char *reason;       /* why there is no table; NULL: not known */
};

/*
 * Returns the search, which the first call opens. Further names have so many seconds. Process lock
 * held.
 */
struct pomp_names_search *pomp_names_search(double seconds);

/* Ends the search. Process lock held. */
void pomp_names_search_end(void);

#endif

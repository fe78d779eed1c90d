/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing lists in the debugger's memory. */
#ifndef OMPD_MEMORY_LIST_H
#define OMPD_MEMORY_LIST_H

#include "target.h"

/* A valid target has far fewer of anything; a damaged one must not fill the debugger's memory. */
enum { LIST_LIMIT = 1 << 20 };

/* Typed structures that begin with these members may be passed, too. */
struct memory_list {
	void *items; /* NULL: empty */
	ompd_size_t count, room;
};

/*
 * Returns a new zeroed item at the end, of `bytes` like all others; NULL on failure: see
 * reader->rc.
 */
void *list_add(struct reader *reader, struct memory_list *list, ompd_size_t bytes);

/* Frees the items; the list is then empty. It may already be empty. */
void list_free(struct memory_list *list);

#endif

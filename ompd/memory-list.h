/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that grow, in the debugger's memory. */
#ifndef OMPD_MEMORY_LIST_H
#define OMPD_MEMORY_LIST_H

#include "target.h"

/* A sane target has far fewer of anything; a damaged one must not fill the debugger's memory. */
enum { LIST_LIMIT = 1 << 20 };

/* The typed structures that begin with these members may be passed. */
struct memory_list {
	void *items; /* NULL: empty */
	ompd_size_t count, room;
};

/* A new zeroed item at the end, of `bytes` like all others; NULL when there is no room: see
 * reader->rc. */
void *list_add(struct reader *reader, struct memory_list *list, ompd_size_t bytes);

/* Also of an empty list; it is empty then. */
void list_free(struct memory_list *list);

#endif

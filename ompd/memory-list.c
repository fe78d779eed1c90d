/* SPDX-License-Identifier: BSD-3-Clause */
/* The debugger's memory cannot be resized: a full list moves to a block of twice the size. */
#include "memory-list.h"

#include <stddef.h>
#include <string.h>

#include "library.h"
#include "shared/precondition.h"

static void grow(struct reader *reader, struct memory_list *list, ompd_size_t bytes)
{
	ompd_size_t room = list->room != 0 ? 2 * list->room : 64;
	void *memory;

	reader_expect(reader, room <= LIST_LIMIT);
	if (reader->rc == ompd_rc_ok)
		reader->rc = library_alloc(room * bytes, &memory);
	if (reader->rc != ompd_rc_ok)
		return;
	if (list->items != NULL) {
		memcpy(memory, list->items, list->count * bytes);
		library_free(list->items);
	}
	list->items = memory;
	list->room = room;
}

void *list_add(struct reader *reader, struct memory_list *list, ompd_size_t bytes)
{
	CHECK(bytes > 0, "an item has a size");
	if (reader->rc == ompd_rc_ok && list->count == list->room)
		grow(reader, list, bytes);
	if (reader->rc != ompd_rc_ok)
		return NULL;
	return (char *)list->items + bytes * list->count++;
}

void list_free(struct memory_list *list)
{
	if (list->items != NULL)
		library_free(list->items);
	*list = (struct memory_list){0};
}

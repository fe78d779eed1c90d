/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compiler's list of a task's dependences, read as an array of items. It is an array of words:
 *   {total, out and inout, addresses ...}                                     the first not 0, or
 *   {0, total, out and inout, mutexinoutset, in, addresses ..., depend objects ...}
 * with the addresses in the order of the numbers. A depend object is two words, address and kind.
 */
#ifndef RT_DEPEND_ITEMS_H
#define RT_DEPEND_ITEMS_H

#include <stddef.h>

/* Kinds as far as they differ: mutexinoutset is an out like inout. */
enum rt_depend_kind { RT_DEPEND_NONE, RT_DEPEND_OUT, RT_DEPEND_IN, RT_DEPEND_SET };

struct rt_depend_item {
	void *address; /* NULL: all memory */
	enum rt_depend_kind kind;
};

size_t rt_depend_count(void **depend);
struct rt_depend_item rt_depend_item(void **depend, size_t index);

#endif

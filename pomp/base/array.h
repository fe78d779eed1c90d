/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of pointers that grow by doubling. */
#ifndef ARRAY_H
#define ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* The array with room for one more than `count`; NULL when memory ran out, and the old one stays
 * valid. */
static inline void *pomp_array_room(void *array, size_t count, size_t *capacity)
{
	if (count < *capacity)
		return array;
	size_t wanted = *capacity == 0 ? 64 : *capacity * 2;
	void *grown = realloc(array, wanted * sizeof(void *));
	if (grown != NULL)
		*capacity = wanted;
	return grown;
}

#endif

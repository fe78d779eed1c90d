/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is always there: a report is made in one go, and without memory there is nothing else
 * to do than to say so and end. All sizes are checked against overflow.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "shared/hash-map.h"

/* count zeroed elements; never NULL. */
void *memory_new(size_t count, size_t size);

/*
 * Makes room for at least needed elements of size bytes in the array that *capacity counts, growing
 * it by half at least; new elements are zeroed. Returns the array, which may have moved.
 */
void *memory_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* map_set(), pair_map_set() and pair_map_place() that have the memory which they need. */
void memory_map_set(struct map *map, uint64_t key, uint64_t value);
void memory_pair_map_set(struct pair_map *map, struct map_key key, uint64_t value);
uint64_t *memory_pair_map_place(struct pair_map *map, struct map_key key, uint64_t initial);

char *memory_copy_text(const char *text);

/* printf into a new string. */
char *memory_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

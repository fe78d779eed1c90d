/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocation that never fails: a report is made in one go, so without memory the only thing left is
 * an error message and exit. All sizes are checked against overflow.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "shared/hash-map.h"

/* count zeroed elements; never NULL. */
void *memory_new(size_t count, size_t size);

/* memory_grow() when the array is too small. */
void *memory_enlarge(void *array, size_t *capacity, size_t needed, size_t size);

/*
 * Makes room for at least `needed` elements of `size` bytes in the array of *capacity elements,
 * which grows by at least half; new elements are zeroed. Returns the array, which may have moved.
 */
static inline void *memory_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	return needed <= *capacity ? array : memory_enlarge(array, capacity, needed, size);
}

/* The same for an array of any type; `room` is its capacity. */
#define MEMORY_GROW(items, room, needed)                                                           \
	((items) = memory_grow((items), &(room), (needed), sizeof((items)[0])))

/* Counts one more item, for which there is then room, and returns a pointer to it. */
#define MEMORY_ADD(items, room, count) (MEMORY_GROW(items, room, (count) + 1), &(items)[(count)++])

/* Like map_set(), map_add(), pair_map_set(), pair_map_place(); they never run out of memory. */
void memory_map_set(struct map *map, uint64_t key, uint64_t value);
void memory_map_add(struct map *map, uint64_t key, uint64_t value);
void memory_pair_map_set(struct pair_map *map, struct map_key key, uint64_t value);
uint64_t *memory_pair_map_place(struct pair_map *map, struct map_key key, uint64_t initial);

/*
 * A file whose contents are in memory: when it is closed, *text has them, which the caller frees,
 * and *size their number of bytes. Both must exist until then.
 */
FILE *memory_open_file(char **text, size_t *size);
void memory_close_file(FILE *file);

char *memory_copy_text(const char *text);

/* printf into a new string. */
char *memory_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

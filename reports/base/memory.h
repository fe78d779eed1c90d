/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is always there: a report is made in one go, and without memory there is nothing else
 * to do than to say so and end. All sizes are checked against overflow.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* count zeroed elements; never NULL. */
void *memory_new(size_t count, size_t size);

/*
 * Makes room for at least needed elements of size bytes in the array that *capacity counts, growing
 * it by half at least; new elements are zeroed. Returns the array, which may have moved.
 */
void *memory_grow(void *array, size_t *capacity, size_t needed, size_t size);

char *memory_copy_text(const char *text);

/* printf into a new string. */
char *memory_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

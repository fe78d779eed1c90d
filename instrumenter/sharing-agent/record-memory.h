/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of records: zero, aligned to cache lines, never given back. It ends at half of what the
 * program itself has, or at a few megabytes for small programs.
 */
#ifndef SHARING_RECORD_MEMORY_H
#define SHARING_RECORD_MEMORY_H

#include <stddef.h>

/* NULL: there is none. */
void *record_memory_take(size_t size);

#endif

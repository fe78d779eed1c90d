/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for what lasts until the process ends. It does not come from malloc(): a small block that
 * stays among the program's arrays would keep malloc() from giving the memory below it back to the
 * kernel, and a program that loses time by that would lose none while it is measured.
 */
#ifndef LASTING_MEMORY_H
#define LASTING_MEMORY_H

#include <stddef.h>

/* Returns zeroed memory that begins a cache line; NULL: memory ran out. Any thread, no lock. */
void *pomp_lasting_memory(size_t bytes);

#endif

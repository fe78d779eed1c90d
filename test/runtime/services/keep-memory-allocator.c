/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands for an allocator that is loaded before glibc and defines glibc's other name of malloc(),
 * too, as jemalloc and tcmalloc do; counts the large blocks that it is asked for.
 */
#include <stddef.h>
#include <stdlib.h>

enum { LARGE = 512 << 10 };

#pragma GCC visibility push(default)

extern int large_blocks;
void *__libc_malloc(size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes); /* glibc's own */

int large_blocks;

void *malloc(size_t bytes)
{
	if (bytes >= LARGE)
		__atomic_add_fetch(&large_blocks, 1, __ATOMIC_RELAXED);
	return __libc_memalign(_Alignof(max_align_t), bytes);
}

void *__libc_malloc(size_t bytes)
{
	return malloc(bytes);
}

#pragma GCC visibility pop

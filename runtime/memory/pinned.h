/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is never paged out (OpenMP 5.2, 6.2: the trait pinned). A process may lock few bytes
 * (ulimit -l), and the system locks whole pages: so small pieces share pages, large ones have
 * pages of their own. A page goes back to the system with its last piece.
 */
#ifndef RT_PINNED_H
#define RT_PINNED_H
#include <stddef.h>

/* Bytes with any content, aligned to 64; NULL when the system locks no more of them. */
void *rt_pinned_take(size_t bytes);

/* What rt_pinned_take() gave for so many bytes. */
void rt_pinned_give(void *memory, size_t bytes);

#endif

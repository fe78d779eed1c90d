/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is never paged out (OpenMP 5.2, 6.2: the trait pinned). A process may lock few bytes
 * (ulimit -l), and the system locks whole pages; so small pieces share pages, and large ones have
 * their own pages. A page returns to the system together with its last piece.
 */
#ifndef RT_PINNED_H
#define RT_PINNED_H
#include <stddef.h>

/* Returns uninitialized bytes, aligned to 64; NULL if the system locks no more. */
void *rt_pinned_take(size_t bytes);

/* Frees what rt_pinned_take() returned for that many bytes. */
void rt_pinned_give(void *memory, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks as numbers, and which lock was ever wanted while which other one was held: without this
 * being a cycle, no order of locks can be one. All functions but lock_graph_may_have() and
 * lock_graph_era() are called under the lock of lock-cycles.c.
 */
#ifndef LOCK_GRAPH_H
#define LOCK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRAPH_LOCKS = 1024 };

/* The lock's number; GRAPH_LOCKS: it is not known, or there is no room for it. */
uint32_t lock_graph_find(const void *identity);
uint32_t lock_graph_add(const void *identity);

/* The lock ends: a later one with this identity gets another number. */
void lock_graph_forget(const void *identity);
void lock_graph_forget_range(uintptr_t begin, uintptr_t end);

/* May there be a lock in the memory? */
bool lock_graph_may_have(uintptr_t begin, uintptr_t end);

void lock_graph_clear(void);

/* `wanted` is wanted while `held` is held. Returns whether this is a part of a cycle. */
bool lock_graph_add_pair(uint32_t held, uint32_t wanted);

/* Changes whenever a number or a pair that was known before may mean something else. */
uint32_t lock_graph_era(void);

#endif

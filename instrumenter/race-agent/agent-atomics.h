/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics named by their order: the only file of the preloaded library that spells the orders. */
#ifndef AGENT_ATOMICS_H
#define AGENT_ATOMICS_H
#include <stdatomic.h>

#define load_relaxed(p)        atomic_load_explicit((p), memory_order_relaxed)
#define load_acquire(p)        atomic_load_explicit((p), memory_order_acquire)
#define store_relaxed(p, v)    atomic_store_explicit((p), (v), memory_order_relaxed)
#define store_release(p, v)    atomic_store_explicit((p), (v), memory_order_release)
#define exchange_acquire(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define add_relaxed(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_relaxed)

#endif

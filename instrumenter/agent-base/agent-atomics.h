/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics named by their order: the only file of the libraries inside programs that spells the
 * orders. */
#ifndef AGENT_ATOMICS_H
#define AGENT_ATOMICS_H
#include <stdatomic.h>

#define load_relaxed(p)        atomic_load_explicit((p), memory_order_relaxed)
#define load_acquire(p)        atomic_load_explicit((p), memory_order_acquire)
#define store_relaxed(p, v)    atomic_store_explicit((p), (v), memory_order_relaxed)
#define store_release(p, v)    atomic_store_explicit((p), (v), memory_order_release)
#define exchange_acquire(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define add_relaxed(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_relaxed)

/* Stores v if *p is *expected, and releases; else *expected becomes *p, which is acquired. */
#define exchange_if_release(p, expected, v)                                                        \
	atomic_compare_exchange_strong_explicit(                                                   \
	    (p), (expected), (v), memory_order_acq_rel, memory_order_acquire)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics named by their order: the only file of the runtime that spells memory_order_*. There are
 * no fences between the runtime's own threads (ThreadSanitizer cannot see them); if a store must be
 * ordered before a later load of another word, both sides use the sequential forms.
 */
#ifndef RT_ATOMICS_H
#define RT_ATOMICS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * In the stress tests' build of the runtime (RT_DELAYS) a thread may be delayed before and after
 * each atomic operation, so that other threads can do there what they would rarely do otherwise.
 */
#ifdef RT_DELAYS
void rt_delay(const char *file, unsigned line);
#define DELAY             rt_delay(__FILE__, __LINE__)
#define ACTION(operation) (DELAY, (operation), DELAY)
#define VALUE(operation)                                                                           \
	({                                                                                         \
		DELAY;                                                                             \
		__auto_type rt_value = (operation);                                                \
		DELAY;                                                                             \
		rt_value;                                                                          \
	})
#else
#define ACTION(operation) (operation)
#define VALUE(operation)  (operation)
#endif

#define load_relaxed(p)    VALUE(atomic_load_explicit((p), memory_order_relaxed))
#define load_acquire(p)    VALUE(atomic_load_explicit((p), memory_order_acquire))
#define load_sequential(p) VALUE(atomic_load_explicit((p), memory_order_seq_cst))

#define store_relaxed(p, v) ACTION(atomic_store_explicit((p), (v), memory_order_relaxed))
#define store_release(p, v) ACTION(atomic_store_explicit((p), (v), memory_order_release))

/*
 * qemu-user lets a sequential load of aarch64 overtake a sequential store that precedes it
 * (doc/architectures.md). A build for qemu-user (RT_STORES_EXCHANGE) uses an exchange here, which
 * has the same meaning and is ordered there, too.
 */
#ifdef RT_STORES_EXCHANGE
#define store_sequential(p, v)                                                                     \
	ACTION((void)atomic_exchange_explicit((p), (v), memory_order_seq_cst))
#else
#define store_sequential(p, v) ACTION(atomic_store_explicit((p), (v), memory_order_seq_cst))
#endif

/*
 * Keeps the compiler, but not the processor, from moving memory accesses across; for signal
 * handlers.
 */
#define order_for_compiler() atomic_signal_fence(memory_order_seq_cst)

/*
 * The meaning of a flush in the program: orders all its memory accesses before against those after.
 * An exchange of another word is weaker, in C11 and on aarch64 processors that make it from two
 * instructions: later loads may come before earlier stores.
 */
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif
#define fence_sequential() ACTION(atomic_thread_fence(memory_order_seq_cst))

/* All return the value before the operation. */
#define add_relaxed(p, v)    VALUE(atomic_fetch_add_explicit((p), (v), memory_order_relaxed))
#define add_release(p, v)    VALUE(atomic_fetch_add_explicit((p), (v), memory_order_release))
#define add_acq_rel(p, v)    VALUE(atomic_fetch_add_explicit((p), (v), memory_order_acq_rel))
#define add_sequential(p, v) VALUE(atomic_fetch_add_explicit((p), (v), memory_order_seq_cst))
#define sub_relaxed(p, v)    VALUE(atomic_fetch_sub_explicit((p), (v), memory_order_relaxed))
#define sub_release(p, v)    VALUE(atomic_fetch_sub_explicit((p), (v), memory_order_release))
#define sub_acq_rel(p, v)    VALUE(atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel))
#define sub_sequential(p, v) VALUE(atomic_fetch_sub_explicit((p), (v), memory_order_seq_cst))
#define or_relaxed(p, v)     VALUE(atomic_fetch_or_explicit((p), (v), memory_order_relaxed))
#define or_sequential(p, v)  VALUE(atomic_fetch_or_explicit((p), (v), memory_order_seq_cst))
#define and_release(p, v)    VALUE(atomic_fetch_and_explicit((p), (v), memory_order_release))
#define and_sequential(p, v) VALUE(atomic_fetch_and_explicit((p), (v), memory_order_seq_cst))
#define xor_sequential(p, v) VALUE(atomic_fetch_xor_explicit((p), (v), memory_order_seq_cst))

#define exchange_relaxed(p, v)    VALUE(atomic_exchange_explicit((p), (v), memory_order_relaxed))
#define exchange_acquire(p, v)    VALUE(atomic_exchange_explicit((p), (v), memory_order_acquire))
#define exchange_release(p, v)    VALUE(atomic_exchange_explicit((p), (v), memory_order_release))
#define exchange_acq_rel(p, v)    VALUE(atomic_exchange_explicit((p), (v), memory_order_acq_rel))
#define exchange_sequential(p, v) VALUE(atomic_exchange_explicit((p), (v), memory_order_seq_cst))

/* Strong compare-and-swap; on failure *expected is the value found, read relaxed (acquire). */
#define cas_relaxed(p, expected, v)                                                                \
	VALUE(atomic_compare_exchange_strong_explicit(                                             \
	    (p), (expected), (v), memory_order_relaxed, memory_order_relaxed))
#define cas_acquire(p, expected, v)                                                                \
	VALUE(atomic_compare_exchange_strong_explicit(                                             \
	    (p), (expected), (v), memory_order_acquire, memory_order_relaxed))
#define cas_release(p, expected, v)                                                                \
	VALUE(atomic_compare_exchange_strong_explicit(                                             \
	    (p), (expected), (v), memory_order_release, memory_order_relaxed))
#define cas_acq_rel(p, expected, v)                                                                \
	VALUE(atomic_compare_exchange_strong_explicit(                                             \
	    (p), (expected), (v), memory_order_acq_rel, memory_order_acquire))
#define cas_sequential(p, expected, v)                                                             \
	VALUE(atomic_compare_exchange_strong_explicit(                                             \
	    (p), (expected), (v), memory_order_seq_cst, memory_order_relaxed))

/* For functions that few programs call. */
#define RT_COLD __attribute__((noinline, cold))

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics, named by their memory order. Only this file uses memory_order_*.
 *
 * add_own() is for counters that one thread writes and others may read at any time: the owner needs
 * no locked instruction, and readers never see a torn value.
 */
#ifndef POMP_ATOMICS_H
#define POMP_ATOMICS_H

#include <stdatomic.h>

#define load_relaxed(place)            atomic_load_explicit(place, memory_order_relaxed)
#define load_acquire(place)            atomic_load_explicit(place, memory_order_acquire)
#define store_relaxed(place, value)    atomic_store_explicit(place, value, memory_order_relaxed)
#define store_release(place, value)    atomic_store_explicit(place, value, memory_order_release)
#define fetch_add_relaxed(place, n)    atomic_fetch_add_explicit(place, n, memory_order_relaxed)
#define fetch_or_relaxed(place, n)     atomic_fetch_or_explicit(place, n, memory_order_relaxed)
#define fetch_and_relaxed(place, n)    atomic_fetch_and_explicit(place, n, memory_order_relaxed)
#define fetch_add_release(place, n)    atomic_fetch_add_explicit(place, n, memory_order_release)
#define exchange_acquire(place, value) atomic_exchange_explicit(place, value, memory_order_acquire)

/*
 * All threads agree on a single order of these. If two threads each write one location and then
 * read the other's, at least one of them sees what the other wrote.
 */
#define exchange_ordered(place, value) atomic_exchange_explicit(place, value, memory_order_seq_cst)
#define load_ordered(place)            atomic_load_explicit(place, memory_order_seq_cst)

/* Weak: for retry loops; *expected becomes the value found. */
#define replace_relaxed(place, expected, value)                                                    \
	atomic_compare_exchange_weak_explicit(                                                     \
	    place, expected, value, memory_order_relaxed, memory_order_relaxed)

#define replace_release(place, expected, value)                                                    \
	atomic_compare_exchange_weak_explicit(                                                     \
	    place, expected, value, memory_order_release, memory_order_relaxed)

#define replace_ordered(place, expected, value)                                                    \
	atomic_compare_exchange_weak_explicit(                                                     \
	    place, expected, value, memory_order_seq_cst, memory_order_acquire)

/* Strong: false means that another value was there, which *expected then holds. */
#define replace_once(place, expected, value)                                                       \
	atomic_compare_exchange_strong_explicit(                                                   \
	    place, expected, value, memory_order_acq_rel, memory_order_acquire)

/*
 * For words that are not declared _Atomic because others read or write them, too: C++, of a
 * descriptor's data, and the kernel.
 */
#define load_word_relaxed(place)        __atomic_load_n(place, __ATOMIC_RELAXED)
#define store_word_relaxed(place, word) __atomic_store_n(place, word, __ATOMIC_RELAXED)
#define load_word_acquire(place)        __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define store_word_release(place, word) __atomic_store_n(place, word, __ATOMIC_RELEASE)

#define add_own(place, n) store_relaxed(place, load_relaxed(place) + (n))

/* Keeps the compiler, but not the processor, from moving memory accesses across. */
#define order_for_compiler() atomic_signal_fence(memory_order_seq_cst)

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#endif

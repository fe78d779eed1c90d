/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tables of atomic constructs have in common. A row is a type with an operation, and makes
 * one or two entry points; its formula is an expression of x, the value in memory, and y, the
 * construct's other operand.
 *
 *   __kmpc_atomic_TYPE_OP(where, gtid, T *place, T y)
 *       *place = formula
 *   __kmpc_atomic_TYPE_OP_cpt(where, gtid, T *place, T y, int new)
 *       the same; returns the value before it or, if `new` is not 0, after it
 *   _rev, _cpt_rev     with x and y exchanged
 *   _rd, _wr, _swp     reads, writes, exchanges
 *   _float8, _cmplx8   y is wider than x
 *
 * Updates are sequentially consistent, because some compilers rely on that for what their clauses
 * request. What the processor cannot do in one step is done under the mutex of gcc's atomic
 * constructs, so that objects of both compilers can update the same variable.
 */
#ifndef RT_KMP_ATOMIC_H
#define RT_KMP_ATOMIC_H
#include "kmp.h"
#include "program-mutex.h"
#include "synchronization.h"
#include "wait-note.h"

#define ATOMIC(result, type, suffix, ...)                                                          \
	LONE_ENTRY(result, __kmpc_atomic_##type##_##suffix, const struct kmp_ident *ident,         \
	    int32_t gtid, __VA_ARGS__)

#define ATOMIC_LOCK()   rt_mutex_lock_entry(&rt_atomic_fallback, ompt_mutex_atomic, RT_WAITING_ATOMIC)
#define ATOMIC_UNLOCK() rt_mutex_unlock_entry(&rt_atomic_fallback, ompt_mutex_atomic)

/* An entry point may need only one of the values of an update, or none. */
#define ATOMIC_MAYBE_UNUSED()                                                                      \
	do {                                                                                       \
		(void)x;                                                                           \
		(void)after;                                                                       \
	} while (0)

/* May an operation on the object be wider than its alignment? x86 allows that at any address. */
#if defined(__x86_64__) || defined(__i386__)
#define ATOMIC_IS_SPLIT(place, bytes) false
#else
#define ATOMIC_IS_SPLIT(place, bytes) ((uintptr_t)(place) % (bytes) != 0)
#endif

/*
 * The three ways to update, each of which defines `x` and `after` for what follows. By one
 * instruction: x is what the operation returns. `word` is the object as an integer.
 */
#define ATOMIC_BY_INSTRUCTION(T, WORD, operation, formula)                                         \
	_Atomic WORD *word = (_Atomic WORD *)(void *)place;                                        \
	const T x = (T)(operation);                                                                \
	const T after = (T)(formula)

#define ATOMIC_BY_LOCK(T, formula)                                                                 \
	ATOMIC_LOCK();                                                                             \
	const T x = *place;                                                                        \
	const T after = *place = (T)(formula);                                                     \
	ATOMIC_UNLOCK()

/* By compare and exchange, repeated until no other thread has changed the object in between. */
#define ATOMIC_BY_EXCHANGE(T, WORD, formula)                                                       \
	union {                                                                                    \
		T value;                                                                           \
		WORD bits;                                                                         \
	} now, next;                                                                               \
	_Atomic WORD *word = (_Atomic WORD *)(void *)place;                                        \
	T x, after;                                                                                \
	if (ATOMIC_IS_SPLIT(place, sizeof(WORD))) {                                                \
		ATOMIC_LOCK();                                                                     \
		x = *place;                                                                        \
		after = *place = (T)(formula);                                                     \
		ATOMIC_UNLOCK();                                                                   \
	} else {                                                                                   \
		now.bits = load_relaxed(word);                                                     \
		do {                                                                               \
			x = now.value;                                                             \
			next.value = after = (T)(formula);                                         \
		} while (!cas_sequential(word, &now.bits, next.bits));                             \
	}

/*
 * An entry point that returns nothing, and one that returns the value before or after the update.
 */
#define ATOMIC_UPDATE(type, operation, T, Y, BY, ...)                                              \
	ATOMIC(void, type, operation, T *place, Y y)                                               \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		BY(T, __VA_ARGS__);                                                                \
		ATOMIC_MAYBE_UNUSED();                                                             \
	}
#define ATOMIC_CAPTURE(type, operation, T, BY, ...)                                                \
	ATOMIC(T, type, operation, T *place, T y, int32_t new)                                     \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		BY(T, __VA_ARGS__);                                                                \
		return new ? after : x;                                                            \
	}
#define ATOMIC_BOTH(type, operation, T, BY, ...)                                                   \
	ATOMIC_UPDATE(type, operation, T, T, BY, __VA_ARGS__)                                      \
	ATOMIC_CAPTURE(type, operation##_cpt, T, BY, __VA_ARGS__)
#define ATOMIC_BOTH_REVERSED(type, operation, T, BY, ...)                                          \
	ATOMIC_UPDATE(type, operation##_rev, T, T, BY, __VA_ARGS__)                                \
	ATOMIC_CAPTURE(type, operation##_cpt_rev, T, BY, __VA_ARGS__)

/*
 * Reading, writing and exchanging an object that is a word of the processor, and one that is not.
 */
#define ATOMIC_READ(type, T, WORD)                                                                 \
	ATOMIC(T, type, rd, T *place)                                                              \
	{                                                                                          \
		union {                                                                            \
			WORD bits;                                                                 \
			T value;                                                                   \
		} found;                                                                           \
		KMP_UNUSED();                                                                      \
		if (ATOMIC_IS_SPLIT(place, sizeof(WORD))) {                                        \
			ATOMIC_LOCK();                                                             \
			found.value = *place;                                                      \
			ATOMIC_UNLOCK();                                                           \
		} else {                                                                           \
			found.bits = load_sequential((_Atomic WORD *)(void *)place);               \
		}                                                                                  \
		return found.value;                                                                \
	}
#define ATOMIC_WRITE_AND_EXCHANGE(type, T, WORD)                                                   \
	ATOMIC_UPDATE(type, wr, T, T, ATOMIC_BY_EXCHANGE, WORD, y)                                 \
	ATOMIC(T, type, swp, T *place, T y)                                                        \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		ATOMIC_BY_EXCHANGE(T, WORD, y)                                                     \
		ATOMIC_MAYBE_UNUSED();                                                             \
		return x;                                                                          \
	}
#define ATOMIC_ACCESS_LOCKED(type, T)                                                              \
	ATOMIC(T, type, rd, T *place)                                                              \
	{                                                                                          \
		T found;                                                                           \
		KMP_UNUSED();                                                                      \
		ATOMIC_LOCK();                                                                     \
		found = *place;                                                                    \
		ATOMIC_UNLOCK();                                                                   \
		return found;                                                                      \
	}                                                                                          \
	ATOMIC_UPDATE(type, wr, T, T, ATOMIC_BY_LOCK, y)                                           \
	ATOMIC(T, type, swp, T *place, T y)                                                        \
	{                                                                                          \
		KMP_UNUSED();                                                                      \
		ATOMIC_BY_LOCK(T, y);                                                              \
		ATOMIC_MAYBE_UNUSED();                                                             \
		return x;                                                                          \
	}

#endif

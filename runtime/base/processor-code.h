/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime does differently on each processor: pauses, its short clock, and addresses of
 * frames. On other processors it uses the compiler's functions.
 */
#ifndef RT_PROCESSOR_CODE_H
#define RT_PROCESSOR_CODE_H
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "shared/processor.h"

/* For a thread that polls a word: gives the other threads of the core a turn. */
static inline void rt_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	/* `yield` does nothing on most processors; this waits as long as x86's pause. */
	__asm__ volatile("isb");
#elif defined(__riscv)
	/* `pause`, which processors without it treat as a fence that orders nothing. */
	__asm__ volatile(".insn i 0x0F, 0, x0, x0, 0x010");
#elif defined(__powerpc64__)
	__asm__ volatile("or 27,27,27");
#endif
}

/*
 * A cheap clock that only distinguishes short from long times, with one to a few ticks a
 * nanosecond. The counters of processors other than x86 tick only once in 1 to 100 ns, so these use
 * clock_gettime().
 */
static inline uint64_t rt_cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/* Separates words that different threads write. PROCESSOR_APART has the reason. */
#define RT_PADDED _Alignas(PROCESSOR_APART)

/* The size of a record that shares no line with others. */
static inline size_t rt_padded_size(size_t bytes)
{
	return (bytes + PROCESSOR_APART - 1) & ~(size_t)(PROCESSOR_APART - 1);
}

/*
 * The address from which the enclosing exported function was called: the return address. gcc loads
 * __builtin_return_address(0) at the begin of a function, for all of its paths; this loads it only
 * where it is used.
 */
#if defined(__x86_64__)
#define RT_RETURN_ADDRESS (*((const void *const volatile *)__builtin_dwarf_cfa() - 1))
#else
#define RT_RETURN_ADDRESS __builtin_extract_return_addr(__builtin_return_address(0))
#endif

/* Does rt_note_stack_pointer() store the stack pointer itself? */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv) || defined(__powerpc64__)
#define RT_HAS_STACK_POINTER 1
#else
#define RT_HAS_STACK_POINTER 0
#endif

/*
 * Stores the stack pointer or, if that is unknown, an address within the caller's frame; one or two
 * instructions if the caller keeps no frame pointer. For a function that is called with the same
 * stack pointer, this is its canonical frame address on each of these processors.
 */
static inline __attribute__((always_inline)) void rt_note_stack_pointer(void **note)
{
#if defined(__x86_64__)
	__asm__ volatile("movq %%rsp, %0" : "=m"(*note));
#elif defined(__aarch64__)
	__asm__ volatile("mov %0, sp" : "=r"(*note));
#elif defined(__riscv)
	__asm__ volatile("mv %0, sp" : "=r"(*note));
#elif defined(__powerpc64__)
	__asm__ volatile("mr %0, 1" : "=r"(*note));
#else
	*note = __builtin_frame_address(0);
#endif
}

#endif

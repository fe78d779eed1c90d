/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What depends on the processor and more than one room has to know: its counter, the lines of its
 * cache, and how threads find their own variables. On a processor that is not named here everything
 * works, without a counter.
 */
#ifndef SHARED_PROCESSOR_H
#define SHARED_PROCESSOR_H

#include <stdint.h>

/*
 * The processor's time stamp counter: libpomp's ticks, and what a debugger compares them with on
 * its machine. 0 where there is none that user code may read.
 */
static inline uint64_t counter_read(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#elif defined(__riscv) && __riscv_xlen == 64
	uint64_t ticks;

	__asm__ volatile("rdtime %0" : "=r"(ticks));
	return ticks;
#elif defined(__powerpc64__)
	return __builtin_ppc_get_timebase();
#else
	return 0;
#endif
}

/*
 * PROCESSOR_LINE: bytes that all machines of the architecture move together, so that what one
 * thread reads and another writes at the same time is best within as many.
 * PROCESSOR_APART: words of different writers stay so far apart. On x86-64 that is a line and the
 * neighbour that is fetched with it; aarch64 has machines with lines of 64, 128 and 256 bytes.
 */
#if defined(__powerpc64__)
#define PROCESSOR_LINE  128
#define PROCESSOR_APART 128
#elif defined(__aarch64__)
#define PROCESSOR_LINE  64
#define PROCESSOR_APART 256
#else
#define PROCESSOR_LINE  64
#define PROCESSOR_APART 128
#endif

/*
 * For a variable of each thread that hot paths read. A library with such variables can be loaded
 * late, by dlopen(). With the initial-exec model it then takes room from the little that the loader
 * keeps for that (1,152 bytes and more in glibc 2.32 and newer); ours take some dozens. On aarch64
 * every library's descriptors take from the same room, in older glibc all of it; there a descriptor
 * costs two instructions more than initial-exec, needs no room, and is what the compiler uses by
 * itself. On x86-64 descriptors are no choice: glibc before 2.40 destroys vector registers in them.
 * musl refuses to load a library with the initial-exec model late, on any processor.
 */
#if defined(__aarch64__) || !defined(__GLIBC__)
#define PROCESSOR_THREAD_LOCAL
#else
#define PROCESSOR_THREAD_LOCAL __attribute__((tls_model("initial-exec")))
#endif

#endif

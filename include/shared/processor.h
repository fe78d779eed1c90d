/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processor-dependent properties that several rooms need: the counter, the cache lines, and how
 * threads find their own variables. On a processor that is not listed here everything works,
 * without a counter.
 */
#ifndef SHARED_PROCESSOR_H
#define SHARED_PROCESSOR_H

#include <stdint.h>

/*
 * Reads the processor's time stamp counter: libpomp's ticks, which a debugger compares with the
 * counter of its own machine. 0 if user code can read no counter.
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
 * PROCESSOR_LINE: the unit of bytes that every machine of the architecture moves together; data
 * that one thread writes while another reads it best fits in one such unit. PROCESSOR_APART: the
 * distance between words that different threads write. On x86-64 that is a line and its neighbour,
 * which is fetched with it; aarch64 has machines with lines of 64, 128 and 256 bytes.
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
 * For a thread-local variable that hot paths read. A library with such variables can be loaded
 * late, by dlopen(). With the initial-exec model they then use the loader's small reserve of static
 * TLS (at least 1,152 bytes in glibc 2.32 and newer); ours need some dozens. On aarch64 every
 * library's TLS descriptors use the same reserve, in older glibc all of it. There a descriptor
 * costs only two more instructions than initial-exec, needs no reserve, and is the compiler's
 * default. On x86-64 descriptors are not usable: glibc before 2.40 destroys vector registers in
 * them. musl refuses to load a library with the initial-exec model late, on any processor.
 */
#if defined(__aarch64__) || !defined(__GLIBC__)
#define PROCESSOR_THREAD_LOCAL
#else
#define PROCESSOR_THREAD_LOCAL __attribute__((tls_model("initial-exec")))
#endif

#endif

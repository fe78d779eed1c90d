/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor's time stamp counter: libpomp's ticks, and what a debugger compares them with on
 * its machine. 0 where there is none that user code may read.
 */
#ifndef SHARED_COUNTER_H
#define SHARED_COUNTER_H

#include <stdint.h>

static inline uint64_t counter_read(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

#endif

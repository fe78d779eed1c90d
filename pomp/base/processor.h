/* SPDX-License-Identifier: BSD-3-Clause */
/* What only the measurement asks of the processor: whether its counter is fit to be the clock. */
#ifndef POMP_PROCESSOR_H
#define POMP_PROCESSOR_H

#include "shared/processor.h"

#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Does the counter tick at one rate in every power state, in step on all processors? */
static inline bool pomp_counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
#elif defined(__aarch64__) || defined(__powerpc64__) || (defined(__riscv) && __riscv_xlen == 64)
	return true; /* generic timer, time base, `time`: they are, by the architecture */
#else
	return false;
#endif
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A property of the processor that only the measurement needs: whether its counter can be the
 * clock.
 */
#ifndef POMP_CONSTANT_COUNTER_H
#define POMP_CONSTANT_COUNTER_H

#include "shared/processor.h"

#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/*
 * Returns whether the counter ticks at one rate in every power state and is synchronised across all
 * processors.
 */
static inline bool pomp_counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
#elif defined(__aarch64__) || defined(__powerpc64__) || (defined(__riscv) && __riscv_xlen == 64)
	return true; /* the architecture guarantees this for the generic timer, the time base and
			`time` */
#else
	return false;
#endif
}

#endif

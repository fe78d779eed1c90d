/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peak: chains of multiplications and additions that do not depend on each other, as many as keep
 * two units busy whose results take six cycles, and few enough for the registers. One source for
 * all widths: the compiler makes the fused instructions of the target from it.
 */
#include "machine-arithmetic.h"

#define CHAINS         12
#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

#define DEFINE_CHAIN(i) value a##i = x * (double)(i);
#define STEP_CHAIN(i)   a##i = a##i * x + y;
#define KEEP_CHAIN(i)   __asm__ volatile("" : : KEPT(a##i)); /* each result is needed */

/* Where the compiler may leave a result: memory is always possible, after the loop. */
#define KEPT(a) "m"(a)

/* The values go to a fixed point, so that they stay numbers of usual size. */
#define DEFINE_RUN(name, attributes, lanes)                                                        \
	attributes static void name(size_t steps)                                                  \
	{                                                                                          \
		typedef double value __attribute__((vector_size(lanes * sizeof(double))));         \
		value x = (value){0} + 0.5, y = (value){0} + 1.0;                                  \
		EACH_CHAIN(DEFINE_CHAIN)                                                           \
		__asm__ volatile("" : "+m"(x), "+m"(y)); /* not known to the compiler */           \
		for (size_t i = 0; i < steps; i++) {                                               \
			EACH_CHAIN(STEP_CHAIN)                                                     \
		}                                                                                  \
		EACH_CHAIN(KEEP_CHAIN)                                                             \
	}

DEFINE_RUN(run_usual, , 2)

#if defined(__x86_64__)
DEFINE_RUN(run_avx2, __attribute__((target("avx2,fma"))), 4)
DEFINE_RUN(run_avx512, __attribute__((target("avx512f"))), 8)
#endif

struct machine_arithmetic machine_choose_arithmetic(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f"))
		return (struct machine_arithmetic){run_avx512, 2.0 * CHAINS * 8};
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return (struct machine_arithmetic){run_avx2, 2.0 * CHAINS * 4};
#endif
	return (struct machine_arithmetic){run_usual, 2.0 * CHAINS * 2};
}

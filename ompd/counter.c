/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter that libpomp's times are in, on the machine that the debugger runs on. */
#include "ompd-extensions.h"

uint64_t ompdx_read_counter(void)
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

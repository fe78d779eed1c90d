/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that do nothing, for debuggers to stop at. */
#include "breakpoints.h"

#define BREAKPOINT(event)                                                                          \
	void __attribute__((noinline)) ompd_bp_##event(void)                                       \
	{                                                                                          \
		__asm__ volatile("# " #event); /* keeps the call, and the functions apart */       \
	}

BREAKPOINT(parallel_begin)
BREAKPOINT(parallel_end)
BREAKPOINT(task_begin)
BREAKPOINT(task_end)
BREAKPOINT(thread_begin)
BREAKPOINT(thread_end)
BREAKPOINT(device_begin)
BREAKPOINT(device_end)

/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter that libpomp's times are in, on the machine that the debugger runs on. */
#include "ompd-extensions.h"
#include "shared/processor.h"

uint64_t ompdx_read_counter(void)
{
	return counter_read();
}

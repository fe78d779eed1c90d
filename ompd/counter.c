/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter of libpomp's times, on the machine of the debugger. */
#include "ompd-extensions.h"
#include "shared/processor.h"

uint64_t ompdx_read_counter(void)
{
	return counter_read();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the system calls in which threads can be blocked for long. */
#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <stdint.h>

/*
 * Returns the name of this machine's system call, as in section 2 of the manual; "page fault" for
 * -1, outside of calls; "system call" for one that is not in the list.
 */
const char *pomp_system_call_name(int64_t number);

#endif

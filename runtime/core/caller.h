/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the program called the runtime, for tools. */
#ifndef RT_CALLER_H
#define RT_CALLER_H

#include <stdbool.h>

struct rt_thread;

/* Is this an address in the runtime's own code? */
bool rt_is_runtime_code(const void *address);

/*
 * What a tool is told of an entry point's return address. A call with which an outlined function
 * ends is often a jump, and returns to the runtime's own code, which has called that function: then
 * the place is the function's first instruction, plus one as for return addresses; NULL where the
 * function is not known. Else it is the address itself. self: the calling thread, NULL: no record.
 */
const void *rt_tool_caller(const struct rt_thread *self, const void *address);

#endif

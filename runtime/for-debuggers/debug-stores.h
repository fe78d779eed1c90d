/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stores that the runtime's constructs make only for debuggers. They are few:
 * test/bench/debugger-cost.py counts them, against a runtime that was compiled without them
 * (RT_WITHOUT_DEBUGGER). That runtime is only for counting; no debugger understands it.
 */
#ifndef RT_DEBUG_STORES_H
#define RT_DEBUG_STORES_H
#include "processor-code.h"

#ifdef RT_WITHOUT_DEBUGGER
#define RT_FOR_DEBUGGERS(statement) ((void)0)
#else
#define RT_FOR_DEBUGGERS(statement) statement
#endif

/*
 * Stores an address within the caller's frame. That is all a debugger needs to separate the frames
 * on one side of a call from those on the other, and one instruction if the caller keeps no frame
 * pointer.
 */
static inline __attribute__((always_inline)) void rt_debug_note_frame(void **note)
{
#ifdef RT_WITHOUT_DEBUGGER
	(void)note;
#else
	rt_note_stack_pointer(note);
#endif
}

#endif

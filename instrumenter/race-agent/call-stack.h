/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of calls of the calling thread, as return addresses. */
#ifndef AGENT_CALL_STACK_H
#define AGENT_CALL_STACK_H

#include "order-clocks.h"

/*
 * Fills `frames` with `caller`, a return address, and the ones outside of it; 0 after the last one
 * if there is room. By unwinding, which takes a microsecond for each frame and may wait for a
 * library that is being loaded: no lock may be held. If the caller is not found, it is alone.
 */
void call_stack_unwind(const void *caller, uintptr_t *frames, unsigned room);

/*
 * The same by frame pointers, as far as there are any: fast, and wrong beyond the first frame if
 * code on the stack was compiled without them. frame: of the function that was called from
 * `caller`; NULL: the caller is alone.
 */
void call_stack_walk(struct order_strand *strand, const void *caller, const void *frame,
    uintptr_t *frames, unsigned room);

#endif

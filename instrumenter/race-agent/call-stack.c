/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By unwind tables, and by frame pointers, which `ompinst race gcc` demands of the compiler.
 * Without them, the register may contain anything: a word is only read from memory that the kernel
 * has found readable, and that is near the stack's end.
 */
#include "call-stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

enum { PAGE = 4096, MOST_PAGES = 16, OTHER_FRAMES = 24 };

/* From the first frame whose return address is `caller`. */
struct unwinding {
	uintptr_t caller;
	uintptr_t *frames;
	unsigned room, count, others;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument)
{
	struct unwinding *unwinding = argument;
	uintptr_t address = (uintptr_t)_Unwind_GetIP(context);

	if (unwinding->count == 0 && address != unwinding->caller)
		return ++unwinding->others < OTHER_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
	if (address == 0 || unwinding->count == unwinding->room)
		return _URC_END_OF_STACK;
	unwinding->frames[unwinding->count++] = address;
	return _URC_NO_REASON;
}

static void end(uintptr_t *frames, unsigned count, unsigned room)
{
	if (count < room)
		frames[count] = 0;
}

void call_stack_unwind(const void *caller, uintptr_t *frames, unsigned room)
{
	struct unwinding unwinding = {.caller = (uintptr_t)caller, .frames = frames, .room = room};

	order_strand_leave(); /* the unwinder has a mutex */
	_Unwind_Backtrace(visit, &unwinding);
	order_strand_return();
	if (unwinding.count == 0)
		frames[unwinding.count++] = (uintptr_t)caller;
	end(frames, unwinding.count, room);
}

/* Has the kernel a readable page there? */
static bool is_readable(uintptr_t page)
{
	char byte;
	struct iovec here = {&byte, 1},
		     there = {(void *)page, 1}; // NOLINT(performance-no-int-to-ptr)

	return syscall(SYS_process_vm_readv, (long)getpid(), &here, 1UL, &there, 1UL, 0UL) == 1;
}

/* Extends the part that is known to be readable to the address, if it is not far away. */
static bool reaches(struct order_strand *strand, uintptr_t address)
{
	uintptr_t end = address + 2 * sizeof(uintptr_t);

	for (unsigned pages = 0; strand->high < end && pages < MOST_PAGES; pages++) {
		if (!is_readable(strand->high))
			return false;
		strand->high += PAGE;
	}
	return end <= strand->high;
}

void call_stack_walk(struct order_strand *strand, const void *caller, const void *frame,
    uintptr_t *frames, unsigned room)
{
	uintptr_t at = (uintptr_t)frame;
	unsigned count = 0;

	frames[count++] = (uintptr_t)caller;
	if (at == 0) {
		end(frames, count, room);
		return;
	}
	if (at < strand->low || at >= strand->high) {
		strand->low = at & ~(uintptr_t)(PAGE - 1);
		strand->high = strand->low + PAGE;
	}
	while (count < room) {
		if (at % sizeof(uintptr_t) != 0 || !reaches(strand, at))
			break;
		uintptr_t next = *(const uintptr_t *)at; // NOLINT(performance-no-int-to-ptr)
		if (next <= at || next % sizeof(uintptr_t) != 0 || !reaches(strand, next))
			break;
		const uintptr_t *outer =
		    (const uintptr_t *)next; // NOLINT(performance-no-int-to-ptr)
		if (outer[1] < PAGE)
			break;
		frames[count++] = outer[1];
		at = next;
	}
	end(frames, count, room);
}

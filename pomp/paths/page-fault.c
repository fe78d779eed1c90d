/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A timer that expires in the kernel sends its signal when the thread returns from there. If a page
 * fault brought it there, the processor has saved the thread's flags with the resume flag set:
 * faults set it, interrupts and system calls do not (Intel's manual, volume 3, 18.3.1.1; AMD's,
 * volume 2, 3.1.6). The handler's context has these flags.
 *
 * An interrupt between two iterations of a string instruction may set it, too. Such an instruction
 * has faulted if it stands at the begin of a page, where it goes on after a fault.
 */
#include "page-fault.h"

#include "unwind-tables.h"

#include <stdint.h>
#include <ucontext.h>

#if defined __x86_64__

enum { RESUME_FLAG = 1 << 16, PAGE = 4096, VECTOR = 64 };

/* It is as far as its widest access from the begin of a page. */
static bool is_at_page(greg_t address)
{
	return ((uint64_t)address + VECTOR) % PAGE < 2 * VECTOR;
}

/*
 * Returns whether it is a repeated string instruction: a repeat prefix, for eight bytes a second
 * one, and movs, cmps, stos, lods or scas. Only the code of files is read: what a program has made
 * may be in pages that cannot be read. Behind a prefix an instruction goes on.
 */
static bool is_repeated(uint64_t pc)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)pc;

	if (!unwind_knows(pc) || (code[0] | 1) != 0xf3)
		return false;
	uint8_t operation = code[(code[1] & 0xf0) == 0x40 ? 2 : 1];

	return (operation & 0xfc) == 0xa4 || (operation >= 0xaa && operation <= 0xaf);
}

bool pomp_in_page_fault(const void *context)
{
	const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;

	if (!(registers[REG_EFL] & RESUME_FLAG))
		return false;
	return !is_repeated((uint64_t)registers[REG_RIP]) || is_at_page(registers[REG_RDI]) ||
	       is_at_page(registers[REG_RSI]);
}

#else

bool pomp_in_page_fault(const void *context)
{
	(void)context;
	return false;
}

#endif

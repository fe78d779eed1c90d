/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a frame to its caller's, by the tables that compilers write for exceptions (.eh_frame; DWARF
 * 5, 6.4; Linux Standard Base, exception frames). For a signal handler, and for the observer, which
 * knows few registers of a thread: takes no lock, allocates nothing, uses no thread-local variable,
 * and reads the stack only where that was allowed.
 */
#ifndef UNWIND_TABLES_H
#define UNWIND_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/* Registers by their numbers in the tables; only those that a caller may need. */
#if defined __x86_64__
enum { UNWIND_REGISTERS = 17, UNWIND_FP = 6, UNWIND_SP = 7, UNWIND_RETURN = 16 };
#elif defined __aarch64__
enum { UNWIND_REGISTERS = 32, UNWIND_FP = 29, UNWIND_SP = 31, UNWIND_RETURN = 30 };
#else
enum { UNWIND_REGISTERS = 1, UNWIND_FP = 0, UNWIND_SP = 0, UNWIND_RETURN = 0 };
#endif

/* Where the caller's value of a register is: see enum rule_kind. */
struct unwind_rule {
	int64_t value;
	uint32_t kind;
};

/* The rules at one instruction. */
struct unwind_row {
	const uint8_t *expression; /* of the frame's address; NULL: register + offset */
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct unwind_rule rule[UNWIND_REGISTERS];
};

enum { UNWIND_SAVED_ROWS = 4 };

/*
 * A walk. It is large, so the caller keeps it off the stack of the interrupted thread.
 *
 *   stack    what may be read: the stack that was interrupted, and for a handler on an alternate
 *            stack the thread's own one
 *   copy     what added to a word's address is the address of its copy, which is read instead
 *   pc       the interrupted address, or a return address
 *   exact    pc was interrupted: it is the next instruction, and not that after a call
 *   unknown  UNWIND_BIT() of each register whose value is not known; a rule that needs one of them
 *            ends the walk
 */
#define UNWIND_BIT(number) (UINT32_C(1) << (number))

struct unwind_stack {
	uint64_t first, end;
};
struct unwind {
	struct unwind_stack stack[2];
	uint64_t copy;
	uint64_t pc;
	bool exact;
	uint32_t unknown;
	uint64_t reg[UNWIND_REGISTERS];
	/* Only within unwind_step(). */
	uint64_t caller[UNWIND_REGISTERS];
	struct unwind_row row, initial, saved[UNWIND_SAVED_ROWS];
};

enum unwind_result {
	UNWIND_STEPPED,  /* *unwind is the caller's frame */
	UNWIND_NO_TABLE, /* nothing is known about the code at pc */
	UNWIND_END,      /* there is no caller, or it cannot be read */
};

enum unwind_result unwind_step(struct unwind *unwind);

/* Returns whether the code at the address is in a table. */
bool unwind_knows(uint64_t address);

/* Returns the path of the file that has the code at the address; "": the program; NULL: none. */
const char *unwind_file(uint64_t address);

/* Reads a word of a stack; false: it is in no part that may be read. */
static inline bool unwind_read(const struct unwind *unwind, uint64_t address, uint64_t *value)
{
	for (int i = 0; i < 2 && address != 0; i++)
		if (address >= unwind->stack[i].first && address < unwind->stack[i].end &&
		    unwind->stack[i].end - address >= sizeof(*value)) {
			const void *place = (const void *)(uintptr_t)(address + unwind->copy);
			__builtin_memcpy(value, place, sizeof(*value));
			return true;
		}
	return false;
}

/*
 * Finds where functions' tables can be found without a lock; false: nowhere. Before any handler and
 * the observer; later calls change nothing.
 */
bool unwind_prepare(void);

#endif

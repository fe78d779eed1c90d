/* SPDX-License-Identifier: BSD-3-Clause */
/* What DWARF says of an address: the functions that it is in, through inlining, and their lines. */
#ifndef DEBUG_INFO_H
#define DEBUG_INFO_H

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From `address` on the code is of that line. */
struct code_row {
	uint64_t address;
	int line;
};

/*
 * A function that has the address in it, or into which that function was inlined. Its rows are the
 * lines of one file; what was inlined into it has the line of the call.
 */
struct code_level {
	char *function;        /* of the user's, around an outlined one; heap, NULL: unknown */
	char *file;            /* heap, NULL: unknown */
	struct code_row *rows; /* ascending by address */
	size_t row_count, row_room;
	int *declared; /* lines of its variables' declarations, which code may have, too */
	size_t declared_count, declared_room;
	bool
	    begins_with_line; /* its first instruction has one: flang's outlined functions do not */
};

struct code_levels {
	struct code_level *level; /* from the innermost to the outermost */
	size_t count, room;
	bool are_exact; /* each call has its line: the compiler is not GCC */
	/* CODE_ENTRY, of a function that does not begin with a line; 0: unknown. */
	int behind; /* lines up to here are none of the construct's */
	const struct code_level
	    *caller;   /* the function that called the runtime for it, NULL: unknown */
	uint64_t call; /* where that call returns to */
};

struct debug_info;

/* `patience` says whether there is still time, NULL: always. It keeps the Dwarf. */
struct debug_info *names_debug_info_new(
    Dwarf *dwarf, bool (*patience)(void *context), void *context);
void names_debug_info_free(struct debug_info *info);

/*
 * The levels at an address. [start, end) is its function by the symbols, for where there are lines
 * and nothing else; start == end: unknown. No level: nothing is known.
 */
struct code_levels names_debug_info_levels(
    struct debug_info *info, uint64_t address, uint64_t start, uint64_t end);
/* Whether variables of the function are declared on that line. */
bool names_level_declares(const struct code_level *level, int line);
void names_code_levels_free(struct code_levels *levels);

#endif

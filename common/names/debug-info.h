/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DWARF information about an address: the functions that contain it, through inlining, and their
 * lines.
 */
#ifndef DEBUG_INFO_H
#define DEBUG_INFO_H

#include "shared/code-names.h"

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From `address` on, the code belongs to that line. */
struct code_row {
	uint64_t address;
	int line;
};

/*
 * A function that contains the address, or that the containing function was inlined into. Its rows
 * are the lines of one file; code that was inlined into it has the line of the call.
 */
struct code_level {
	char *function;        /* of the user's, around an outlined one; heap, NULL: unknown */
	char *file;            /* heap, NULL: unknown */
	struct code_row *rows; /* ascending by address */
	size_t row_count, row_room;
	int *declared; /* lines where its variables are declared; code may have these lines too */
	size_t declared_count, declared_room;
	bool begins_with_line; /* its first instruction has a line: not so in flang's outlined
				  functions */
};

struct code_levels {
	struct code_level *level; /* from the innermost to the outermost */
	size_t count, room;
	bool are_exact; /* each call has its own line: the compiler is not GCC */
	/* For CODE_ENTRY of a function that does not begin with a line; 0: unknown. */
	int behind; /* lines up to this one do not belong to the construct */
	const struct code_level
	    *caller;   /* the function that called the runtime for it; NULL: unknown */
	uint64_t call; /* return address of that call */
};

struct debug_info;

/* `patience` returns whether there is still time; NULL: always. The debug_info keeps the Dwarf. */
struct debug_info *names_debug_info_new(
    Dwarf *dwarf, bool (*patience)(void *context), void *context);
void names_debug_info_free(struct debug_info *info);

/*
 * Returns the levels at an address. [start, end) is its function according to the symbols, used if
 * there are only lines; start == end: unknown. No levels: nothing is known.
 */
struct code_levels names_debug_info_levels(
    struct debug_info *info, uint64_t address, uint64_t start, uint64_t end);
/*
 * Finds the source line of an address, and the function that contains it. If that is inlined, the
 * functions around it follow. Only these members of the name are set.
 */
void names_debug_info_line(struct debug_info *info, uint64_t address, struct code_name *name);
/* Returns whether variables of the function are declared on that line. */
bool names_level_declares(const struct code_level *level, int line);
void names_code_levels_free(struct code_levels *levels);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variable in static storage that contains an address, from debug information. */
#ifndef VARIABLE_NAME_H
#define VARIABLE_NAME_H

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct variable {
	uint64_t start, size;
	Dwarf_Die die;
};

/*
 * The variables of all units. Those within functions are listed only if no other variable contains
 * the address that was asked for.
 */
struct variables {
	struct variable *variable;
	size_t count, room;
	bool has_outer, has_inner; /* which kinds were listed */
};

/*
 * Returns the variable at the address with the path to the part that is there: "lock", "locks[3]",
 * "table.rows[2].lock", or "lock + 8 bytes" if no member begins there. Heap; NULL: no variable is
 * known. `base` is the variable's name; NULL: as in the debug information. `patience` returns
 * whether there is still time.
 */
char *names_variable_at(struct variables *variables, Dwarf *dwarf, uint64_t address,
    const char *base, bool (*patience)(void *context), void *context);
void names_variables_free(struct variables *variables);

#endif

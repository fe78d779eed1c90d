/* SPDX-License-Identifier: BSD-3-Clause */
/* The variable in static storage that has an address, by debug information. */
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

/* Of all units; those within functions are listed only when the others do not have an address. */
struct variables {
	struct variable *variable;
	size_t count, room;
	bool has_outer, has_inner; /* which were listed */
};

/*
 * The variable at the address with the path to the part that is there: "lock", "locks[3]",
 * "table.rows[2].lock", "lock + 8 bytes" where no member begins there. Heap; NULL: no variable is
 * known. `base` is the variable's name, NULL: as the debug information has it. `patience` says
 * whether there is still time.
 */
char *names_variable_at(struct variables *variables, Dwarf *dwarf, uint64_t address,
    const char *base, bool (*patience)(void *context), void *context);
void names_variables_free(struct variables *variables);

#endif

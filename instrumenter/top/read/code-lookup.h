/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for outlined functions and locks of programs that are looked at, by libpomp_names.so.
 * Without that library, or without debug information, less is known.
 */
#ifndef CODE_LOOKUP_H
#define CODE_LOOKUP_H

#include "loaded-modules.h"
#include "shared/code-names.h"
#include "target-memory.h"

struct code_lookup {
	void *handle; /* NULL: there is no library */
	const struct code_names_table *table;
	struct code_namer *namer;
};

/* path: of the library; NULL: there is none. Never fails. */
void code_lookup_open(struct code_lookup *lookup, const char *path);

void code_lookup_close(struct code_lookup *lookup);

struct place_names;

/*
 * "solver.c:41 step", "step" without lines, or "libfoo.so+0x1234" without symbols, with the
 * function before it that `names` have (heap); NULL: nothing is known.
 */
char *code_lookup_region(struct code_lookup *lookup, const struct place_names *names,
    const struct loaded_modules *modules, struct target_memory *memory, uint64_t function);

/* Function, file and line of code (heap, code_name_free()); without lines the file is its module.
 */
struct code_name code_lookup_line(struct code_lookup *lookup, const struct loaded_modules *modules,
    struct target_memory *memory, uint64_t address);

/* The name of a lock in static storage, such as "guard" or "critical(door)" (heap), or NULL. */
char *code_lookup_lock(struct code_lookup *lookup, const struct loaded_modules *modules,
    struct target_memory *memory, uint64_t object);

#endif

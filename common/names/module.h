/* SPDX-License-Identifier: BSD-3-Clause */
/* A program or library whose code is to be named, and the files with its debug information. */
#ifndef MODULE_H
#define MODULE_H

#include "debug-files.h"
#include "debug-info.h"
#include "symbols.h"
#include "variable-name.h"

struct module {
	char *path, *build_id; /* as asked for */
	struct elf_file own;   /* not open if it is gone or was replaced by another file */
	struct elf_file debug; /* a separate file, or not open */
	struct elf_file supplementary;
	/* After names_module_read_debug(): */
	bool is_read;
	Dwarf *dwarf, *supplementary_dwarf; /* NULL: none */
	struct debug_info *info;            /* from dwarf, or NULL */
	struct symbols symbols;
	struct variables variables; /* filled in on demand */
	int64_t changed_at;         /* when the file was written, seconds since 1970; 0: unknown */
	char *problem;              /* why places in it get less than they might, or NULL; heap */
};

/* Opens whatever exists, and reads its symbols; it never fails, but may set `problem`. */
void names_module_open(
    struct module *module, const char *path, const char *build_id, const char *const *debug_dirs);
/* Opens the debug information, if it was not yet; may set `problem`, too. */
void names_module_read_debug(struct module *module, const char *const *debug_dirs,
    bool (*patience)(void *context), void *context);
/*
 * Returns how many bytes of debug information names_module_read_debug() and questions about lines
 * may have to go through, uncompressed; 0: there is none, or it was read.
 */
uint64_t names_module_debug_bytes(const struct module *module);
void names_module_close(struct module *module);

/* Calls in a stretch of code. */
struct calls {
	size_t all;
	size_t same; /* those with the same target as the call at the end of the stretch */
};

/*
 * Counts the calls from `from` on before the call that returns to `end`. None if the machine's
 * instructions are unknown.
 */
struct calls names_module_calls(const struct module *module, uint64_t from, uint64_t end);

/* Returns the target, in this file, of the call that returns to `end`; 0: unknown. */
uint64_t names_module_call_target(const struct module *module, uint64_t end);

#endif

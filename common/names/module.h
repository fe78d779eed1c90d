/* SPDX-License-Identifier: BSD-3-Clause */
/* A program or library whose code is to be named, with the files that have its debug information.
 */
#ifndef MODULE_H
#define MODULE_H

#include "debug-files.h"
#include "debug-info.h"
#include "symbols.h"
#include "variable-name.h"

struct module {
	char *path, *build_id; /* as asked for */
	struct elf_file own;   /* not open where it is gone, or another file is there now */
	struct elf_file debug; /* a separate file, or not open */
	struct elf_file supplementary;
	Dwarf *dwarf, *supplementary_dwarf; /* NULL: none */
	struct debug_info *info;            /* of dwarf, or NULL */
	struct symbols symbols;
	struct variables variables; /* as far as they were asked for */
	int64_t changed_at;         /* when the file was written, seconds since 1970; 0: unknown */
	char *problem;              /* why places in it get less than others, or NULL; heap */
};

/* Opens what there is; never fails, but then has a problem. */
void names_module_open(struct module *module, const char *path, const char *build_id,
    const char *const *debug_dirs, bool (*patience)(void *context), void *context);
void names_module_close(struct module *module);

/* Calls in a stretch of code. */
struct calls {
	size_t all;
	size_t same; /* that call what the call at the stretch's end does */
};

/*
 * Those in front of the call that returns to `end`, from `from` on. None where the machine's
 * instructions are not known.
 */
struct calls names_module_calls(const struct module *module, uint64_t from, uint64_t end);

/* What the call that returns to `end` calls in this file; 0: not known. */
uint64_t names_module_call_target(const struct module *module, uint64_t end);

#endif

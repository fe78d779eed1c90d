/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files whose code and data are in the process: of an address, which one it belongs to. Their
 * records are never given back: one that is unloaded keeps its record, and another one that is
 * loaded to the same place gets one of its own.
 */
#ifndef CODE_MODULE_H
#define CODE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct pomp_module {
	struct pomp_module *next;
	const void *map;   /* the loader's record */
	const char *start; /* of its memory */
	uintptr_t bias;    /* what the loader added to the file's addresses */
	bool stays;        /* it cannot be unloaded while the program runs */
	bool shows_loops;  /* its code calls the runtime for static loops, too: clang's, GCC 17's */
	char *loaded_as;   /* the loader's name for it */
	char *path;        /* absolute where that is known; "" for code of no file */
	char *build_id;    /* hexadecimal digits, or "" */
};

/*
 * The module at the address, made on first sight; NULL when memory ran out, and in libpomp.a. Takes
 * the process's lock.
 */
const struct pomp_module *pomp_module_find(const void *address);

/*
 * Whether what is at the address now is that module: it may have been unloaded. Takes no lock where
 * the C library has _dl_find_object() (2.35).
 */
bool pomp_module_is_at(const struct pomp_module *module, const void *address);

#endif

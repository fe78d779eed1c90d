/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files whose code and data are in the process: finds the file for an address. Records are
 * never freed. An unloaded file keeps its record, and a file that is loaded to the same place later
 * gets a record of its own.
 */
#ifndef CODE_MODULE_H
#define CODE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct pomp_module {
	struct pomp_module *next;
	const void *map;   /* the loader's record */
	const char *start; /* of its memory */
	uintptr_t bias;    /* load bias: the loader added it to the file's addresses */
	bool stays;        /* it cannot be unloaded while the program runs */
	bool shows_loops;  /* its code also calls the runtime for static loops: clang's, GCC 17's */
	char *loaded_as;   /* the loader's name for it */
	char *path;        /* absolute if known; "" for code that is in no file */
	char *build_id;    /* hexadecimal digits, or "" */
};

/*
 * Returns the module at the address, and makes it when it is first seen. NULL when memory ran out,
 * and always in libpomp.a. Takes the process lock.
 */
const struct pomp_module *pomp_module_find(const void *address);

/*
 * Returns whether the module is still at the address: it may have been unloaded. Takes no lock if
 * the C library has _dl_find_object() (2.35).
 */
bool pomp_module_is_at(const struct pomp_module *module, const void *address);

#endif

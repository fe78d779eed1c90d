/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dynamic symbols of a library as they are in the process's memory: its file may be in another
 * root, replaced or removed since.
 */
#ifndef MODULE_SYMBOLS_H
#define MODULE_SYMBOLS_H

#include "target-memory.h"

/*
 * The address of a symbol that the module with its first page at `base` defines; 0: it does not, or
 * its tables make no sense.
 */
uint64_t module_symbol(struct target_memory *memory, uint64_t base, const char *name);

enum { MODULE_BUILD_ID_SIZE = 129 };

struct module_identity {
	uint64_t bias;                       /* is added to the addresses in its file */
	char build_id[MODULE_BUILD_ID_SIZE]; /* hexadecimal digits; "": none */
};

/* False: there is no such module. */
bool module_identify(struct target_memory *memory, uint64_t base, struct module_identity *identity);

#endif

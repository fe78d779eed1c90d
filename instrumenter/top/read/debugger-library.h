/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libompd.so as a client sees it that reads running processes. Each process is one struct
 * debugger_target, which the library's callbacks get as the context.
 */
#ifndef DEBUGGER_LIBRARY_H
#define DEBUGGER_LIBRARY_H

#include "ompd-extensions.h"
#include "target-memory.h"

/* The functions that are called here. */
#define DEBUGGER_FUNCTIONS(FUNCTION)                                                               \
	FUNCTION(ompd_initialize)                                                                  \
	FUNCTION(ompd_finalize)                                                                    \
	FUNCTION(ompd_process_initialize)                                                          \
	FUNCTION(ompd_rel_address_space_handle)                                                    \
	FUNCTION(ompdx_get_threads)                                                                \
	FUNCTION(ompdx_get_waits)                                                                  \
	FUNCTION(ompdx_get_task_groups)

#define DEBUGGER_MEMBER(name) __typeof__(name) *name;
struct debugger_library {
	void *handle; /* NULL: it was not loaded */
	DEBUGGER_FUNCTIONS(DEBUGGER_MEMBER)
};
#undef DEBUGGER_MEMBER

struct debugger_target {
	struct target_memory memory;
	uint64_t table; /* address of the runtime's table of its fields */
};

/*
 * Loads and initialises the library of this installation. A path that a process names is not
 * loaded: it could be anything. False with *error (heap, or NULL if memory ran out).
 */
bool debugger_library_open(struct debugger_library *library, const char *path, char **error);

void debugger_library_close(struct debugger_library *library);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library itself: memory, and the debugger's callbacks, kept from ompd_initialize() to
 * ompd_finalize(). This is the only state that belongs to no target.
 */
#ifndef OMPD_LIBRARY_H
#define OMPD_LIBRARY_H

#include "omp-tools.h"

/* Returns NULL if the library is not initialised. */
const ompd_callbacks_t *library_callbacks(void);

/*
 * Allocates zeroed memory from the debugger. *memory is untouched on failure.
 *   ompd_rc_error   the library is not initialised
 *   ompd_rc_nomem   the debugger returned NULL
 *   any other       what its callback returned
 */
ompd_rc_t library_alloc(ompd_size_t bytes, void **memory);
ompd_rc_t library_free(void *memory);

#endif

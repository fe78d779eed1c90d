/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tool can call in the runtime (OpenMP 5.2, 19.6). */
#ifndef RT_ENTRIES_H
#define RT_ENTRIES_H
#include "omp-tools.h"

/* ompt_function_lookup_t: NULL for a name of no entry point, and for entry points of devices. */
ompt_interface_fn_t rt_entry_lookup(const char *name);

#endif

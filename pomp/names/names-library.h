/* SPDX-License-Identifier: BSD-3-Clause */
/* libpomp_names.so, which is loaded only when needed. */
#ifndef NAMES_LIBRARY_H
#define NAMES_LIBRARY_H

#include "shared/code-names.h"

/*
 * Loads it from libpomp.so's own folder, else from the usual places. NULL with a reason, which is
 * valid until the next call. libpomp.a has another version of this function, which always fails.
 */
const struct code_names_table *pomp_names_load(const char **reason);

#endif

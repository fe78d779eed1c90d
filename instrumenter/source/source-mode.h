/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst file.c`: writes the instrumented source of a file. */
#ifndef SOURCE_MODE_H
#define SOURCE_MODE_H

#include "options.h"

/*
 * vector (NULL-terminated) contains FILE [-o OUT] [-- compiler flags]; FILE is its first word.
 * Returns the exit code.
 */
int source_main(const struct options *options, const char *const *vector);

#endif

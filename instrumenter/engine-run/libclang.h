/* SPDX-License-Identifier: BSD-3-Clause */
/* For builds whose engine is not linked with libclang (-Dlibclang=load): the machine's libclang. */
#ifndef LIBCLANG_H
#define LIBCLANG_H

#include <stdbool.h>

/*
 * Loads the newest libclang that the dynamic linker finds, so that a module that is loaded later
 * finds its functions. Returns false with the names of packages in *error (heap, or NULL) if there
 * is none.
 */
bool libclang_load(char **error);

#endif

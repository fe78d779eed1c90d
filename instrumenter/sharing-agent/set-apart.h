/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls' blocks get cache lines of their own, as `ompinst sharing run --prove` asks. */
#ifndef SHARING_SET_APART_H
#define SHARING_SET_APART_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the words of the variable. */
void set_apart_begin(const char *words);

/* Is it the return address of such a call? */
bool set_apart_has(uintptr_t caller);

#endif

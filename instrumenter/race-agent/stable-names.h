/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of code and locks that are the same in each run of the program. */
#ifndef STABLE_NAMES_H
#define STABLE_NAMES_H

#include "shared/race-log.h"

#include <stdint.h>

/* The name of a lock that may be another one in another run. */
#define STABLE_UNKNOWN UINT64_C(1)

uint64_t stable_name_of_code(const void *code);

/*
 * Of a lock that is a static variable, a variable on the initial thread's stack, or in memory that
 * this thread has allocated; else STABLE_UNKNOWN.
 */
uint64_t stable_name_of_lock(const void *variable);

#endif

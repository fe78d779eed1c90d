/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that limit their own system calls. */
#ifndef LIMITED_CALLS_H
#define LIMITED_CALLS_H

#include <stdbool.h>

/* Notes what the process is allowed when measuring starts. */
void pomp_limits_note(void);

/*
 * Returns whether the program has installed a filter of system calls (seccomp) since. Such a filter
 * knows the program's own calls, and may kill the process at any other.
 */
bool pomp_calls_are_limited(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Work on files that may be damaged, or change meanwhile, within somebody else's process. */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>

/*
 * Calls step(context). False when it ended with SIGSEGV, SIGBUS, SIGFPE or SIGABRT in the calling
 * thread: what it had allocated is lost then. Other threads' signals do what they would have done.
 * One thread at a time.
 */
bool pomp_guarded(void (*step)(void *context), void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* For reading files that may be damaged, or may change meanwhile, inside a user's process. */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>

/*
 * Calls step(context). Returns false when it ended with SIGSEGV, SIGBUS, SIGFPE or SIGABRT in the
 * calling thread; whatever it had allocated is then lost. Signals in other threads have their usual
 * effect. Only one thread at a time may call this.
 */
bool pomp_guarded(void (*step)(void *context), void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When main ends by pthread_exit(), the process goes on until its last thread ends, and that thread
 * runs exit(). The C library counts our threads among them: one that stays keeps the process alive,
 * and the last one that ends within that exit() ends the process there and then.
 */
#ifndef LAST_THREAD_H
#define LAST_THREAD_H

#include <stdbool.h>

/* Whether all threads but the calling one have ended. False where that is not known. */
bool pomp_thread_is_last(void);

/*
 * While the process exits: makes a thread that lasts until it is gone, so that others may come and
 * end. Returns whether there is one.
 */
bool pomp_thread_holds_exit(void);

#endif

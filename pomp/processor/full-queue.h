/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When as many signals of a user wait as may wait (RLIMIT_SIGPENDING), which other processes can
 * cause at any time, the kernel sends SIGIO to a thread in place of an exact clock's signal. Left
 * alone, SIGIO ends the program.
 */
#ifndef FULL_QUEUE_H
#define FULL_QUEUE_H

/*
 * Lets the program survive that SIGIO, unless it has set an action for SIGIO itself. One that sets
 * it later replaces ours, and gets a SIGIO of no file then.
 */
void pomp_full_queue_prepare(void);

#endif

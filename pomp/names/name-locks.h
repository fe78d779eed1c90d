/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of lock variables. */
#ifndef NAME_LOCKS_H
#define NAME_LOCKS_H

/*
 * Gives the lock variables that were acquired their names (shared/lock-titles.h), and writes them
 * to the definitions log.
 */
void pomp_locks_name(void);

#endif

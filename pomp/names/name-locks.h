/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of lock variables. */
#ifndef NAME_LOCKS_H
#define NAME_LOCKS_H

/*
 * Gives the lock variables that were acquired their names, different ones to different locks, and
 * writes them to the definitions log: "lock VARIABLE" in static storage, "lock FILE+OFFSET" there
 * where no variable is known, else "lock FILE:LINE" of where it was initialized if that is known,
 * else "lock ADDRESS". Process lock held.
 */
void pomp_locks_name(void);

#endif

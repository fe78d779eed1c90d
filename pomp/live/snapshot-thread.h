/* SPDX-License-Identifier: BSD-3-Clause */
/* POMP_SNAPSHOT: the profile so far, written to a file every so many seconds. */
#ifndef SNAPSHOT_THREAD_H
#define SNAPSHOT_THREAD_H

/* Starts the thread that writes them, if the settings say so. Measuring has started. */
void pomp_snapshots_start(void);

/* Ends the thread; one that is writing completes its file. */
void pomp_snapshots_stop(void);

#endif

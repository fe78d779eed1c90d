/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OUTSIDE_LIBRARY_H
#define OUTSIDE_LIBRARY_H

/* Sleeps in a call of libc's, for longer than a test lasts. */
void sleep_in_library(void);

/* The same in a worker of a region. */
void region_in_library(void);

/* Waits until the flag is set. */
int MPI_Send(volatile int *flag, int destination, int send_tag);

#endif

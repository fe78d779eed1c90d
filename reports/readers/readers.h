/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of one report: `mpirun -np 4 ompreport ...` starts four, which read an archive
 * together. Process 0 is the one that the user knows: it reads the command line and prints. The
 * others do what it asks for. Without mpirun there is process 0 alone, and MPI is not loaded.
 */
#ifndef READERS_H
#define READERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reader-message.h"

/*
 * Joins the processes that mpirun, mpiexec or srun started with this one. OMPREPORT_MPI=openmpi or
 * mpich says which MPI, OMPREPORT_MPI=none that this process is alone. Call it once, when main()
 * begins. When process 0 exits, the others are told. Returns false if this process has nothing to
 * do because the MPI could not be loaded; process 0 then works alone and has said so.
 */
bool readers_join(void);

/* 1 if nothing was joined. */
size_t readers_count(void);
/* From 0 to readers_count() - 1. */
size_t readers_index(void);

/* Sends the message; receives one that can be read. Only process 0 speaks with all others. */
void readers_send(size_t to, const struct message *message);
void readers_receive(size_t from, struct message *message);

/*
 * Whether others wait for what this process is doing. If it exits meanwhile, all of the job ends
 * with exit status 1.
 */
void readers_depend(bool depend);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI a link step is for: the library of wrappers is another one for each. */
#ifndef MPI_H
#define MPI_H

#include "compiler-run.h"

/* True for the compiler wrappers of MPI installations: mpicc, mpicxx.openmpi, mpif90 ... */
bool mpi_is_compiler(const struct compiler *compiler);

/* "openmpi", "mpich", or NULL when the command links no MPI that ompinst has wrappers for. */
const char *mpi_of_link(struct wrapper *wrapper);

#endif

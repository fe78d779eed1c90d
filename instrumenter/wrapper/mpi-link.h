/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI for which a link step is: each MPI has its own library of wrappers. */
#ifndef MPI_LINK_H
#define MPI_LINK_H

#include "compiler-run.h"

/* True for the compiler wrappers of MPI installations: mpicc, mpicxx.openmpi, mpif90 ... */
bool mpi_is_compiler(const struct compiler *compiler);

/* "openmpi", "mpich", or NULL if the command links no MPI that ompinst has wrappers for. */
const char *mpi_of_link(struct wrapper *wrapper);

#endif

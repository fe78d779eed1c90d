/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ends of a rank, for the wrappers of C and of Fortran. */
#ifndef LIFE_H
#define LIFE_H

#include "call.h"

HIDDEN void mpi_life_begin(void);
HIDDEN void mpi_life_end(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What list-calls reads, once it is preprocessed. */
#include <mpi.h>

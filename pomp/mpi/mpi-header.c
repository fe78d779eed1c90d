/* SPDX-License-Identifier: BSD-3-Clause */
/* list-calls reads the preprocessed form of this file. */
#include <mpi.h>

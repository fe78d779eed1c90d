/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the machine on which this process runs. */
#ifndef MACHINE_MEASURE_H
#define MACHINE_MEASURE_H

#include "common/machine-figures.h"

/*
 * Measures with 1, 2, 4, ... threads and with one for each processor on which this process may run.
 * Takes about a second for each row. Returns false with *error (heap, NULL if memory ran out).
 */
bool machine_measure(struct machine_figures *figures, char **error);

#endif

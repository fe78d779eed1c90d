/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that compile OpenMP directives without -fopenmp, as if they were comments. */
#ifndef FORGOTTEN_OPENMP_H
#define FORGOTTEN_OPENMP_H

#include "compiler-run.h"

/*
 * Warns on standard error if the command passes through to the compiler because -fopenmp is
 * missing, and an input contains directives; with --verbose prints a line for each other input,
 * too. Prints nothing if the user chose this (-fno-openmp, -fopenmp-simd), and in checks of build
 * systems.
 */
void forgotten_openmp_report(const struct wrapper *wrapper);

#endif

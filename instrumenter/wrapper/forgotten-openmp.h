/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that compile directives of OpenMP without -fopenmp, as if they were comments. */
#ifndef FORGOTTEN_OPENMP_H
#define FORGOTTEN_OPENMP_H

#include "compiler-run.h"

/*
 * A line on standard error where the command passes through to the compiler for want of -fopenmp,
 * and an input has directives in its text; with --verbose a line for each other input, too. Nothing
 * where the user decided so (-fno-openmp, -fopenmp-simd), and in checks of build systems.
 */
void forgotten_openmp_report(const struct wrapper *wrapper);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Languages other than C and C++: Fortran, which the runtime reports, and those that are not read.
 */
#ifndef LANGUAGES_H
#define LANGUAGES_H

#include "compiler-run.h"

/*
 * Why an input that OpenMP may be in is not instrumented, by its language; NULL where it is, or has
 * none. Fortran has a reason only where the options ask for more than the runtime can report.
 */
const char *language_skip_reason(const struct wrapper *wrapper, const struct command_part *part);

/*
 * Does the command link a program or library with Fortran in it? That is so by its sources, by the
 * compiler that links, and by the libraries of a Fortran compiler among the inputs.
 */
bool language_has_fortran(const struct wrapper *wrapper);

#endif

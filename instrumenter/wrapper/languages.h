/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Languages other than C and C++: Fortran, whose constructs the runtime reports, and languages that
 * are not supported.
 */
#ifndef LANGUAGES_H
#define LANGUAGES_H

#include "compiler-run.h"

/*
 * Why the language of an input that may contain OpenMP is not instrumented; NULL if it is, or if
 * the language has no OpenMP. Fortran has a reason only if the options ask for more than the
 * runtime can report.
 */
const char *language_skip_reason(const struct wrapper *wrapper, const struct command_part *part);

/*
 * Does the command link a program or library that contains Fortran? Its sources, the compiler that
 * links, or a Fortran compiler's library among the inputs show it.
 */
bool language_has_fortran(const struct wrapper *wrapper);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of Fortran sources that fix races. There is no parser of Fortran here: a change is
 * proposed only where the statements of one procedure, compared as text, decide.
 */
#ifndef FORTRAN_REMEDIES_H
#define FORTRAN_REMEDIES_H

#include "explanation.h"
#include "lint.h"

/*
 * Looks for the one right remedy of the race. name: the variable of both accesses, "" if not
 * known. False if the text does not decide; else *result has the changes, whose strings are the
 * arena's.
 */
bool fortran_remedy_find(struct inst_arena *arena, const struct race_finding *finding,
    const struct race_words *words, const char *name, struct lint_finding *result);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the loops whose iterations may be divided otherwise in each run, and gives them the clause
 * of loop-schedule.h. Nothing else in the text changes: lines stay, and what is not on a
 * directive's line keeps its column.
 */
#ifndef RACE_DIVIDED_LOOPS_H
#define RACE_DIVIDED_LOOPS_H

#include <stddef.h>

/*
 * C or C++ in which directives are as the user wrote them; macros may be defined in it. Returns the
 * text with the clauses (heap); NULL: it has no such loop, or memory ran out.
 */
char *divided_loops_in_c(const char *text, size_t length, size_t *new_length);

/* The same for a file in Fortran, whose name says its form. Line markers in the text name it. */
char *divided_loops_in_fortran(const char *path, size_t *new_length);

#endif

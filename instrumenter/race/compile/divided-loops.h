/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the loops whose iterations may be divided otherwise in each run, and gives them the clauses
 * of loop-schedule.h. Nothing else in the text changes: lines stay, and what is not on a
 * directive's line keeps its column.
 */
#ifndef RACE_DIVIDED_LOOPS_H
#define RACE_DIVIDED_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

/* Are simd loops divided into lanes (lane-loops.h)? clang cannot order what lanes do. */
enum lane_division { NO_LANES, LANES_WITHOUT_ORDER, ALL_LANES };

/*
 * C or C++ in which directives are as the user wrote them; macros may be defined in it. Returns the
 * text with the clauses (heap); NULL: it has no such loop, or memory ran out.
 */
char *divided_loops_in_c(
    const char *text, size_t length, enum lane_division lanes, size_t *new_length);

/* The same for a file in Fortran, whose name says its form. Line markers in the text name it. */
char *divided_loops_in_fortran(const char *path, enum lane_division lanes, size_t *new_length);

/*
 * Whether two texts, preprocessed with their macros expanded, are the same but for line markers and
 * what the functions above add or replace. They differ, too, if the program prints a
 * directive, or if a header depends on what preprocessing twice loses.
 */
bool divided_loops_are_all(const char *text, size_t length, const char *divided, size_t new_length);

#endif

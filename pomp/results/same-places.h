/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one construct that the compiler made into several functions or calls. */
#ifndef SAME_PLACES_H
#define SAME_PLACES_H

struct summary;

/*
 * Regions that are known by their code and have the same construct and lines become one row, and so
 * do their tasks: templates, inlined functions. The figures by thread are then those of the code
 * that had the least and the most.
 */
void pomp_join_same_places(struct summary *summary);

#endif

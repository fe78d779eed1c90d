/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one construct that the compiler turned into several functions or calls. */
#ifndef SAME_PLACES_H
#define SAME_PLACES_H

struct summary;

/*
 * Regions that are identified by their code and have the same construct and lines become one row,
 * and so do their tasks: templates, inlined functions. The minimum and maximum per thread are then
 * those of the single code with the least and the most.
 */
void pomp_join_same_places(struct summary *summary);

#endif

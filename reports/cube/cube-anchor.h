/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anchor.xml of a Cube 4 profile: metrics, regions, call tree, and machine, nodes, processes and
 * threads. Elements and their order are those that Cube's own parser reads (version 4.4 of the
 * syntax). A metric's identifier is its place in cube_metrics, a call path's its place in the order
 * of the sums, a location's its column.
 */
#ifndef CUBE_ANCHOR_H
#define CUBE_ANCHOR_H

#include "call-sums.h"
#include "cube-system.h"

void cube_anchor_write(FILE *out, const struct archive *archive, const struct call_sums *sums,
    const struct cube_system *system);

#endif

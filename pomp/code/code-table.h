/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptors of constructs that are known by the address of their code. */
#ifndef CODE_TABLE_H
#define CODE_TABLE_H

#include "pomp.h"
#include "shared/code-events.h"

/*
 * The descriptor of the construct there, made and registered on first sight; NULL when memory ran
 * out. Takes no lock for one that was seen before. `lock`: a critical's, else NULL.
 */
OMPRegDescr *pomp_code_find(
    enum construct_id construct, struct code_address where, const void *lock);

#endif

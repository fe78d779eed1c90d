/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptors of constructs that are identified by the address of their code. */
#ifndef CODE_TABLE_H
#define CODE_TABLE_H

#include "pomp.h"
#include "shared/code-events.h"

/*
 * Returns the descriptor of the construct there, made and registered when it is first seen; NULL
 * when memory ran out. Takes no lock for a construct that was seen before. `lock`: for a critical,
 * else NULL.
 */
OMPRegDescr *pomp_code_find(
    enum construct_id construct, struct code_address where, const void *lock);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of dependences between iterations, for a tool. */
#ifndef RT_DOACROSS_H
#define RT_DOACROSS_H
#include <stdint.h>

#include "omp-tools.h"

struct rt_thread;

/* One dependence for each dimension, with the iteration's value or number in it. */
void rt_doacross_emit(struct rt_thread *self, ompt_dependence_type_t type,
    const uint64_t *iteration, uint32_t dimensions);

#endif

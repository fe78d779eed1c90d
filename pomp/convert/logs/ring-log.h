/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a ring (POMP_TRACE_RING) as a log: its segments in their order. */
#ifndef RING_LOG_H
#define RING_LOG_H

#include "log-reader.h"

#include <stdbool.h>

/*
 * Makes the records of a ring, whose file is mapped, one log: log->words, end, start,
 * lacks_earlier and unrolled (heap). The log is empty if no segment can be used. False when memory
 * ran out.
 */
bool convert_ring_unroll(struct convert_log *log, uint64_t segment_bytes);

#endif

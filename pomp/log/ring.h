/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's event log of which only the latest records are kept (POMP_TRACE_RING):
 * shared/trace-log.h describes the format. Its file grows segment by segment up to its size; if no
 * more can be reserved, it stays as large as it is, and nothing but older events is lost.
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stdint.h>

struct pomp_log;

/* Opens the thread's ring; false if that is not possible. Process lock held. */
bool pomp_ring_open(struct pomp_log *log, uint64_t location, uint64_t time);

/*
 * Begins the next segment, which no reader sees yet. What is logged from here to
 * pomp_ring_publish() opens again what is open on the thread.
 */
void pomp_ring_turn(struct pomp_log *log);
void pomp_ring_publish(struct pomp_log *log);

/*
 * Makes room for a record in the middle of an event: behind the limit, where a segment has room for
 * the records of usual events. If that is full, too, the next segment begins without a state.
 */
void pomp_ring_make_room(struct pomp_log *log);

/* Closes the ring. The files of the latest threads that ended are kept. Process lock held. */
void pomp_ring_close(struct pomp_log *log);

#endif

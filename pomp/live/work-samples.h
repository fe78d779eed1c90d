/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of their time threads have worked, by their samples: known also within constructs. */
#ifndef WORK_SAMPLES_H
#define WORK_SAMPLES_H

#include <stdint.h>

/*
 * Returns the samples so far of threads that did not wait in OpenMP: in teams those of all threads,
 * outside those of the first one. It may become less when threads end.
 */
uint64_t pomp_work_samples(void);

/*
 * Returns the share of the threads' time in which they worked (0 to 1), or -1 if it is not known,
 * from two numbers of samples, with so many in a second of a thread's work.
 */
double pomp_work_share(
    uint64_t before, uint64_t now, uint64_t rate, uint64_t threads, uint64_t nanoseconds);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutations of an input of the fuzz target that keep what a log consists of: records and entries.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Changes one record or entry of the logs in `data` in place, the same for the same seed: its kind
 * with the payload that belongs to it, its argument, a value, its time, its place. Returns the new
 * size, at most `most`.
 */
size_t mutate_logs(uint8_t *data, size_t size, size_t most, uint64_t seed);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the reader of a trace cannot know from its events: how many are missing, and what measuring
 * cost.
 */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "convert-archive.h"
#include "set.h"

/*
 * Sums up the processes of the set in `conversion`, and writes what a reader cannot know into the
 * archive's properties.
 */
void convert_write_account(struct convert_output *output, const struct convert_set *set,
    uint64_t ticks_per_second, struct trace_conversion *conversion);

/*
 * Also writes how many arguments of the program have no room, and which metrics could not be
 * measured; the first process represents all.
 */
void convert_write_left_out(struct convert_output *output, const struct convert_input *input);

#endif

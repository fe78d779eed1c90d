/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace's reader cannot know from its events: how many are missing, what measuring cost. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "archive.h"
#include "set.h"

/*
 * Sums the processes of the set up in `conversion` and writes what a reader cannot know into the
 * archive's properties.
 */
void convert_write_account(struct convert_output *output, const struct convert_set *set,
    struct trace_conversion *conversion);

/*
 * Also how many arguments of the program have no room, and which metrics could not be measured;
 * those of the first process stand for all.
 */
void convert_write_left_out(struct convert_output *output, const struct convert_input *input);

#endif

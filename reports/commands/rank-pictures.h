/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of ranks in letters: the waits of their threads, and messages by sender and receiver. */
#ifndef RANK_PICTURES_H
#define RANK_PICTURES_H

#include "analysis.h"

/*
 * A row for each chosen process and a letter for each of its threads: how many tenths of the run it
 * waited. Of more processes than most (0: any number) the rows are those at the quantiles, by how
 * much they waited; more threads than fit share letters. NULL when there is nothing to show. The
 * caller frees it.
 */
char *rank_picture_waits(
    const struct analysis *analysis, const bool *counted, int width, size_t most);

/*
 * A row for each sender and a column for each receiver with the number of messages; more processes
 * than fit share rows and columns. NULL when there were no messages.
 */
char *rank_picture_messages(const struct analysis *analysis, int width);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pictures of ranks made of characters: the waits of their threads, and messages by sender and
 * receiver.
 */
#ifndef RANK_PICTURES_H
#define RANK_PICTURES_H

#include "analysis.h"

/*
 * A row for each chosen process with a character for each of its threads: how many tenths of the
 * run it waited. If there are more processes than `most` (0: no limit), the rows are the quantiles
 * of the processes by waiting time; if there are more threads than fit, they share characters. NULL
 * if there is nothing to show. The caller frees it.
 */
char *rank_picture_waits(
    const struct analysis *analysis, const bool *counted, int width, size_t most);

/*
 * A row for each sender and a column for each receiver with the number of messages; if there are
 * more processes than fit, they share rows and columns. NULL if there were no messages.
 */
char *rank_picture_messages(const struct analysis *analysis, int width);

#endif

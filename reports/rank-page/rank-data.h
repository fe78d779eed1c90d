/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of each rank in the page, for its script. */
#ifndef RANK_DATA_H
#define RANK_DATA_H

#include "rank-groups.h"

/* Whether the page has the data of each rank, and of each thread if ranks have several. */
bool rank_data_has_ranks(const struct rank_groups *groups);
bool rank_data_has_threads(const struct rank_groups *groups);

/* Writes the block of data "rank-data" (rank-data.c says what is in it), if there is any. */
void rank_data_write(const struct page *page, const struct rank_groups *groups);

#endif

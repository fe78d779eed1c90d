/* SPDX-License-Identifier: BSD-3-Clause */
/* The last correction of clocks: no message between machines arrives before it was sent. */
#ifndef MESSAGE_ORDER_H
#define MESSAGE_ORDER_H

#include "rank.h"
#include "shared/ranks.h"

/*
 * Called by all ranks, before they write events and after their clocks were mapped to the
 * reference: shifts the clocks if messages seem to arrive early. *early: how many messages of all
 * ranks did; *kept: how many still do, because clocks that contradict each other were left
 * unchanged. Returns 0, or -1 when the ranks can no longer be reached.
 */
int convert_order_messages(struct convert_rank *rank, const struct pomp_ranks *ranks,
    const struct convert_reference *reference, uint64_t *early, uint64_t *kept);

#endif

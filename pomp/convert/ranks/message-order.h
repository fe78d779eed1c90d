/* SPDX-License-Identifier: BSD-3-Clause */
/* The last correction of clocks: no message between machines arrives before it was sent. */
#ifndef MESSAGE_ORDER_H
#define MESSAGE_ORDER_H

#include "rank.h"
#include "shared/ranks.h"

/*
 * All ranks, before they write events and once their clocks are laid on the reference: shifts them
 * where messages seem to arrive early. *early: how many of all ranks' messages did; *kept: how many
 * still do, because clocks that contradict each other were left as they are. Returns 0, or -1 when
 * the ranks cannot be reached any more.
 */
int convert_order_messages(struct convert_rank *rank, const struct pomp_ranks *ranks,
    const struct convert_reference *reference, uint64_t *early, uint64_t *kept);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic loops that deal their chunks to the members; see deal.c. */
#ifndef RT_DEAL_H
#define RT_DEAL_H

#include <stdbool.h>
#include <stdint.h>

struct rt_team;
struct rt_thread;

/* Does the calling member's loop, which has its slot, deal so many chunks? All members agree. */
bool rt_deal_begin(struct rt_thread *self, uint64_t chunks);

/* The number of the next chunk for the calling member. False: all have been begun. */
bool rt_deal_next(struct rt_thread *self, uint64_t *chunk);

/* Makes the slot ready for its next construct; all members have left it. */
void rt_deal_clear(struct rt_team *team, uint32_t slot);

#endif

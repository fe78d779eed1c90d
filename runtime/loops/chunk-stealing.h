/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic loops in which each member has a share of the chunks and steals from the others. */
#ifndef RT_CHUNK_STEALING_H
#define RT_CHUNK_STEALING_H
#include <stdbool.h>
#include <stdint.h>

struct rt_team;
struct rt_thread;

/*
 * Returns whether the calling member's loop, which has its slot and `chunks` chunks, is divided
 * into shares. The answer is the same for all members.
 */
bool rt_chunk_stealing_begin(struct rt_thread *self, uint64_t chunks);

/* Sets what rt_loop_claim() needs for the share that the member claims from. */
void rt_chunk_stealing_set_claims(struct rt_thread *self);

/* Gives the number of the next chunk for the calling member. False: all have been begun. */
bool rt_chunk_stealing_next(struct rt_thread *self, uint64_t *chunk);

/* Makes the slot ready for its next construct; all members have left it. */
void rt_chunk_stealing_clear(struct rt_team *team, uint32_t slot);

#endif

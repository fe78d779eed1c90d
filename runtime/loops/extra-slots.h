/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slots that a team has beyond its own ones, found by the construct that they serve. A member
 * that encounters only `nowait` constructs may be any number of them ahead, so the time to find a
 * slot must not grow with their number. All of this is done under the team's extras_mutex.
 */
#ifndef RT_EXTRA_SLOTS_H
#define RT_EXTRA_SLOTS_H
#include "workshare.h"

/* The slot of construct `serial`, NULL: there is none. */
struct rt_workshare *rt_extra_find(const struct rt_extra_slots *extras, uint32_t serial);

/* Makes the slot of construct `serial`; ends the program if there is no memory. */
struct rt_workshare *rt_extra_new(struct rt_extra_slots *extras, uint32_t serial);

/* Frees the slot of construct `serial`. */
void rt_extra_free(struct rt_extra_slots *extras, uint32_t serial);

void rt_extra_free_all(struct rt_extra_slots *extras);

#endif

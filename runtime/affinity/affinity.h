/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding the members of a team to places, following the rules of places.h. */
#ifndef RT_AFFINITY_H
#define RT_AFFINITY_H
#include "team.h"

/*
 * Decides how the members of a team that is about to begin are bound, and whether each shows where
 * it runs (OMP_DISPLAY_AFFINITY); `clause` is the region's proc_bind clause (enum rt_bind, 0:
 * none). Called by the forking thread before the members start.
 */
void rt_affinity_begin_team(struct rt_thread *self, struct rt_team *team, uint32_t clause);

/*
 * Binds the calling thread as a member of a bound team and gives its implicit task the partition.
 */
void rt_affinity_enter(struct rt_thread *self, struct rt_member *member);

/*
 * Binds an initial thread to the first place of its partition if there are places and it is not
 * bound yet. That happens at its first parallel region or query of places, not at start-up: threads
 * that the program makes before would inherit the binding.
 */
void rt_place_initial(struct rt_thread *self);

#endif

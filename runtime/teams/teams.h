/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on teams: they are made, begin a region, pass barriers, end the region, and are freed.
 * struct rt_team is the record.
 */
#ifndef RT_TEAMS_H
#define RT_TEAMS_H
#include "team.h"

/*
 * Returns the hot team of the calling thread's place with up to *size members; may start threads.
 * *size becomes the number of members. NULL: no memory.
 */
struct rt_team *rt_team_prepare(struct rt_thread *self, uint32_t *size);

/* The same for a region of one thread. */
struct rt_team *rt_team_prepare_serialized(struct rt_thread *self);

/* Starts the region that the fields describe for team->size members, except for the caller. */
void rt_team_publish(struct rt_team *team);

/* Member `member` enters the team's region, described by `begin`, on thread `self`. */
void rt_team_enter(
    struct rt_thread *self, struct rt_member *member, const struct rt_region_begin *begin);

/*
 * The end of the region for one member; number 0 returns when all have arrived and no task is left.
 */
void rt_team_join(struct rt_thread *self);
/* The same by RT_BY_TOOL; for all members, or none. */
void rt_team_join_with_tool(struct rt_thread *self);

/* After a cancelled region: makes the two members of a pair continue from the same count. */
void rt_team_level_pair(struct rt_team *team);

/* A barrier, for one member. True: the region was cancelled. */
bool rt_team_barrier(struct rt_thread *self);
/* The same by RT_BY_TOOL, after rt_note_call(). */
bool rt_team_barrier_with_tool(struct rt_thread *self, ompt_sync_region_t kind);

/*
 * Makes an initial team for the calling thread; NULL: no memory. A team that serves only for a
 * while, for a region with its own context, is given back with rt_team_keep_context().
 */
struct rt_team *rt_team_new_initial(struct rt_thread *self);
void rt_team_keep_context(struct rt_thread *self, struct rt_team *team);
/* Frees all teams that the thread keeps, when it ends. */
void rt_team_free_contexts(struct rt_thread *self);

/* Ends the team's threads and those of the teams below it, and frees them all. */
void rt_team_free(struct rt_team *team);

/*
 * With a tool, when the process ends: makes all workers below the calling thread's place, where no
 * region is active, emit their ends. They then sleep again, and would still execute further
 * regions.
 */
void rt_team_emit_ends_below(struct rt_thread *self, struct rt_member *member);

/* Reports once on stderr that thread number `wanted` of a team cannot be started. */
void rt_report_thread_shortage(int error, uint32_t wanted);

#endif

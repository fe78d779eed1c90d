/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team whose threads are the harness's own: what its members do within a region can be tried in
 * every order without the steps of the region's begin and end.
 *
 *	hand_team_new(2);
 *	check_start(member, NULL);   each calls hand_team_enter() first
 *	member(NULL);
 *	check_join();
 */
#ifndef TEAM_BY_HAND_H
#define TEAM_BY_HAND_H
#include "initial-thread.h"
#include "process.h"
#include "team.h"
#include "teams.h"

/* No wait spins: each sleeps as soon as it may. Before anything else of the runtime is called. */
void hand_no_spinning(void);

/* Makes the team, by the thread run(). No thread is started. */
struct rt_team *hand_team_new(uint32_t size);

/* The calling thread, number check_thread() of the run, is the member with that number. */
struct rt_thread *hand_team_enter(void);

/* All of the above for a team whose members each execute the body, which enters first. */
void hand_team_run(uint32_t size, void (*body)(void *));
/* The same for three members that are divided into the groups of 0 and 1, and of 2. */
void hand_team_run_divided(void (*body)(void *));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team whose threads belong to the harness: its members' actions within a region can be tried in
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

/*
 * Makes all waits sleep as soon as possible, without spinning. Call it before any other function of
 * the runtime.
 */
void hand_no_spinning(void);

/* Makes the team; called by the thread run(). Starts no threads. */
struct rt_team *hand_team_new(uint32_t size);

/* Makes the calling thread the member with its number, check_thread(). */
struct rt_thread *hand_team_enter(void);

/*
 * Does all of the above for a team whose members each execute the body, which calls
 * hand_team_enter() first.
 */
void hand_team_run(uint32_t size, void (*body)(void *));
/* The same for three members in two groups: members 0 and 1, and member 2. */
void hand_team_run_divided(void (*body)(void *));

#endif

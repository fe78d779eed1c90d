/* SPDX-License-Identifier: BSD-3-Clause */
/* A league of teams on the host: what the entry points of gcc and clang have in common. */
#ifndef RT_TEAMS_CONSTRUCT_H
#define RT_TEAMS_CONSTRUCT_H
#include "team.h"

struct rt_teams_request {
	rt_region_fn *fn; /* argument of fn for each team */
	void *data;
	rt_region_fn *code;        /* the program's code that fn calls, NULL: fn is it */
	uint32_t teams;            /* num_teams clause, 0: none */
	uint32_t teams_by_default; /* if neither the clause nor nteams-var gives a number */
	uint32_t limit;            /* thread_limit clause, 0: none */
};

/* Executes the teams one after the other on the calling thread; called after rt_note_call(). */
void rt_teams_run(struct rt_thread *self, const struct rt_teams_request *request);

#endif

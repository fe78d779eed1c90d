/* SPDX-License-Identifier: BSD-3-Clause */
/* A league of teams on the host: what the entry points of gcc and clang have in common. */
#ifndef RT_TEAMS_CONSTRUCT_H
#define RT_TEAMS_CONSTRUCT_H
#include "team.h"

struct rt_teams_request {
	rt_region_fn *fn; /* each team's */
	void *data;
	rt_region_fn *code;        /* what fn calls for the program, NULL: fn is it */
	uint32_t teams;            /* num_teams clause, 0: none */
	uint32_t teams_by_default; /* where neither the clause nor nteams-var says anything */
	uint32_t limit;            /* thread_limit clause, 0: none */
};

/* Executes the teams one after the other on the calling thread; after RT_TOOL_CALL(). */
void rt_teams_run(struct rt_thread *self, const struct rt_teams_request *request);

#endif

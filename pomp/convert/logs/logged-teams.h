/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first pass over the logs: which teams there were, and which locations were in them. An OTF2
 * communicator represents a set of members with a parent, not a single execution: equal teams share
 * one.
 */
#ifndef LOGGED_TEAMS_H
#define LOGGED_TEAMS_H

#include "log-reader.h"
#include "number-table.h"

#define CONVERT_NONE UINT32_MAX

/* One execution of a parallel region. */
struct convert_team {
	uint64_t number;
	uint64_t parent;        /* number of the team that its master was in, or 0 */
	uint64_t members_hash;  /* of the (thread number, location) pairs, in any order */
	uint32_t size;          /* how many threads began */
	uint32_t comm;          /* CONVERT_NONE: no thread began */
	uint32_t master;        /* location, or CONVERT_NONE */
	uint32_t master_number; /* the master's thread number in parent */
};

struct convert_comm {
	size_t team;     /* index of the first team like this */
	uint32_t parent; /* comm, or CONVERT_NONE */
	uint32_t size;
	uint32_t *member; /* locations by thread number */
	uint32_t *rank; /* thread numbers by ascending location, for the members that were found */
	uint32_t found;
};

/* A location's first team, which names it. */
struct convert_thread {
	uint64_t first_team; /* 0: never in another thread's team */
	uint32_t first_number;
};

struct convert_teams {
	struct convert_team *teams; /* in the order in which the logs mention them */
	size_t team_count, team_capacity;
	struct convert_numbers places; /* index in teams by number, unless ascending */
	bool ascending;                /* the teams' numbers are ascending */
	struct convert_comm *comms;
	size_t comm_count, comm_capacity;
	uint32_t *members;              /* of all comms, and their ranks */
	struct convert_thread *threads; /* by location */
	uint32_t lock_count;            /* highest lock number of any routine or critical */
	uint64_t last;                  /* latest time of all logs */
};

/* Reads all logs once or twice; false when memory ran out. Locations are indices in input->logs. */
bool convert_teams_collect(struct convert_teams *teams, const struct convert_input *input);
void convert_teams_free(struct convert_teams *teams);

/*
 * Returns the team, or NULL for a number that no log mentions. *near: the index of a previous team,
 * and then of this one.
 */
struct convert_team *convert_team_find(
    const struct convert_teams *teams, uint64_t number, size_t *near);

/* Returns the location's thread number within the comm, or 0 if it is not a member. */
uint32_t convert_comm_rank(const struct convert_comm *comm, uint32_t location);

#endif

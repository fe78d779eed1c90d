/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of `ompreport check`, and the pass over an archive that finds violations. */
#ifndef ARCHIVE_CHECK_H
#define ARCHIVE_CHECK_H

#include "archive.h"

enum rule {
	RULE_TIME,
	RULE_REFERENCE,
	RULE_LEAVE,
	RULE_OPEN,
	RULE_TEAM,
	RULE_FORK,
	RULE_RELEASE,
	RULE_OVERLAP,
	RULE_HELD,
	RULE_ORDER,
	RULE_TASK,
	RULE_UNFINISHED,
	RULE_PROGRAM,
	RULE_MISSING,
	RULE_MEMBER,
	RULE_METRIC,
	RULE_LOCAL,
	RULE_INCOMPLETE,
	RULE_PROMISE,
	RULE_SPARSE,
	RULE_CLOCK,
	RULE_UNKNOWN,
	RULE_UNSENT,
	RULE_UNRECEIVED,
	RULE_LENGTH,
	RULE_EARLY,
	RULE_COLLECTIVE,
	RULE_UNMET,
	RULE_REQUEST,
	RULE_PENDING,
	RULES
};

struct finding {
	uint64_t count;
	uint32_t location; /* of the first violation; ARCHIVE_NO_INDEX: it has no place */
	uint64_t time;     /* ticks */
};

/* Numbers in the order in which they were pushed; the last is the innermost. */
struct check_stack {
	uint32_t *items;
	size_t depth, room;
};

struct check_task {
	struct check_stack regions;
	uint32_t running_on; /* location, or ARCHIVE_NO_INDEX */
};

struct check_location {
	struct check_stack base;    /* NULL: only base */
	struct check_task *current; /* NULL: none but base */
	struct check_stack teams;
	uint64_t last_time, forks;
	bool program;
	bool counts;     /* has metrics */
	bool counts_now; /* the previous event gave their values, at last_time */
};

struct check_lock {
	uint32_t holder, depth; /* depth 0: free */
	uint32_t next_holder;   /* acquired it, at taken_at, before the holder's release was read */
	uint64_t taken_at;
	uint64_t ordered_at; /* when its latest acquisition, with the number `order`, happened */
	uint32_t order;
	bool acquired; /* ever */
};

struct check {
	struct archive *archive;
	struct finding findings[RULES];
	struct check_location *locations;
	struct pair_map tasks;   /* (team, creator and number) to check_task, until completed */
	struct pair_map created; /* by the same key: tasks created and not completed */
	struct pair_map lock_of; /* (lock, process) to index */
	struct check_lock *locks;
	size_t lock_count, lock_room;
	uint64_t forks, acquisitions;
	uint64_t first_time;
	struct check_mpi *mpi; /* open messages, collectives and requests */
};

/* Reads all events; free with check_free(). */
struct check *check_run(struct archive *archive);
void check_free(struct check *check);

/* Counts a violation of the rule, and keeps the first one. */
static inline void check_add_finding(
    struct check *check, enum rule rule, uint32_t location, uint64_t time)
{
	struct finding *finding = &check->findings[rule];

	if (finding->count++ == 0) {
		finding->location = location;
		finding->time = time;
	}
}

static inline void check_add_finding_at(
    struct check *check, enum rule rule, const struct archive_event *event)
{
	check_add_finding(check, rule, event->location, event->time);
}

/* Checks MPI events, and what is open when all events have been read. */
struct check_mpi *check_mpi_new(const struct archive *archive);
void check_mpi_event(struct check *check, const struct archive_event *event);
void check_mpi_end(struct check *check);
void check_mpi_free(struct check_mpi *mpi);

/*
 * Counts the definitions that the events need and that are missing; call it after the last event.
 */
void check_definitions(struct check *check);

/* Whether the group of the event's team contains the event's thread; true if unknown. */
bool check_is_member(const struct archive *archive, const struct archive_event *event);

#endif

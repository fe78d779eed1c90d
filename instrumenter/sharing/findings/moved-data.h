/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data that another thread had before: of one object in one construct, how many of the lines that
 * it uses were used last by another thread, and in which constructs that was. The arena of the
 * sources owns all.
 */
#ifndef SHARING_MOVED_DATA_H
#define SHARING_MOVED_DATA_H

#include "sharing-findings.h"

/* Why, as far as the source and the runtime's events tell. */
enum moved_cause {
	MOVED_UNKNOWN,
	MOVED_BY_TASKS,      /* tasks use it, and any thread may execute them */
	MOVED_BY_ONE_THREAD, /* a single thread uses all in one of the two */
	MOVED_BY_CHUNKS,     /* one of the two is a loop with a dynamic or guided schedule */
	MOVED_BY_SCHEDULES,  /* both have, but of different schedules */
	MOVED_BY_BOUNDS,     /* ... or of different loops */
	MOVED_BY_ELEMENTS,   /* ... of the same ones */
	MOVED_CAUSES,
};

/* Where data is used: in a construct, or in code that is in none. */
struct moved_side {
	struct sharing_place place;
	const struct race_construct *construct; /* divides work or runs it; NULL: none is known */
	const struct race_text *text;           /* of the construct */
	bool is_serial;                         /* of no team of several threads */
};

struct moved_before {
	struct moved_side side;
	uint64_t moved; /* lines */
};

struct moved_data {
	struct moved_side now;
	struct moved_before *before; /* most first */
	size_t before_count, before_room;
	uint64_t uses, moved; /* lines, of all executions */
	/* Of them: by what the thread or the one before executed. */
	uint64_t in_tasks, in_stolen, from_tasks, by_chunks;
	uint64_t taken_back;
	uint64_t executions;    /* in which lines moved, at least */
	uint64_t tasks, stolen; /* that the construct has created; 0: unknown */
	enum moved_cause cause;
	/* A loop with which the same data stayed with its thread, or NULL: then now or before. */
	const struct moved_data *stays;
};

/*
 * Adds a finding for each object and construct of which at least a tenth of the lines moved, in
 * several executions, and not fewer than an L2 cache has. Returns how many.
 */
size_t moved_data_add(struct race_sources *sources, struct race_code *code,
    const struct sharing_reports *reports, struct sharing_findings *findings);

/* The argument of the schedule clause, "" without one; NULL: it is no loop of the team, or a macro
 * may have the clause. */
const char *moved_schedule(const struct moved_side *side);

/* Do mostly tasks use it now? */
bool moved_is_of_tasks(const struct moved_data *data);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The races of all runs, each once, with the places of the source that they are between. */
#ifndef RACE_FINDINGS_H
#define RACE_FINDINGS_H

#include "code.h"
#include "race-reports.h"
#include "race-source.h"

/* What one of the two accesses is, over all reports of the race. */
struct race_side {
	bool is_known; /* ThreadSanitizer remembers where it was */
	struct race_line line;
	const char *module;
	uint64_t offset;
	/* What it is to, without subscripts: accesses of one line may differ in it. */
	const char *variable;   /* of static storage, with its file's name in front; or NULL */
	const char *expression; /* in the text, or NULL: unknown */
	const char *called; /* the library function that made the access, called there; or NULL */
	bool reads, writes;
	bool atomic;     /* each of them */
	bool task, team; /* executed as such, at least once */
	bool by_runtime; /* called by it: a thread of a team, or one that executes a task */
	/* From the access outwards to the runtime's call of the construct's code. */
	const struct race_line *callers;
	size_t caller_count;
};

struct race_finding {
	struct race_side side[2]; /* the first one writes */
	bool one_place;           /* both are the same line */
	bool shares_places;       /* another one has the same two lines */
	bool by_threads;          /* two threads of the system did it, in some run */
	unsigned first_run;
	unsigned run_count, last_run;
	struct race_place place;       /* of the first report that knows */
	struct race_variable variable; /* of static storage; without a name: another place */
	struct race_line allocated;    /* heap memory; file NULL: unknown */
};

struct race_findings {
	struct race_finding *items;
	size_t count, room;
	/* Reports about code of the runtime or a tool alone, or of the compiler's: left out. */
	size_t of_runtime;
};

/*
 * One finding for each variable and pair of places, in the order of the source. A race counts when
 * two threads of the system took part in some run. What was only seen between tasks that one thread
 * executed may be about memory of that thread, and does not count.
 */
void race_findings_make(struct race_sources *sources, struct race_code *code,
    const struct race_reports *reports, struct race_findings *findings);

#endif

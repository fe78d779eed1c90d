/* SPDX-License-Identifier: BSD-3-Clause */
/* The races, or memory errors, of all runs, each once, with the source places of its two accesses.
 */
#ifndef RACE_FINDINGS_H
#define RACE_FINDINGS_H

#include "code.h"
#include "race-reports.h"
#include "race-source.h"
#include "suppressions.h"

/* One of the two accesses, over all reports of the race. */
struct race_side {
	bool is_known; /* ThreadSanitizer remembers its place */
	struct race_line line;
	const char *module;
	uint64_t offset;
	/* What it accesses, without subscripts: accesses of one line may differ in that. */
	const char *variable;   /* a static variable, with its file's name in front; or NULL */
	const char *expression; /* in the source text; NULL: unknown */
	const char *called; /* the library function called there that made the access; or NULL */
	bool reads, writes;
	bool atomic;                           /* in all reports */
	bool task, team;                       /* executed as such, at least once */
	const struct suppression *suppression; /* that fits the stack of the last report, or NULL */
	bool by_runtime; /* the runtime called the code: for a team's thread or a task */
	/* From the access outwards to the construct's code, which the runtime called. */
	const struct race_line *callers;
	size_t caller_count;
};

/* Whether a finding counts as a race, and if not, why not. */
enum race_standing {
	RACE_COUNTS,
	RACE_OF_ONE_THREAD, /* seen only between tasks that one thread executed */
	RACE_ALLOWED,       /* by a comment in the source */
	RACE_SUPPRESSED,    /* by a suppression file */
	RACE_KNOWN,         /* from a baseline */
	RACE_UNCHANGED,     /* no line of it has changed since a commit */
	RACE_STANDING_COUNT,
};

/* Whether a finding counts, and what the user has said of it. */
struct race_verdict {
	/* One that fits all reports of it, perhaps with one of several; or NULL. */
	const struct suppression *suppression;
	enum race_standing standing;
	/* From here on, set by race_judge(). */
	const char *reason; /* comment, suppression, the baseline's file or commit; or NULL */
	const char *fingerprint;
	bool in_baseline;
};

struct race_finding {
	struct race_side side[2]; /* the first one writes */
	bool one_place;           /* both accesses are on the same line */
	bool by_threads;          /* two native threads, or lanes, made the accesses, in some run */
	bool of_lanes;            /* two lanes of one thread made them, in all runs */
	struct race_seen seen;
	struct race_place place;       /* from the first report that knows it */
	struct race_variable variable; /* a static variable; without a name: another place */
	struct race_line allocated;    /* heap memory; file NULL: unknown */
	/*
	 * For a memory error, side[0] is the access and side[1] where the memory was freed or the
	 * variable is declared; if that is not known, one_place holds.
	 */
	struct race_memory memory;
	bool of_construct; /* the variable is of the code that a compiler makes of a construct */
	bool of_task;      /* the memory was a task's: the runtime has allocated it */
	struct race_verdict verdict;
	size_t cause; /* index of the first finding that the same remedy fixes; by race_judge() */
};

struct race_findings {
	struct race_finding *items;
	size_t count, room;
	/* Reports only about code of the runtime, a tool or the compiler: left out. */
	size_t of_runtime;
};

/* Headers of the compiler and the system, mostly C++ templates. */
bool race_is_system_header(const char *file);

/* Is the file an OpenMP runtime or a tool? NULL: it is not. */
bool race_module_is_runtime(const char *module);

/*
 * Fills in the user's line. Returns false if the code is not the user's: the innermost frame, apart
 * from ThreadSanitizer's functions, belongs to the runtime.
 */
bool race_side_find(struct inst_arena *arena, struct race_code *code,
    const struct race_stack *stack, const struct suppressions *suppressions,
    struct race_side *side);

/* Compares by function and line, or by address if there is no line. */
int race_side_compare(const struct race_side *left, const struct race_side *right);

/* Where the user's code allocated the object; file NULL: unknown. */
struct race_line race_allocation_line(
    struct inst_arena *arena, struct race_code *code, const struct race_place *place);

/*
 * Makes one finding for each variable and pair of places, in source order. A race counts if two
 * native threads took part in some run. A race that was seen only between tasks on one thread may
 * be about memory of that thread, and does not count.
 */
void race_findings_make(struct race_sources *sources, struct race_code *code,
    const struct race_reports *reports, const struct suppressions *suppressions,
    struct race_findings *findings);

#endif

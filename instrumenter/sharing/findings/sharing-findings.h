/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cache lines by the object that they are of: each variable, and all blocks of the heap that one
 * line of the source allocates, are one finding of each kind. The arena of the sources owns all.
 */
#ifndef SHARING_FINDINGS_H
#define SHARING_FINDINGS_H

#include "code.h"
#include "line-cost.h"
#include "race-source.h"
#include "sharing-reports.h"

enum sharing_kind {
	SHARING_FALSE,    /* threads use different bytes of a line */
	SHARING_TRUE,     /* threads use the same bytes */
	SHARING_POSSIBLE, /* threads use neighbouring lines, and would share longer ones */
	SHARING_TOUCH,    /* threads use pages that other ones touched first */
	SHARING_MOVED,    /* between barriers threads use what others had before: moved-data.h */
	SHARING_KINDS,
};

enum { SHARING_MOST_MEMBERS = 64, SHARING_LONGEST_LINE = 256 };

/* Threads by their numbers in their teams; those behind the limit count as the last one. */
typedef uint64_t sharing_members;

/* A line of the source that accesses the object. */
struct sharing_place {
	struct race_line line; /* file NULL: unknown */
	const char *module;
	uint64_t offset;
	int statement; /* line of the statement: behind the directive of an atomic access */
	uint64_t reads, writes;
	sharing_members members;
	const char *expression, *source; /* what is accessed, the line's text; NULL: unknown */
	const struct race_text *text;
	const struct race_construct *construct; /* the innermost one around it, or NULL */
};

struct first_touch;
struct moved_data;

struct sharing_finding {
	enum sharing_kind kind;
	struct moved_data *moved; /* of SHARING_MOVED */
	const char *key;          /* of the object */
	const char *base;         /* the variable without element and members, or NULL */
	const char *parts[2];     /* what two threads use: "c[0].n", "c[1].n"; NULL: unknown */
	struct race_place place;
	struct race_variable variable; /* a static one; without a name: another place */
	struct race_line allocated;    /* heap: file NULL: unknown */
	struct sharing_place *places;  /* by their accesses, most first */
	size_t place_count, place_room;
	size_t lines;
	/* SHARING_POSSIBLE: */
	unsigned distance;    /* the least between what two threads use */
	unsigned stride;      /* ... from the begin of the one to the begin of the other */
	unsigned longer_line; /* the least line that would have both as they lie; 0: none */
	unsigned in_row;      /* the fewest lines in a row that are one thread's */
	sharing_members members;
	uint64_t transfers, accesses, writes;
	const struct sharing_line *example; /* the line with most transfers, or NULL */
	uint64_t most_transfers;            /* of it */
	bool several_blocks;                /* heap: not all lines are within one block */
	struct line_uses uses;
	double seconds;    /* of processor time that the transfers cost, about */
	double share;      /* of the program's processor time */
	double most;       /* seconds if threads waited for each transfer */
	double most_share; /* then of the program's */
	/* With --prove: why its data was not set apart, or seconds without and with that. */
	const char *unproved;
	double before, after;
	const struct first_touch *touch; /* SHARING_TOUCH; else NULL */
};

struct sharing_findings {
	struct sharing_finding *items; /* the dearest first */
	size_t count, room;
	double processor; /* seconds that the program takes without noting, about */
	size_t unlisted;  /* SHARING_MOVED that is not among the items */
};

/*
 * The program without calls for its accesses: processor seconds of a run on all processors and of
 * one on a single one; 0: it was not run.
 */
struct sharing_plain {
	double seconds, on_one;
	double parallel; /* processors used at the same time, on average */
	bool failed;     /* it ended otherwise than the program that was looked at */
};

/* Do the times say what sharing costs? Not if threads seldom ran at the same time. */
bool sharing_plain_counts(const struct sharing_plain *plain);

/* With plain times the findings' costs are parts of the difference. */
void sharing_findings_make(struct race_sources *sources, struct race_code *code,
    const struct sharing_reports *reports, const struct sharing_costs *costs,
    const struct sharing_plain *plain, struct sharing_findings *findings);

/*
 * Could it cost at least `least` percent, if threads waited for each transfer, and is it more than
 * a few transfers? Never if possible, always if moved.
 */
bool sharing_counts(const struct sharing_finding *finding, unsigned least);

/* A thread's bit, by its number in its team. */
sharing_members sharing_member(const struct sharing_share *share);

/* Fills in the source of an instruction; the first line of inlined code that is the user's. */
void sharing_find_source(struct race_sources *sources, struct race_code *code,
    const struct race_frame *frame, struct sharing_place *place);

/* Fills in what the place accesses, if that is not known. */
void sharing_find_expression(
    struct race_sources *sources, struct sharing_place *place, bool writes, const char *hint);

/* Finds where the memory was allocated; the key is the same for all blocks of one place there. */
const char *sharing_heap_key(struct inst_arena *arena, struct race_code *code,
    const struct race_place *place, struct race_line *allocated);

/* The finding's place on this line, which is added if it has none. */
struct sharing_place *sharing_find_place(
    struct inst_arena *arena, struct sharing_finding *finding, const struct sharing_place *place);

/* For qsort(): by their accesses, most first. */
int sharing_compare_places(const void *left, const void *right);

#endif

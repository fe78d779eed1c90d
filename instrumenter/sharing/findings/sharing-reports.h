/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library inside the program has written of its cache lines, before anything is known
 * about the code; see sharing-format.h. The arena owns all memory; if it runs out, the arena
 * jumps to its out_of_memory.
 */
#ifndef SHARING_REPORTS_H
#define SHARING_REPORTS_H

#include "race-reports.h"

/* An instruction that accesses a line. */
struct sharing_site {
	struct race_frame frame;
	uint64_t reads, writes;
};

/* How a thread used pages of an array by one instruction; see sharing-format.h. */
enum sharing_pages_kind {
	SHARING_PAGES_SERIAL,
	SHARING_PAGES_TEAM,
	SHARING_PAGES_OWN,
	SHARING_PAGES_OWN_SHARED,
	SHARING_PAGES_OTHERS,
	SHARING_PAGES_OTHERS_SHARED,
};

struct sharing_pages {
	enum sharing_pages_kind kind;
	uint64_t count; /* pages that it touched first; accesses */
	bool writes;
	struct race_frame frame;
	struct race_stack callers;
};

/* A thread's part of a line, or of an array. */
struct sharing_share {
	int thread, member; /* in the process; in its team, -1: unknown */
	uint64_t reads, writes;
	uint64_t atomics, seldom; /* of the writes; of the reads: of words that it seldom writes */
	uint64_t bytes_read, bytes_written; /* masks */
	struct sharing_site *sites;
	size_t count, room;
	struct sharing_pages *pages; /* of an array */
	size_t pages_count, pages_room;
};

/* A variable, or what one place has allocated, of which several pages were touched. */
struct sharing_array {
	uint64_t blocks, bytes, nodes, placed, remote;
};

struct sharing_line {
	uint64_t address, false_transfers, true_transfers, epochs, accesses, ticks, timed, calls;
	uint64_t common; /* mask of bytes */
	bool is_near;    /* with a line behind it: two shares, of which the second is of that one */
	unsigned second; /* then where that one begins, from this one on */
	unsigned distance; /* ... the bytes between what the two threads use */
	unsigned in_row;   /* ... how many lines in a row each uses alone, the lesser number */
	bool is_array;     /* of `array`, and not of a line */
	struct sharing_array array;
	struct race_place place; /* global: its offset is that of the line */
	struct sharing_share *shares;
	size_t count, room;
};

/* Instructions and calls of moved lines, as they are numbered in the log. */
enum sharing_role {
	SHARING_NOW,
	SHARING_BEFORE,
	SHARING_REGION,
	SHARING_REGION_BEFORE,
	SHARING_ROLES,
};

/* How often the lines of some memory were used first after a barrier; see sharing-format.h. */
struct sharing_moved {
	uint64_t uses, moved, epochs, members;
	unsigned flags;
	struct race_place place;
	struct race_frame frames[SHARING_ROLES]; /* module NULL: unknown */
};

/* Tasks that one place has created. */
struct sharing_tasks {
	struct race_frame frame;
	uint64_t completed, stolen;
};

/* Of all processes. */
struct sharing_reports {
	struct inst_arena *arena;
	struct sharing_line *lines;
	size_t count, room;
	struct sharing_line *arrays;
	size_t array_count, array_room;
	struct sharing_moved *moved;
	size_t moved_count, moved_room;
	struct sharing_tasks *tasks;
	size_t tasks_count, tasks_room;
	double wall, processor; /* seconds; the longest process's, and the sum */
	double overhead;        /* of them, what noting the accesses took */
	double ticks;           /* in a second */
	double call, recorded;  /* seconds that noting an access takes; to a shared line */
	uint64_t calls, refused;
	unsigned processes, threads;
	unsigned refusing; /* further processes whose address space is too small to note anything */
	unsigned
	    unfinished; /* logs of which a part is missing; those without any are no processes */
};

/* Reads a log. Returns NULL, or what is wrong with the whole log, of which nothing is then used. */
const char *sharing_log_read(struct sharing_reports *reports, const char *text, size_t length);

#endif

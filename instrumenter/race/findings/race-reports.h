/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data races and memory errors as sanitizers report them, and cycles of locks as the preloaded
 * library finds them, of all runs, before anything is known about their code. The arena owns all
 * memory; if it runs out, the arena jumps to its out_of_memory.
 */
#ifndef RACE_REPORTS_H
#define RACE_REPORTS_H

#include "arena.h"
#include "shared/race-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A place in code: an address inside the instruction of the call or access, relative to the file.
 */
struct race_frame {
	const char *module;
	uint64_t offset;
};

struct race_stack {
	struct race_frame *frames; /* innermost first; empty if the stack was forgotten */
	size_t count, room;
};

/* What kind of strand executed the code. */
enum race_strand {
	RACE_AS_THREAD,
	RACE_AS_TASK,
	RACE_AS_TEAM,
	RACE_AS_LANE,
};

struct race_access {
	bool write, atomic;
	unsigned size; /* bytes */
	uint64_t address;
	int thread; /* a native thread, as counted in race-log.h; -1: unknown */
	enum race_strand strand;
	struct race_stack stack;
};

enum race_place_kind {
	RACE_PLACE_UNKNOWN,
	RACE_PLACE_GLOBAL,
	RACE_PLACE_HEAP,
	RACE_PLACE_STACK,
	RACE_PLACE_TLS,
};

/* The object that both accesses concern. */
struct race_place {
	enum race_place_kind kind;
	uint64_t start, size;
	const char *module; /* global: the file that contains it, or NULL */
	uint64_t offset;    /* global: of the object in that file, or of the accessed byte */
	bool is_access;     /* offset is that of the accessed byte */
	struct race_stack allocated; /* heap: stack of the allocation */
};

enum race_memory_kind {
	RACE_NO_MEMORY_ERROR, /* but a race */
	RACE_ENDED_FRAME,     /* a variable of a function or a block that has ended */
	RACE_FREED,
	RACE_OUT_OF_BOUNDS,
	RACE_NULL_POINTER,
	RACE_UNWRITTEN,    /* a value that was never written */
	RACE_OTHER_MEMORY, /* what the sanitizer calls otherwise */
};

/* What AddressSanitizer or MemorySanitizer says of one access. */
struct race_memory {
	enum race_memory_kind kind;
	const char *error;    /* the sanitizer's word: "heap-use-after-free" */
	const char *variable; /* that the memory is, or is next to; or NULL */
	const char *file;     /* where it is declared; NULL: in the file of the second stack */
	int line;             /* or 0 */
};

/*
 * Of a memory error, the second access is what came before: the memory was freed, or its function
 * was entered. It has a stack only.
 */
struct race_report {
	unsigned run;                 /* from 0 */
	struct race_access access[2]; /* the later one first */
	struct race_place place;
	struct race_memory memory;
};

enum race_lock_type {
	RACE_LOCK,
	RACE_NEST_LOCK,
	RACE_CRITICAL,
	RACE_MUTEX,
};

/* The numbers of the runs that have shown a finding, from 0, each once. */
struct race_seen {
	unsigned *runs;
	unsigned count;
	size_t room;
};

/* A thread that holds one lock and waits for another one. */
struct race_wait {
	enum race_lock_type kind; /* of the lock that it wants */
	uint64_t address;
	unsigned thread;
	struct race_stack wanted, held; /* of the calls; held: outer frames may be missing */
	struct race_place place;        /* of the wanted lock */
	struct race_seen seen;          /* of a cycle over several runs: which have shown it */
};

/* Each wait is for what the next one holds, the last for what the first holds; see race-log.h. */
struct race_cycle {
	unsigned run;
	bool is_closed; /* all threads waited, and the process was ended */
	bool is_joined; /* no run has all of its waits */
	struct race_wait *waits;
	size_t count;
};

/* An order in which two locks were taken, and where in the program's structure. */
struct race_order {
	unsigned run, log; /* each process of a run has a log of its own */
	const char *program;
	unsigned number;               /* in its log */
	uint64_t wanted, held, *gates; /* the locks' names, see race-log.h */
	size_t gate_count, gate_room;
	struct race_wait wait;
	struct team_position *positions;
	size_t position_count, position_room;
};

/* Reports come in the order of their runs. */
void race_seen_add(struct inst_arena *arena, struct race_seen *seen, unsigned run);

struct race_reports {
	struct inst_arena *arena;
	struct race_report *items;
	size_t count, room;
	struct race_cycle *cycles;
	size_t cycle_count, cycle_room;
	struct race_order *orders; /* those of one log after each other */
	size_t order_count, order_room;
	unsigned logs;
};

/* Adds one report, all zero, and returns it. */
struct race_report *race_reports_add(struct race_reports *reports, unsigned run);

/* Adds a cycle of locks. */
void race_reports_add_cycle(struct race_reports *reports, const struct race_cycle *cycle);
void race_reports_add_order(struct race_reports *reports, const struct race_order *order);

void race_stack_add(struct inst_arena *arena, struct race_stack *stack, const char *module,
    size_t length, uint64_t offset);

/*
 * Adds the frame that begins with these words: an address, the offset and the module. Other words
 * are left out.
 */
void race_stack_read(struct inst_arena *arena, struct race_stack *stack, const char *words);

/*
 * Reads a log of the preloaded library: see shared/race-log.h. Skips damaged lines, and reports
 * without an end. Returns NULL, or what is wrong with the whole log, of which nothing is then used.
 */
const char *race_log_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run);

/*
 * Reads ThreadSanitizer's own output, with RACE_TSAN_FRAME as its format of frames: for programs
 * that do not call the preloaded library, such as clang's. It shows only which threads made the
 * accesses. Skips reports other than data races.
 */
#define RACE_TSAN_FRAME "    frame %p %o %m"
void race_tsan_text_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run);

/* The same of AddressSanitizer and MemorySanitizer. */
void race_memory_text_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run);

/* Calls take(context, line) for each line; a line is the arena's. */
void race_text_lines(struct inst_arena *arena, const char *text, size_t length,
    void (*take)(void *context, const char *line), void *context);

#endif

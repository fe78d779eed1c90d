/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data races as ThreadSanitizer reports them, of all runs, before anything is known of their code.
 * All memory is the arena's, which is left through its out_of_memory when there is none.
 */
#ifndef RACE_REPORTS_H
#define RACE_REPORTS_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in code: an address within the call's or the access' instruction, in the file's terms. */
struct race_frame {
	const char *module;
	uint64_t offset;
};

struct race_stack {
	struct race_frame *frames; /* innermost first; none where it was forgotten */
	size_t count, room;
};

/* What the code was executed as. */
enum race_strand {
	RACE_AS_THREAD,
	RACE_AS_TASK,
	RACE_AS_TEAM,
};

struct race_access {
	bool write, atomic;
	unsigned size; /* bytes */
	uint64_t address;
	int thread; /* of the operating system, as race-log.h counts them; -1: not known */
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

/* The object that both accesses are to. */
struct race_place {
	enum race_place_kind kind;
	uint64_t start, size;
	const char *module; /* global: the file that it is in, or NULL */
	uint64_t offset;    /* global: of the object in that file, or of the byte accessed */
	bool is_access;     /* offset is of the byte that was accessed */
	struct race_stack allocated; /* heap: where */
};

struct race_report {
	unsigned run;                 /* from 0 */
	struct race_access access[2]; /* the later one first */
	struct race_place place;
};

struct race_reports {
	struct inst_arena *arena;
	struct race_report *items;
	size_t count, room;
};

/* Room for one more report, all zero, counted already. */
struct race_report *race_reports_add(struct race_reports *reports, unsigned run);

void race_stack_add(struct inst_arena *arena, struct race_stack *stack, const char *module,
    size_t length, uint64_t offset);

/*
 * Reads a log of the preloaded library: see shared/race-log.h. Damaged lines are left out, and
 * reports without their end. Returns NULL, or what is wrong with it as a whole, and then nothing of
 * it is taken.
 */
const char *race_log_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run);

/*
 * Reads what ThreadSanitizer itself prints with RACE_TSAN_FRAME as its format of frames: for
 * programs in which the preloaded library is not asked, as those of clang. Who executed what is
 * known by threads only. Other reports than data races are left out.
 */
#define RACE_TSAN_FRAME "    frame %p %o %m"
void race_tsan_text_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run);

#endif

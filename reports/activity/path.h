/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path through a trace that its wall time was spent on: from the end of the program backwards
 * along what a thread did; and where it waited, from the end of the wait on along the thread that
 * ended it. What else happened meanwhile had time to spare. The path has no gap and no overlap, so
 * its times add up to the wall time.
 *
 * Knows what each thread did (path_add) and what ended its waits (path_end_wait), and not from
 * which events that is known. Keeps all of it until the walk: what is not the latest of a thread in
 * few bytes (packed.h), and beyond a bound in a temporary file (spill.h).
 */
#ifndef PATH_H
#define PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/hash-map.h"
#include "spill.h"
#include "timeline.h"

#define PATH_NONE UINT32_MAX /* no cause, no thread, no construct */

/* What ends waits: a thread did something then. It may become known after a wait that it ends. */
struct path_cause {
	uint64_t at;
	uint32_t thread;    /* PATH_NONE: not known */
	uint32_t construct; /* of a fork or join: what idle threads wait for */
	uint32_t arrived;   /* of a barrier: threads so far */
};

/* What a thread did since the segment before. */
struct path_segment {
	uint64_t to;
	uint32_t construct, cause;
	enum activity activity;
};

enum {
	PATH_SEGMENTS = 256, /* of a thread that are packed together */
	PATH_CAUSES = 2048,  /* the same of all causes */
	PATH_RECENT = 16     /* times as many causes, the last ones, are not packed */
};

struct path_packed {
	uint64_t to; /* of its last segment */
	struct spill_piece piece;
};

struct path_lane {
	struct path_packed *packed;    /* PATH_SEGMENTS each */
	struct path_segment *segments; /* those that follow; the last one may change */
	size_t packed_count, packed_room, count, room;
};

struct path {
	struct path_lane *lanes; /* by thread */
	size_t threads;
	size_t cause_count;
	struct path_cause *recent[PATH_RECENT]; /* PATH_CAUSES each: n-th ones in n % PATH_RECENT */
	struct spill_piece *packed;             /* those before */
	size_t packed_count, packed_room;
	/* Packed ones that changed afterwards: number of the cause to its place here. */
	struct map changed_of;
	struct path_cause *changed;
	size_t changed_count, changed_room;
	struct spill *spill;
	unsigned char *bytes; /* for packing */
};

/* A piece of the path. */
struct path_step {
	uint64_t from, to;
	uint32_t thread, construct;
	enum activity activity;
	uint32_t ended_by; /* thread that the path goes on (backwards) with, PATH_NONE: the same */
	uint64_t waited;   /* before `from`, until that thread ended the wait; not on the path */
};

/* memory_max: bytes of packed segments and causes that are kept in memory. */
struct path *path_new(size_t threads, size_t memory_max);
void path_free(struct path *path);

/* The thread did this until `to` (ticks), since the end of what was added before. */
void path_add(
    struct path *path, uint32_t thread, enum activity activity, uint32_t construct, uint64_t to);

/*
 * A new cause; PATH_NONE, which the other functions ignore, when there are as many as numbers for
 * them.
 */
uint32_t path_new_cause(struct path *path, uint32_t thread, uint64_t at, uint32_t construct);

/* That one, to be changed until the next call; NULL when there is none. */
struct path_cause *path_cause(struct path *path, uint32_t cause);

/* If the thread's last activity was that and lasted until now, the cause ended it. */
void path_end_wait(
    struct path *path, uint32_t thread, enum activity activity, uint64_t now, uint32_t cause);

/* The steps of the path that ends at `end` on the thread, the last one first. */
void path_walk(const struct path *path, uint32_t thread, uint64_t start, uint64_t end,
    void (*visit)(void *context, const struct path_step *step), void *context);

/* The waits of the thread that others ended, in the order of their ends, with what ended them. */
void path_for_each_end(const struct path *path, uint32_t thread,
    void (*visit)(void *context, const struct path_segment *wait, const struct path_cause *cause),
    void *context);

#endif
